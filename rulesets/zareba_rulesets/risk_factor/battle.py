"""The state of a battle: units of single figures, prisoners, markers, what each side knows, and marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zareba.space.geometry import Bounds
from zareba.state import Record, WithSpec, record, shared
from zareba_rulesets.risk_factor.body import Body, Near
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.field import Field
from zareba_rulesets.risk_factor.standing import Standing

__all__ = ["BACKWARD", "Battle", "Captives", "Marker", "Prize", "Unit", "UnitSpec"]

# Marks on a unit that last until the next player turn of its side. The others last until something ends them: loaded;
# fired (in its last player turn); dismounted; disarmed; hidden until revealed; charger while it stays in contact.
TURN_MARKS = frozenset(
    {"moved", "far", "charged", "fired_now", "busy", "linked", "commanded", "free", "bound", "stays"}
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


@record
class Unit(WithSpec):
    """A group, or a lone leader, as it stands. A body without figures: not on the table.

    `hurt` and `armed` go with the figures of `body`: wounded once (RSK-110); carries the missile weapon. `dead` counts
    killed figures, `original` the strength that losses are measured by (RSK-120). `action` is the current action with
    its `goal`; `status` steady, retreating or routing (RSK-144); `result` that of this turn's throw. `lost` and `caused`
    are melee casualties since its last throw, `round_lost` and `round_caused` those of the last melee phase (RSK-124).
    `facing` in degrees; `crossing` moves spent at a barrier (RSK-077); `killers` figures that kill
    prisoners this turn (RSK-159); `joins` the group that its owner gave a leader
    who stands equally near two (RSK-048); `target` whom it charges.
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
    """A marker on the table (RSK-187): a hidden unit with its leaders, or a dummy with nobody behind it."""

    side: str
    at: tuple[float, float]
    units: tuple[str, ...]
    mounted: bool = False


@record
class Prize(Record):
    """A thing to be taken: where it lies, or the unit that carries it; `taken_by` the side that carried it off."""

    at: tuple[float, float]
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""


