"""The state of a battle: figures on their roster lines, units with their cards, guns, conveyances, things, decks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from zareba.chance import Deck
from zareba.space import Point
from zareba.state import Marked, Record, record, shared
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.field import Field
from zareba_rulesets.paychest.ways import Ways

__all__ = ["Battle", "Box", "Engine", "Figure", "FigureSpec", "Goal", "Lying", "Standing", "Thing", "Unit", "UnitSpec"]

Box = tuple[float, float, float, float]

# Marks on a figure by how long they last: till its own next activation, during one activation, for the game. In the
# game marks: lame (cannot walk, PAY-120), recovered (knocked out before, PAY-124), promoted (PAY-038).
FIGURE_MARKS_TO_ACTIVATION = frozenset({"back turned", "down", "ran"})
FIGURE_MARKS_OF_ACTIVATION = frozenset({"served", "fought", "held"})
UNIT_MARKS_OF_TURN = frozenset({"acted", "skip"})
UNIT_MARKS_OF_ACTIVATION = frozenset({"rallied", "no move", "no fire", "clearing", "idle"})

NOWHERE: Box = (0.0, 0.0, -1.0, -1.0)


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A roster line as it stands before the battle (PAY-011, PAY-016); one man, one base, one stand (PAY-006).

    `mount`: horse, camel or "" on foot.
    """

    id: str
    unit: str
    name: str
    profile: str
    kind: str
    rank: str
    firearms: int
    melee: int
    shots: int
    weapons: tuple[str, ...]
    mount: str = ""


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """What does not change about a unit: its side, its kind for morale (PAY-014), its figures (PAY-029)."""

    id: str
    name: str
    side: str
    kind: str
    figures: tuple[str, ...]
    legion: bool = False
    attached_to: str = ""

    @property
    def single(self) -> bool:
        """A unit of one: its roster held one figure when it came on (PAY-135, PAY-170)."""
        return len(self.figures) == 1


@record
class Figure(Marked):
    """One man as he stands. `at` None: not on the table. `fate`: able, unconscious, dead, off (driven off), left.

    `wounds` are results of casualty cards in order (PAY-118); `shots` those of this activation; `loads` what he
    carries or leads, ids of things or figures; `brave` his deeds.
    """

    at: Point | None
    fate: str
    gait: str
    weapons: tuple[str, ...]
    rank: str
    mount: str = ""
    marks: frozenset[str] = frozenset()
    wounds: tuple[str, ...] = ()
    shots: int = 0
    loads: tuple[str, ...] = ()
    aboard: str = ""
    brave: int = 0
    appearances: int = 0
    spec: FigureSpec = shared(default=None)

    @property
    def able(self) -> bool:
        """On the table, alive and conscious."""
        return self.fate == "able" and self.at is not None

    @property
    def walks(self) -> bool:
        """Able, and moves by himself: on his legs, or in the saddle (PAY-077, PAY-078)."""
        return self.fate == "able" and self.at is not None and ("lame" not in self.marks or self.mount != "")


class Standing(NamedTuple):
    """How the figures of a unit stand, in roster order, found out once after each move or loss.

    `able`: on the table, alive and conscious. `bases`: centre, id and figure of those among them who stand on the ground
    itself. `fallen`: those out of action, or able and lame, who lie on the ground.
    """

    figures: dict[str, Figure]
    able: list[Figure]
    bases: list[tuple[float, float, str, Figure]]
    fallen: list[Figure]


def _standing(figures: dict[str, Figure]) -> Standing:
    able, bases, fallen = [], [], []
    for key, figure in figures.items():
        at = figure.at
        if at is None:
            continue
        if figure.fate == "able":
            able.append(figure)
            if not figure.aboard:
                bases.append((at[0], at[1], key, figure))
                if "lame" in figure.marks:
                    fallen.append(figure)
        elif not figure.aboard:
            fallen.append(figure)
    return Standing(figures, able, bases, fallen)


