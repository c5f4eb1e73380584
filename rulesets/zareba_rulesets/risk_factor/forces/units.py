"""Units of single figures, prisoners, markers and prizes, with the marks on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zareba.base.state import Record, WithSpec, record, shared
from zareba.space.field.bodies import Body

__all__ = ["BACKWARD", "TURN_MARKS", "Captives", "Marker", "Unit", "UnitSpec"]

# Marks on a unit that last until the next player turn of its side. The others last until something ends them: loaded;
# fired (in its last player turn); dismounted; disarmed; hidden until revealed; charger while it stays in contact; works
# while it defends those in which it halted (RSK-135).
TURN_MARKS = frozenset(
    {"moved", "far", "charged", "fired_now", "busy", "linked", "commanded", "free", "bound", "stays", "footing"}
)
BACKWARD = ("retreating", "routing")


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """What does not change about a unit during a battle (RSK-007 to RSK-036).

    `leader` is the rank of a lone figure who leads, "" for a group. `weapon` is the missile weapon of its armed
    figures or "none", `close` the arm of all. `parent` is the unit of the scenario it comes from, `platoon` the label
    that squads share. `support` names the line of a crewed weapon. `people` tells whose leaders it follows:
    european, service (natives in European service) or native.
    """

    id: str
    name: str
    side: str
    parent: str
    figures: int
    armed: int
    troop_class: str
    kind: str = "regular"
    weapon: str = "none"
    loading: str = "none"
    close: str = "none"
    bayonet: bool = False
    mounted: bool = False
    can_dismount: bool = False
    cavalry: bool = False
    formed: bool = False
    volley: bool = False
    native: bool = False
    no_quarter: bool = False
    civilian: bool = False
    skirts: str = "up"
    superior_quality: bool = False
    superior_melee: bool = False
    platoon: str = ""
    support: str = ""
    table: str = "auto"
    people: str = "european"
    leader: str = ""
    musician: bool = False
    non_combatant: bool = False
    order: int = 0
    loyalty: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_superior(self) -> bool:
        """Whether its men count as Heroes or superior hand to hand (Table M)."""
        return self.troop_class == "hero" or self.superior_melee


@record
class Unit(WithSpec):
    """A group, or a lone leader, as it stands. A body without figures: not on the table.

    `hurt` and `armed` go with the figures of `body`: wounded once (RSK-110); carries the missile weapon. `dead` counts
    killed figures, `original` the strength that losses are measured by (RSK-120). `action` is the current action with
    its `goal`; `status` steady, retreating or routing (RSK-144); `result` that of this turn's throw. `lost` and `caused`
    are melee casualties since its last throw, `round_lost` and `round_caused` those of the last melee phase (RSK-124).
    `facing` in degrees; `crossing` moves spent at a barrier (RSK-077); `killers` figures that kill
    prisoners this turn (RSK-159); `joins` the group that its owner gave a leader
    who stands equally near two (RSK-048); `target` whom it charges. `kits`: for each figure the unit whose arms it carries,
    once groups with other arms have combined (RSK-047); empty where all carry the unit's own.
    """

    body: Body
    hurt: tuple[bool, ...]
    armed: tuple[bool, ...]
    facing: float
    original: int
    dead: int = 0
    action: str = "halt"
    goal: tuple[float, float] | None = None
    status: str = "steady"
    result: str = ""
    marks: frozenset[str] = frozenset()
    lost: int = 0
    caused: int = 0
    round_lost: int = 0
    round_caused: int = 0
    crossing: int = 0
    killers: int = 0
    target: str = ""
    joins: str = ""
    kits: tuple[str, ...] = ()
    spec: UnitSpec = shared(default=None)

    @property
    def count(self) -> int:
        """Living figures on the table, wounded ones included."""
        return len(self.hurt)

    @property
    def mounted(self) -> bool:
        """Riders that are not dismounted (RSK-080)."""
        return self.spec.mounted and "dismounted" not in self.marks

    @property
    def casualties(self) -> int:
        """Figures wounded or killed of its original strength (RSK-120)."""
        return self.dead + sum(self.hurt)


@record
class Captives(Record):
    """Prisoners (RSK-156 to RSK-161): whose they were, where they stand, who holds them."""

    side: str
    unit: str
    captor: str
    body: Body
    hurt: tuple[bool, ...]

    @property
    def count(self) -> int:
        return len(self.hurt)


@record
class Marker(Record):
    """A marker on the table (RSK-187): a hidden unit with its leaders, or a dummy with nobody behind it.

    `went` are the cm that it moved in this player turn of its side.
    """

    side: str
    at: tuple[float, float]
    units: tuple[str, ...]
    mounted: bool = False
    went: float = 0.0