@record
class Battle(Record):
    """The whole state. `turn`, `order`, `active`, `phase` and `waiting` are the cursor of the sequence of play.

    `commanders`: Player Character -> his side (RSK-018, RSK-070). `pools`: command points by leader; `linked`: leader -> the
    Player Character he passes orders on for. `seen`: units and markers that the enemy has in sight; `sight_dice`: the
    throws of this player turn (RSK-151); `known`: how a unit stood when the enemy last had it in sight (RSK-193). `gone`: units out of play
    and why; `gone_count`: figures of those that left to their side's credit. `risk`: the Risk Factors of this player turn. `charging`:
    units that attack after all other moves. `fights`: the melees of this player turn. `muster`: the names of each side's units.
    """

    turn: int
    order: list[str]
    active: int
    phase: str
    waiting: list[str]
    begun: bool
    over: bool
    ending: str
    beaten: list[str]
    units: dict[str, Unit]
    captives: list[Captives]
    markers: dict[str, Marker]
    commanders: dict[str, str]
    pools: dict[str, int]
    linked: dict[str, str]
    seen: frozenset[str]
    sight_dice: dict[str, int]
    known: dict[str, Body]
    arrivals: dict[str, int]
    gone: dict[str, str]
    gone_count: dict[str, int]
    prizes: dict[str, Prize]
    achieved: dict[str, str]
    risk: dict[str, int]
    fights: list[tuple[str, ...]]
    charging: list[str]
    book: RskBook = shared(default=None)
    field: Field = shared(default=None)
    solo: frozenset[str] = shared(default=frozenset())
    muster: Mapping[str, tuple[str, ...]] | None = shared(default=None)

    def _list_muster(self) -> Mapping[str, tuple[str, ...]]:
        """The names of all units by side; once for a battle and its copies."""
        self.muster = {
            side: tuple(name for name, unit in self.units.items() if unit.spec.side == side) for side in self.order
        }
        return self.muster

    @property
    def side(self) -> str:
        """The active side (whose player turn it is)."""
        return self.order[self.active]

    def enemy(self, side: str) -> str:
        return self.order[1] if self.order[0] == side else self.order[0]

    def is_solo(self, side: str) -> bool:
        """Whether the tables run a side, so that nobody is asked (RSK-044, RSK-190)."""
        return side in self.solo

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    def standing(self, side: str) -> Standing:
        """A side as it stands now; the same as before while none of its units has moved or lost figures."""
        units, names = self.units, (self.muster or self._list_muster())[side]
        try:
            bodies = [units[name].body for name in names]
        except KeyError:  # a seat's view, without the enemy's hidden units
            names = tuple(name for name in names if name in units)
            bodies = [units[name].body for name in names]
        known = self.field.standings.get(names)
        if known is None or known.all_bodies != bodies:
            leaders = {name for name in names if units[name].spec.leader}
            known = self.field.standings[names] = Standing(names, bodies, leaders, self.field.gaps)
        return known

    def of(self, side: str) -> list[Unit]:
        """The units of a side with figures on the table, in the order of the scenario."""
        return [unit for unit in self.units.values() if unit.hurt and unit.spec.side == side]

    def against(self, side: str) -> list[Unit]:
        """The enemies of a side with figures on the table."""
        return [unit for unit in self.units.values() if unit.hurt and unit.spec.side != side]

    def groups(self, side: str) -> list[Unit]:
        return [unit for unit in self.units.values() if unit.hurt and unit.spec.side == side and not unit.spec.leader]

    def gap(self, a: Unit, b: Unit) -> Near:
        """The least gap between two units in cm, and the figures that have it."""
        return self.field.gaps[a.body, b.body]

    def nearest(self, unit: Unit, others: list[Unit]) -> tuple[Unit, Near] | None:
        """The nearest of some units, the first of equals; far ones are ruled out by their circles alone."""
        field, body = self.field, unit.body
        ranked = sorted(
            [(field.circle_gap(body, other.body), index, other) for index, other in enumerate(others)],
            key=lambda item: item[:2],
        )
        best: tuple[Unit, Near] | None = None
        for least, _, other in ranked:
            if best is not None and least >= best[1].gap:
                break
            near = field.gaps[body, other.body]
            if best is None or near.gap < best[1].gap:
                best = other, near
        return best

    def within(self, unit: Unit, others: list[Unit], cm: float) -> list[Unit]:
        """Those of some units whose nearest figures are at most `cm` away."""
        field, body = self.field, unit.body
        return [o for o in others if field.circle_gap(body, o.body) <= cm and field.gaps[body, o.body].gap <= cm]

    def bodies_in(self, box: Bounds) -> list[Body]:
        """The bodies of units that reach into a rectangle."""
        west, south, east, north = box
        return [
            body
            for side in self.order
            for body in self.standing(side).bodies
            if (b := body.box)[0] <= east and b[2] >= west and b[1] <= north and b[3] >= south
        ]

    def enemies_within(self, unit: Unit, cm: float) -> list[Unit]:
        """The enemies whose nearest figures are at most `cm` from those of a unit."""
        enemies = self.standing(self.enemy(unit.spec.side))
        return [self.units[enemies.names[k]] for k in enemies.within(unit.body, cm)]

    def nearest_enemy(self, unit: Unit) -> tuple[Unit, Near] | None:
        """The nearest enemy on the table, seen or not."""
        enemies = self.standing(self.enemy(unit.spec.side))
        found = enemies.nearest(unit.body)
        return (self.units[enemies.names[found[0]]], found[1]) if found is not None else None

    def touching(self, unit: Unit) -> list[Unit]:
        """The enemies in base contact with a unit (RSK-005)."""
        return self.enemies_within(unit, self.book.lengths["contact"])

    def groups_near(self, leader: Unit) -> list[tuple[Unit, float]]:
        """The groups of his side within 5 cm of a leader, each with its gap, nearest first (RSK-048)."""
        own = self.standing(leader.spec.side)
        near = own.groups_beside(leader.body, self.book.lengths["with_group"])
        return [(self.units[own.names[k]], gap) for k, gap in near]

    def host(self, leader: Unit) -> Unit | None:
        """The group to which a leader belongs: the nearest of his side within 5 cm (RSK-048)."""
        near = self.groups_near(leader)
        if not near:
            return None
        tied = [group for group, gap in near if gap == near[0][1]]
        return next((group for group in tied if group.spec.id == leader.joins), tied[0])

    def is_a_unit(self, unit: Unit) -> bool:
        """Whether a unit is one by itself: a group, or a leader with no group within 5 cm (RSK-007, RSK-048)."""
        return not unit.spec.leader or not self.groups_near(unit)

    def leaders_with(self, unit: Unit) -> list[Unit]:
        """The leaders who belong to a group now (RSK-048)."""
        own = self.standing(unit.spec.side)
        close = own.leaders_near(unit.body, self.book.lengths["with_group"])
        leaders = [self.units[own.names[k]] for k in close]
        return [leader for leader in leaders if self.host(leader) is unit]

    def is_commander(self, unit: Unit) -> bool:
        """Whether a leader is a Player Character (RSK-018)."""
        return unit.spec.id in self.commanders

    def held_by(self, unit: Unit) -> int:
        """Prisoners that a unit holds."""
        return sum(body.count for body in self.captives if body.captor == unit.spec.id)

    def remove(self, unit: Unit, why: str) -> None:
        """Take a unit out of play for good: killed, captured, left (over an edge), fled or merged."""
        unit.body, unit.hurt, unit.armed = Body((), unit.body.radius), (), ()
        self.gone[unit.spec.id] = why
        self.seen -= {unit.spec.id}
        self.known.pop(unit.spec.id, None)