@record
class Unit(Marked):
    """A unit as it stands. `hits` of this turn (PAY-127); `lost` leaders already lost (PAY-132).

    `pending` a forced move for its next activation, `rout` a rout that runs, each a result with its row (PAY-169).
    `box` bounds the centres of its able figures; `shot_at` what its last volley of this activation was aimed at.
    """

    figures: dict[str, Figure]
    leader: str
    hits: int = 0
    lost: tuple[str, ...] = ()
    pending: str = ""
    pending_row: int = 9
    rout: str = ""
    rout_row: int = 9
    marks: frozenset[str] = frozenset()
    box: Box = NOWHERE
    shot_at: str = ""
    spec: UnitSpec = shared(default=None)
    known: Standing | None = shared(default=None)

    @property
    def standing(self) -> Standing:
        """How its figures stand, as of the last `measure`; a copy of the unit finds out for itself."""
        known = self.known
        if known is None or known.figures is not self.figures:
            known = self.known = _standing(self.figures)
        return known

    @property
    def able(self) -> list[Figure]:
        """The able figures in roster order."""
        return self.standing.able

    def measure(self) -> None:
        """Bring `box` and `standing` up to date; after every move, loss and change of mount or seat."""
        self.known = None
        spots = [f.at for f in self.figures.values() if f.fate == "able" and f.at is not None]
        if not spots:
            self.box = NOWHERE
            return
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        self.box = (min(xs), min(ys), max(xs), max(ys))


@record
class Engine(Record):
    """A gun, machine gun, conveyance or flyer. `carrier`: the conveyance that a gun stands on.

    `mount`: carriage, emplacement, conveyance or flyer (PAY-083); `aboard` figures riding on a conveyance, its driver
    first; `altitude` of a flyer in steps (PAY-082); `first_ones` first dice that showed 1 this activation (PAY-175); `team`: it has
    draught animals and can be limbered (PAY-084).
    """

    kind: str
    name: str
    side: str
    unit: str
    at: Point | None
    mount: str = "carriage"
    carrier: str = ""
    limbered: bool = False
    moved: str = "halt"
    jammed: bool = False
    shots: int = 0
    first_ones: int = 0
    team: bool = False
    aboard: tuple[str, ...] = ()
    altitude: int = 0


@dataclass(frozen=True)
class Goal:
    """One objective as a place to go: a point, a thing to fetch, a leader to take, an edge to leave by, men to beat.

    `due`: the turn at whose end it counts, 0 if at any time.
    """

    id: str
    kind: str
    sides: tuple[str, ...]
    points: int
    at: Point | None = None
    radius: float = 0.0
    thing: str = ""
    leader: str = ""
    edge: str = ""
    units: tuple[str, ...] = ()
    due: int = 0


@record
class Thing(Record):
    """Something to be carried or led: paychest, box, light load, mount, weapon. `carrier` a figure; `taken_by` a side.

    `heavy` halves movement (PAY-072); `edge` is the one it went over.
    """

    kind: str
    name: str
    side: str
    at: Point | None
    heavy: bool = False
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""
    goal: str = ""


class Lying(NamedTuple):
    """A thing that lies or stands on the ground: its place, its id, what it is, and the name by which it goes."""

    x: float
    y: float
    id: str
    kind: str
    name: str


