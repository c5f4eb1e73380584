"""Figures with their roster lines, units with their cards (PAY-006, PAY-011, PAY-029), and things to carry or lead."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from operator import attrgetter
from typing import NamedTuple

from zareba.base.state import Record, WithMarks, record, shared
from zareba.space import Point
from zareba.space.field.bodies import Base, Crowd
from zareba.space.geometry import middle_of
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.ground import Shelter

Box = tuple[float, float, float, float]

# Marks on a figure by duration. Until its next activation: back turned, down, ran. For the game: lame (cannot walk,
# PAY-120), recovered (was unconscious before, PAY-124). During one activation:
FIGURE_MARKS_OF_ACTIVATION = frozenset({"served", "clearing", "held", "mounted"})
UNIT_MARKS_OF_TURN = frozenset({"acted", "skip"})
UNIT_MARKS_OF_ACTIVATION = frozenset({"no move", "no fire", "idle"})

NO_ROW = 9
"""The row of a unit without a pending order or rout. It is beyond the best row of the second morale table, so that
every result of a morale roll counts as worse (PAY-169).
"""
NOWHERE: Box = (0.0, 0.0, -1.0, -1.0)


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A roster line as it is before the battle (PAY-011, PAY-016). One figure is one man on one base (PAY-006).

    `mount` is horse, camel or pack, or "" on foot.
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
    """The fixed facts of a unit: its side, its kind for morale (PAY-014) and its figures (PAY-029)."""

    id: str
    name: str
    side: str
    kind: str
    figures: tuple[str, ...]
    legion: bool = False

    @property
    def single(self) -> bool:
        """True for a unit of one: its roster held one figure when it came on (PAY-135, PAY-170)."""
        return len(self.figures) == 1


@record
class Figure(WithMarks):
    """The present state of one figure.

    `at` is None off the table. `fate` is able, unconscious, dead, off (driven off) or left. `wounds` lists the results
    of casualty cards in order (PAY-118). `shots` counts those fired in this activation. `loads` holds the ids of
    things and figures that it carries or leads. `brave` counts its deeds.
    """

    at: Point | None
    fate: str
    gait: Gait
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
        """True for a figure that is on the table, alive and conscious."""
        return self.fate == "able" and self.at is not None

    @property
    def has_no_arms(self) -> bool:
        """True if both arms are smashed: the figure cannot fire, fight, carry or serve a gun (PAY-121)."""
        return self.wounds.count("smashed_arm") > 1

    @property
    def can_walk(self) -> bool:
        """True for an able figure that can move unaided, on foot or mounted (PAY-077, PAY-078)."""
        return self.fate == "able" and self.at is not None and ("lame" not in self.marks or self.mount != "")


@dataclass(slots=True, eq=False)
class UnitPositions:
    """The positions of a unit's figures in roster order, computed once after each move or loss.

    `able` figures are on the table, alive and conscious. `on_ground` holds the centre, id and figure of those on the
    ground, not aboard. `fallen` are figures on the ground that are out of action, or lame and on foot. `middle` is the
    mean position of the figures that can walk, or of all able figures if none can.

    The other fields are computed on first use: `bases`, those on the ground with their radii, and `crowd`, the same in
    squares; `seen`, the able figures in sight and range of some muzzles; `groups`, the target groups among the able;
    `sheltered`, the cover that terrain gives each figure; `threat`, the value of the unit's fire at the halt by range,
    for AI players.
    """

    figures: dict[str, Figure]
    able: list[Figure]
    on_ground: list[tuple[float, float, str, Figure]]
    fallen: list[Figure]
    middle: Point
    bases: list[Base] | None = None
    crowd: Crowd | None = None
    seen: dict[frozenset[tuple[Point, float, float]], list[Figure]] = field(default_factory=dict)
    groups: list[list[Figure]] | None = None
    sheltered: dict[str, tuple[Shelter, ...]] | None = None
    threat: tuple[tuple[float, ...], tuple[float, ...]] | None = None


def _positions_of(figures: dict[str, Figure]) -> UnitPositions:
    """Compute the positions of a unit's figures."""
    able, on_ground, fallen, walking = [], [], [], []
    for key, figure in figures.items():
        at = figure.at
        if at is None:
            continue
        if figure.fate == "able":
            able.append(figure)
            if not figure.aboard:
                on_ground.append((at[0], at[1], key, figure))
                if "lame" in figure.marks and not figure.mount:
                    fallen.append(figure)
                else:
                    walking.append(at)
        elif not figure.aboard:
            fallen.append(figure)
    spots = walking or [f.at for f in able if f.at is not None]
    return UnitPositions(figures, able, on_ground, fallen, middle_of(spots) if spots else (0.0, 0.0))


