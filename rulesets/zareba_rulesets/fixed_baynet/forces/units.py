"""Figures, guns and units: their fixed characteristics and their current state."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.base.state import Record, WithMarks, WithSpec, if_set, record, shared
from zareba.space.bearings import angle_between, bearing
from zareba.space.geometry import Point, middle_of

Box = tuple[float, float, float, float]
NOWHERE: Box = (1e9, 1e9, -1e9, -1e9)


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """The fixed characteristics of a figure (FBN-018 to FBN-030).

    `role` is soldier, nco, officer, hero, medic, crew or civilian. `table` is european or native. `column` is the
    column of the panic table. `weapon` is a row of Table 4-C or "none". `close` is True if the figure has a
    close-combat weapon. `crew` is True for every member of a gun crew, including a leader among the gunners (FBN-201).
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
        """True for an officer, NCO or hero (FBN-123, FBN-140)."""
        return self.role in ("officer", "nco", "hero")


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """The fixed characteristics of a unit: name, side, kind (squad, battery, machine_gun, independent) and source.

    `source` is the unit or leader of the scenario. `table` and `drilled` decide whether the unit may form square
    (FBN-060).
    """

    id: str
    name: str
    side: str
    kind: str
    source: str
    table: str = "european"
    drilled: bool = False


class Placed:
    """Base class of everything with a position on the table, in inches."""

    __slots__ = ()
    x: float
    y: float

    @property
    def at(self) -> Point:
        """The position."""
        return self.x, self.y


@record
class Figure(Placed, WithMarks):
    """A man, or a rider with his horse. Positions are in inches; `z` is the height of the ground or floor under him.

    `gl` is the current GL, 7 or more in panic. `reaction` and `since` are his panic reaction and the turn in which it
    began. `place` is the building section he is in and `post` the opening he is at (FBN-275). `spent` counts the AC of
    this turn that went into counter-attacks (FBN-098), and `owed` those of the next turn: fire out of turn after his
    own activation. `moves` counts AC spent on movement, and `attacks` the shots and blows of this activation. Gaits run
    from 0 to 3 (FBN-173). `dropped` is the turn in which he lay down (FBN-053).
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
    owed: int = if_set(default=0)
    spec: FigureSpec = shared(default=None)

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def prone(self) -> bool:
        """True if the figure lies down (FBN-052)."""
        return "prone" in self.marks

    @property
    def steady(self) -> bool:
        """True if the figure is in play and under no panic reaction (FBN-269)."""
        return not self.reaction

    @property
    def able(self) -> bool:
        """True if the figure is steady and not stunned (FBN-269, FBN-131)."""
        return not self.reaction and "stunned" not in self.marks

    def turned_from(self, point: tuple[float, float]) -> float:
        """Return the angle between the figure's facing and a point, from 0 to 180 degrees."""
        return 0.0 if point == self.at else angle_between(self.facing, bearing(self.at, point))

    def leave_horse(self) -> None:
        """Put the figure on foot. The horse stays behind as a marker (FBN-186, FBN-187)."""
        self.mounted = False
        self.mark(f"horse {self.x:.2f} {self.y:.2f}")


@record
class Gun(Placed, Record):
    """A gun or machine gun (FBN-204): its position, the `bearing` of its barrel, and its state.

    `team` is the number of draught animals; `gait` and `last_gait` are the gaits at which it was drawn (FBN-207).
    `jam` is "", "clear" (rolled this turn) or "jammed", and `jammed_in` is the turn of the jam. `salvos` counts the
    salvos of this turn. `plot` is a point, a guess in inches and the turn (FBN-227). `taken_by` is the side that
    captured the gun (FBN-122). `odd` marks a rocket, which always deviates.
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
        """True if the gun is neither destroyed nor captured (FBN-122, FBN-204)."""
        return self.wounds > 0 and not self.taken_by

    @property
    def plot_point(self) -> Point:
        """The point of the plot; call it only if there is a plot (FBN-227)."""
        x, y, _, _ = self.plot
        return x, y

    @property
    def plot_turn(self) -> int:
        """The turn in which the plot was made; call it only if there is a plot (FBN-227)."""
        return int(self.plot[-1])


@record
class Unit(WithSpec):
    """The current state of a unit.

    `figures` are those in play; `box` is the bounding box of their centres and of the guns. `start` is the number of
    figures at the start (FBN-141). `events` are this turn's glory events by kind (FBN-146). `shot_turn` is the last
    turn in which the unit was shot at, and `shot_run` the number of such turns in a row (FBN-144). `back` is True if
    the unit has been ordered to fall back (FBN-160).
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
        """True if the unit has figures in play and has not left the table or still to arrive."""
        return bool(self.figures) and "away" not in self.marks

    @property
    def shape(self) -> str:
        """The formation that counts for the rules.

        An unformed unit is in open order (FBN-272), and so is a single man (FBN-062). Men in panic do not count, so
        one steady man among them is a single man (FBN-064).
        """
        if self.formation == "open" or "unformed" in self.marks:
            return "open"
        has_one = False
        for figure in self.figures.values():
            if not figure.reaction:
                if has_one:
                    return self.formation
                has_one = True
        return "open"

    def shape_of(self, figure: Figure) -> str:
        """Return the formation that counts for one figure.

        A figure in panic no longer belongs to the formation (FBN-064, FBN-171).
        """
        return "open" if figure.reaction else self.shape

    @property
    def steady(self) -> list[Figure]:
        """The steady figures (FBN-269)."""
        return [figure for figure in self.figures.values() if not figure.reaction]

    def measure(self) -> None:
        """Recompute the bounding box after figures or guns have moved, joined or left."""
        figures = self.figures.values()
        xs, ys = [figure.x for figure in figures], [figure.y for figure in figures]
        for gun in self.guns:
            if gun.wounds > 0:
                xs.append(gun.x)
                ys.append(gun.y)
        self.box = (min(xs), min(ys), max(xs), max(ys)) if xs and "away" not in self.marks else NOWHERE

    @property
    def middle(self) -> tuple[float, float]:
        """The mean position of the figures."""
        return middle_of([(figure.x, figure.y) for figure in self.figures.values()])