@record
class Battle(Record):
    """The whole state. `turn`, `stage` and `acting` are the cursor of the sequence of play; `drawn` counts cards.

    `cards` is the turn deck, `casualties` the casualty deck (PAY-010); `order` the units as their cards came up.
    `waiting`: units still to be set up. `arrivals`: units to come and the turn from which they may; `returning`:
    units that form again (PAY-197). `commanders`: side -> figure (PAY-031). `deeds`: side -> turn of the last deed noted by hand;
    `carried`: carrier and friend -> inches, all told (PAY-044); `exits`: figure -> edge by which it left; `orders`: unit ->
    the point of its newest order (PAY-033).
    """

    turn: int
    stage: str
    acting: str
    drawn: int
    over: bool
    ending: str
    winner: str
    units: dict[str, Unit]
    engines: dict[str, Engine]
    things: dict[str, Thing]
    cards: Deck
    casualties: Deck
    order: list[str]
    waiting: list[str]
    arrivals: dict[str, int]
    returning: list[str]
    commanders: dict[str, str]
    deeds: dict[str, int]
    achieved: dict[str, str]
    exits: dict[str, str] = field(default_factory=dict)
    carried: dict[str, float] = field(default_factory=dict)
    orders: dict[str, Point] = field(default_factory=dict)
    book: PaychestBook = shared(default=None)
    field: Field = shared(default=None)
    ways: Ways = shared(default=None)
    goals: tuple[Goal, ...] = shared(default=())
    found: tuple[Lying, ...] | None = shared(default=None)

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    def figure(self, figure_id: str) -> Figure:
        """A figure by its id, which is its unit's id, a point and its place on the roster."""
        return self.units[figure_id.rpartition(".")[0]].figures[figure_id]

    def unit_of(self, figure: Figure) -> Unit:
        return self.units[figure.spec.unit]

    def side_of(self, figure: Figure) -> str:
        return self.units[figure.spec.unit].spec.side

    def side_units(self, side: str) -> Iterator[Unit]:
        """The units of a side with able figures on the table, in roster order."""
        return (u for u in self.units.values() if u.spec.side == side and u.box[2] >= 0)

    def enemies(self, side: str) -> Iterator[Unit]:
        """The units of all other sides with able figures on the table, in roster order."""
        return (u for u in self.units.values() if u.spec.side != side and u.box[2] >= 0)

    def is_leader(self, figure: Figure) -> bool:
        """A leader figure: officer, NCO, acting corporal, chief, leader or sub-leader (PAY-092, PAY-093)."""
        return figure.rank in self.book.leader_ranks

    def radius(self, figure: Figure) -> float:
        """Half the width of a figure's base (PAY-007)."""
        return self.book.bases["mounted" if figure.mount else "foot"]

    def engine_radius(self, engine: Engine) -> float:
        return self.book.bases["gun" if engine.kind in ("gun", "machine_gun") else "conveyance"]

    def add_thing(self, name: str, thing: Thing) -> str:
        """Put a thing into the battle under this name, numbered if there is one already; returns its id."""
        number, thing_id = 1, name
        while thing_id in self.things:
            number += 1
            thing_id = f"{name} {number}"
        self.things[thing_id] = thing
        self.found = None
        return thing_id

    def change_thing(self, thing_id: str) -> Thing:
        """A thing to be written to."""
        self.found = None
        return self.things[thing_id]

    def remove_thing(self, thing_id: str) -> None:
        """Take a thing out of the battle: a mount that is ridden, a weapon that is in hand."""
        self.found = None
        del self.things[thing_id]

    @property
    def lying(self) -> tuple[Lying, ...]:
        """The things that nobody carries, found out once after each change of a thing."""
        if self.found is None:
            self.found = tuple(
                Lying(*thing.at, key, thing.kind, thing.name)
                for key, thing in self.things.items()
                if thing.at is not None and not thing.carrier
            )
        return self.found

    def onto_table(self, point: Point) -> Point:
        """The nearest point of the table."""
        width, depth = self.field.table.extent
        return min(max(point[0], 0.0), width), min(max(point[1], 0.0), depth)

    def guns_of(self, unit: Unit) -> list[str]:
        """The guns and machine guns that a unit serves."""
        own = unit.spec.id
        return [k for k, e in self.engines.items() if e.unit == own and e.kind in ("gun", "machine_gun")]

    def conveyance_of(self, unit: Unit) -> str:
        """The conveyance or flyer that a figure of this unit drives; "" without one."""
        for key, engine in self.engines.items():
            if engine.aboard and engine.aboard[0] in unit.figures:
                return key
        return ""
