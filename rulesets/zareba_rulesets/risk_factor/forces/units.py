"""Units of single figures, prisoners and markers, and the marks on units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zareba.base.state import Record, WithSpec, record, shared
from zareba.space.field.bodies import Body

__all__ = ["BACKWARD", "TURN_MARKS", "Captives", "Marker", "Unit", "UnitSpec"]

# Marks that are removed at the start of the side's next player turn. Other marks last until something ends them:
# loaded; fired (in its last player turn); dismounted; disarmed; hidden (until revealed); charger (while in contact);
# works (while it defends the works in which it halted, RSK-135).
TURN_MARKS = frozenset(
    {"moved", "far", "charged", "fired_now", "busy", "linked", "commanded", "free", "bound", "stays", "footing"}
)
BACKWARD = ("retreating", "routing")


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """The fixed attributes of a unit (RSK-007 to RSK-036).

    `leader` is the rank of a single leader figure, "" for a group. `weapon` is the missile weapon of the armed
    figures, or "none"; `close` is the close weapon of all figures. `parent` is the unit of the scenario it comes from.
    `platoon` is the label that squads share. `support` names the line of a crewed weapon. `people` decides whose
    leaders it follows: european, service (natives in European service) or native.
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
        """True if its figures count as Heroes or superior troops in melee (Table M)."""
        return self.troop_class == "hero" or self.superior_melee


@record
class Unit(WithSpec):
    """The current state of a group or a leader. A body without figures is not on the table.

    `hurt` and `armed` run parallel to the figures of `body`: wounded once (RSK-110), and carrying the missile weapon.
    `dead` counts killed figures. `original` is the strength that losses are measured by (RSK-120). `facing` is in
    degrees.

    `action` is the current action, with its `goal`. `status` is steady, retreating or routing (RSK-144). `result` is
    the result of this turn's throw. `target` is the unit to be charged.

    `lost` and `caused` are melee casualties since the last throw; `round_lost` and `round_caused` are those of the
    last melee phase (RSK-124). `crossing` counts moves spent at a barrier (RSK-077). `killers` counts figures that
    kill prisoners this turn (RSK-159). `joins` is the group that the owner chose for a leader equally near two
    (RSK-048).

    `kits` names for each figure the unit whose arms it carries, once groups with different arms have combined
    (RSK-047). It is empty if all figures carry the unit's own arms.
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
        """The living figures on the table, including the wounded."""
        return len(self.hurt)

    @property
    def mounted(self) -> bool:
        """True for riders who have not dismounted (RSK-080)."""
        return self.spec.mounted and "dismounted" not in self.marks

    @property
    def casualties(self) -> int:
        """The figures of its original strength that are wounded or killed (RSK-120)."""
        return self.dead + sum(self.hurt)


@record
class Captives(Record):
    """Prisoners: their side and unit, their captor, and their positions (RSK-156 to RSK-161)."""

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
    """A marker on the table: a hidden unit with its leaders, or a dummy without units (RSK-187).

    `went` is the distance in cm that it moved in this player turn.
    """

    side: str
    at: tuple[float, float]
    units: tuple[str, ...]
    mounted: bool = False
    went: float = 0.0
