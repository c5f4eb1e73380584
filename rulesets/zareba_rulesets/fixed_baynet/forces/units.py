"""Men, riders and guns, and the units that they form, as they stand."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.base.exact import hypot
from zareba.base.state import Record, WithMarks, WithSpec, record, shared
from zareba.space.bearings import angle_between, bearing
from zareba.space.geometry import Point, middle_of

__all__ = ["Box", "Figure", "FigureSpec", "Gun", "Placed", "Unit", "UnitSpec", "gap"]

Box = tuple[float, float, float, float]
NOWHERE: Box = (1e9, 1e9, -1e9, -1e9)


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """What does not change about a figure (FBN-018 to FBN-030).

    `role` is soldier, nco, officer, hero, medic, crew or civilian; `table` european or native; `column` of the panic
    table; `weapon` a row of Table 4-C or "none"; `close`: he has a close-combat weapon; `crew`: he is one of the crew of
    a piece, as a leader among the gunners is, too (FBN-201).
    """

    id: str
    name: str
    side: str
    role: str
    table: str
    column: str
    cs: int
    ds: int
    sp: int
    ac: int
    gl: int
    weapon: str = "none"
    spare: str = "none"
    close: bool = False
    crew: bool = False
    rides: bool = False
    bearer: bool = False
    sniper: bool = False
    flares: int = 0
    leader_id: str = ""

    @property
    def leads(self) -> bool:
        """Officer, NCO or hero (FBN-123, FBN-140)."""
        return self.role in ("officer", "nco", "hero")


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """What does not change about a unit: its name, side, kind (squad, battery, machine_gun, independent), source.

    `source` is the unit or leader of the scenario; `table`, `drilled` decide who may form square (FBN-060).
    """

    id: str
    name: str
    side: str
    kind: str
    source: str
    table: str = "european"
    drilled: bool = False


class Placed:
    """What stands or lies at a point of the table, in inches."""

    __slots__ = ()
    x: float
    y: float

    @property
    def at(self) -> Point:
        """Where it is."""
        return self.x, self.y


@record
class Figure(Placed, WithMarks):
    """A man, or a rider with his horse. Positions in inches; `z` is the height of the ground and floor under him.

    `gl` is his current GL, 7 or more in panic; `reaction` and `since` his panic and the turn in which it began;
    `place` the section of a building he is in and `post` the opening he is at (FBN-275); `spent` AC of this turn that
    went into answers (FBN-098); `moves` AC spent on movement, `attacks` shots and blows of this activation; gaits are
    0 to 3 (FBN-173); `dropped` the turn in which he lay down (FBN-053).
    """

    x: float
    y: float
    z: float
    facing: float
    gl: int
    weapon: str
    ac: int = 0
    wounds: int = 1
    mounted: bool = False
    marks: frozenset[str] = frozenset()
    locations: frozenset[str] = frozenset()
    reaction: str = ""
    since: int = 0
    place: str = ""
    post: str = ""
    spent: int = 0
    moves: int = 0
    attacks: int = 0
    gait: int = 0
    last_gait: int = 0
    dropped: int = 0
    flares: int = 0
    spec: FigureSpec = shared(default=None)

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def prone(self) -> bool:
        return "prone" in self.marks

    @property
    def steady(self) -> bool:
        """In play and under no panic reaction (FBN-269)."""
        return not self.reaction

    @property
    def able(self) -> bool:
        """Steady and not stunned (FBN-269, FBN-131)."""
        return not self.reaction and "stunned" not in self.marks

    def turned_from(self, point: tuple[float, float]) -> float:
        """Degrees between his facing and a point, 0 to 180."""
        return 0.0 if point == self.at else angle_between(self.facing, bearing(self.at, point))

    def leave_horse(self) -> None:
        """He is on foot; his horse stays where it is as a marker (FBN-186, FBN-187)."""
        self.mounted = False
        self.mark(f"horse {self.x:.2f} {self.y:.2f}")


@record
class Gun(Placed, Record):
    """A piece of artillery or a machine gun (FBN-204): `bearing` of its barrel, AC left, and what it has done.

    `team`: horses or mules with it, `gait` and `last_gait` those at which it was drawn (FBN-207). `jam` is "", "clear" (it has rolled this turn) or "jammed"; `jammed_in`
    the turn of the jam; `salvos` fired this turn. A plot is a point, a guess in inches and its turn (FBN-227).
    `taken_by`: the side that captured it (FBN-122). `odd`: a rocket, which always strays.
    """

    kind: str
    x: float
    y: float
    z: float
    bearing: float
    wounds: int
    ac: int = 0
    saved: int = 0
    team: int = 0
    jam: str = ""
    jammed_in: int = 0
    salvos: int = 0
    moved: bool = False
    gait: int = 0
    last_gait: int = 0
    plot: tuple[float, ...] = ()
    taken_by: str = ""
    odd: bool = False
    shells: bool = True
    solid: bool = True

    @property
    def in_play(self) -> bool:
        return self.wounds > 0 and not self.taken_by


@record
class Unit(WithSpec):
    """A unit as it stands; `figures` are those in play. `box` is the rectangle round their centres and guns.

    `start`: figures at the start (FBN-141). `events` of this turn by kind (FBN-146). `shot_turn`: the last turn in
    which it was shot at, `shot_run` for how many turns running (FBN-144). `back`: a fall back is due (FBN-160).
    """

    formation: str
    start: int
    figures: dict[str, Figure]
    guns: list[Gun]
    marks: frozenset[str] = frozenset()
    events: tuple[str, ...] = ()
    shot_turn: int = -1
    shot_run: int = 0
    back: bool = False
    box: Box = NOWHERE
    dealt: int = 0
    lost: int = 0
    spec: UnitSpec = shared(default=None)

    @property
    def on_table(self) -> bool:
        return bool(self.figures) and "away" not in self.marks

    @property
    def shape(self) -> str:
        """The formation that counts: an unformed unit is in open order (FBN-272); so is a single man (FBN-062).

        Men in panic are not of it, so that one man who is left steady is single (FBN-064).
        """
        if self.formation == "open" or "unformed" in self.marks:
            return "open"
        return self.formation if len(self.steady) > 1 else "open"

    def shape_of(self, figure: Figure) -> str:
        """The formation that counts for one of its figures: who panics no longer belongs to it (FBN-064, FBN-171)."""
        return "open" if figure.reaction else self.shape

    @property
    def steady(self) -> list[Figure]:
        """Its steady figures (FBN-269)."""
        return [figure for figure in self.figures.values() if not figure.reaction]

    def measure(self) -> None:
        """Set the box anew after figures or guns have moved, come or gone."""
        figures = self.figures.values()
        xs, ys = [figure.x for figure in figures], [figure.y for figure in figures]
        for gun in self.guns:
            if gun.wounds > 0:
                xs.append(gun.x)
                ys.append(gun.y)
        self.box = (min(xs), min(ys), max(xs), max(ys)) if xs and "away" not in self.marks else NOWHERE

    @property
    def middle(self) -> tuple[float, float]:
        """The mean point of its figures."""
        return middle_of([figure.at for figure in self.figures.values()])


def gap(a: Figure, b: Figure, radii: dict[str, float]) -> float:
    """The distance between the edges of two bases (FBN-005), 0 when they touch."""
    between = hypot(a.x - b.x, a.y - b.y)
    between -= radii["mounted" if a.mounted else "foot"] + radii["mounted" if b.mounted else "foot"]
    return between if between > 0 else 0.0