@record
class Unit(WithMarks):
    """The present state of a unit.

    `hits` counts those of this turn (PAY-127). `lost` lists leaders already lost (PAY-132). `pending` is a forced move
    for the next activation, `rout` a rout in progress, each a result with its row (PAY-169). `box` bounds the centres
    of the able figures. `shot_at` is the target of the last volley of this activation, `aimed` the leaders that have
    fired, each with the unit or stretch fired at (PAY-102), `volleys` the number of volleys by the group.
    """

    figures: dict[str, Figure]
    leader: str
    hits: int = 0
    lost: tuple[str, ...] = ()
    pending: str = ""
    pending_row: int = NO_ROW
    rout: str = ""
    rout_row: int = NO_ROW
    marks: frozenset[str] = frozenset()
    box: Box = NOWHERE
    shot_at: str = ""
    aimed: tuple[tuple[str, str], ...] = ()
    volleys: int = 0
    spec: UnitSpec = shared(default=None)
    cached_positions: UnitPositions | None = shared(default=None)

    @property
    def positions(self) -> UnitPositions:
        """The positions of the figures as of the last `measure`. A copy of the unit computes them again."""
        positions = self.cached_positions
        if positions is None or positions.figures is not self.figures:
            positions = self.cached_positions = _positions_of(self.figures)
        return positions

    @property
    def able(self) -> list[Figure]:
        """The able figures in roster order."""
        positions = self.cached_positions
        if positions is None or positions.figures is not self.figures:
            positions = self.cached_positions = _positions_of(self.figures)
        return positions.able

    @property
    def has_able_figures(self) -> bool:
        """True if the unit has able figures on the table, as of the last `measure`."""
        _, _, east, _ = self.box
        return east >= 0  # the east side of `NOWHERE` is negative

    def clear_pending(self) -> None:
        """Forget the forced move of the next activation."""
        self.pending, self.pending_row = "", NO_ROW

    def clear_rout(self) -> None:
        """End a rout."""
        self.rout, self.rout_row = "", NO_ROW

    def measure(self) -> None:
        """Update `box` and `positions`. Call this after every move, loss and change of mount or seat."""
        self.cached_positions = None
        spots = [f.at for f in self.figures.values() if f.fate == "able" and f.at is not None]
        if not spots:
            self.box = NOWHERE
            return
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        self.box = (min(xs), min(ys), max(xs), max(ys))


# --- Things that can be carried or led, with an index of those on the ground ------------------------------------------


_MOST_MOVED = 12
"""The number of changed things from which it is cheaper to rebuild an index."""


@record
class Thing(Record):
    """A thing to carry or lead: paychest, box, light load, mount or weapon.

    `heavy` things halve movement (PAY-072). `carrier` is a figure, `taken_by` the side that took it over the table
    `edge`.
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


class LyingThing(NamedTuple):
    """A thing on the ground: its position, its place in the list of all things, and its id."""

    x: float
    y: float
    place: int
    id: str


class ThingIndex(NamedTuple):
    """An index of the things on the ground: weapons and other things, each sorted from west to east. `order` holds the
    place of every thing in the list of all things.

    The battle reports every thing it changes with `after`. Those in `moved` are checked one by one, because their
    entries here are out of date.
    """

    weapons: list[LyingThing]
    others: list[LyingThing]
    order: dict[str, int]
    moved: tuple[str, ...] = ()

    def after(self, thing_id: str) -> ThingIndex | None:
        """Return the index after a thing was changed or added, or None if it is cheaper to rebuild it."""
        if len(self.moved) >= _MOST_MOVED:
            return None
        if thing_id in self.moved:
            return self
        return ThingIndex(self.weapons, self.others, self.order, (*self.moved, thing_id))

    def near(self, things: Mapping[str, Thing], box: Box, *, weapons: bool) -> list[LyingThing]:
        """Return the things on the ground in a rectangle, in the order of the list of all things."""
        west, south, east, north = box
        lying_things = _in_rectangle(self.others, box)
        if weapons:
            lying_things += _in_rectangle(self.weapons, box)
        moved = self.moved
        if moved:
            lying_things = [thing for thing in lying_things if thing.id not in moved]
            last = len(self.order)
            for number, thing_id in enumerate(moved):
                thing = things[thing_id]
                at = thing.at
                if at is None or thing.carrier or (thing.kind == "weapon" and not weapons):
                    continue
                if west <= at[0] <= east and south <= at[1] <= north:
                    lying_things.append(LyingThing(*at, self.order.get(thing_id, last + number), thing_id))
        lying_things.sort(key=attrgetter("place"))
        return lying_things


def _in_rectangle(things_on_ground: list[LyingThing], box: Box) -> list[LyingThing]:
    """Return the entries in a rectangle, from a list sorted from west to east."""
    west, south, east, north = box
    first, last = bisect_left(things_on_ground, (west,)), bisect_right(things_on_ground, (east, inf))
    return [thing for thing in things_on_ground[first:last] if south <= thing.y <= north]


def index_things(things: Mapping[str, Thing]) -> ThingIndex:
    """Return an index of all things that lie on the ground."""
    index_of_things = ThingIndex([], [], {})
    for index, (thing_id, thing) in enumerate(things.items()):
        index_of_things.order[thing_id] = index
        at = thing.at
        if at is not None and not thing.carrier:
            lying = LyingThing(*at, index, thing_id)
            (index_of_things.weapons if thing.kind == "weapon" else index_of_things.others).append(lying)
    index_of_things.weapons.sort()
    index_of_things.others.sort()
    return index_of_things
