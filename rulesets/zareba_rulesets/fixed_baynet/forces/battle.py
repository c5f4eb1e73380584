"""The state of a battle, the range bands of its weapons, and the free space on its table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from typing import NamedTuple

from zareba.base.state import CopyOnWrite, Record, Value, house_state, record, shared, stored_as
from zareba.base.tally import Tally
from zareba.battle.legal_actions import LegalActions
from zareba.game.activation import AlternateUnitsCursor
from zareba.renamed import RenamedAttribute, accept_old_arguments
from zareba.space.field.bodies import Base, Crowd, overlaps_any
from zareba.space.geometry import EPSILON, Point, box_gap
from zareba.space.moves import first_free, rings
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook, RangeLimits
from zareba_rulesets.fixed_baynet.book.tables import BANDS
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, FigureSpec, Gun, Placed, Unit, after_activation
from zareba_rulesets.fixed_baynet.ground import NO_RUINS, Field

# --- The state of a battle: units, buildings, scenario objects and the place in the sequence of play ------------------


def end_figure_activation(figure: Figure) -> None:
    """End a figure's part in an activation: unspent AC are lost (FBN-016)."""
    figure.ac = 0
    if figure.marks:
        figure.marks = after_activation(figure.marks)
        if "dazed" in figure.marks:
            figure.unmark("stunned", "dazed")  # FBN-131: stunned until the end of his next activation


@record
class Casualty(Placed, Record):
    """A marker where a man fell (FBN-091). `curable` is True if a medic can bring him back (FBN-138)."""

    figure: str
    unit: str
    x: float
    y: float
    curable: bool
    place: str = ""


@record
class Captive(Record):
    """A prisoner (FBN-112): his unit, the side `by` that took him, and the captor who escorts him."""

    figure: str
    unit: str
    by: str
    captor: str


@record
class Flare(Placed, Record):
    """Ground lit by a flare (FBN-238) until the end of turn `until`."""

    x: float
    y: float
    until: int


@record
class BuildingState(Record):
    """The state of a building: damage points left (FBN-249), open doors, and uses of openings this turn."""

    points: int
    open_doors: frozenset[str] = frozenset()
    used: dict[str, int] = field(default_factory=dict)


@record
class ScenarioObject(Placed, Record):
    """An object of the scenario: its position or the unit that carries it. `taken_by` is the side that carried it
    off.
    """

    x: float
    y: float
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""


@accept_old_arguments
@record
class Battle(AlternateUnitsCursor):
    """The whole game state, including the cursor of the sequence of play.

    `waiting` lists the units still to activate, or to set up during deployment. `calls` holds the barrages called this
    turn as side, battery and caller (FBN-037). `arrivals` gives the turn in which each unit still to come enters; it
    is negative for a reserve that has not been called. `gone` records how units left the table. `left` is the number
    of figures each unit started with. `brought` counts the figures that left over an edge named by the scenario.
    `passes` counts the players who have passed since the last activation (FBN-014). `menu` holds the legal actions of
    the current choice.
    """

    waiting: list[str]
    units: CopyOnWrite[str, Unit]
    fallen: tuple[Casualty, ...]
    captives: tuple[Captive, ...]
    calls: list[tuple[str, str, str]]
    flares: list[Flare]
    houses: CopyOnWrite[str, BuildingState]
    arrivals: dict[str, int]
    gone: dict[str, str]
    carried_objects: CopyOnWrite[str, ScenarioObject] = stored_as("prizes")
    achieved: dict[str, str]
    left: dict[str, int]
    brought: dict[str, int]
    night: bool = False
    fog: bool = False
    passes: int = 0
    own: dict[str, Value] = house_state(default_factory=dict)
    book: FbnBook = shared(default=None)
    field: Field = shared(default=None)
    specs: dict[str, FigureSpec] = shared(default=None)
    menu: LegalActions | None = shared(default=None)
    prizes = RenamedAttribute("battle", "carried_objects")

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    def change(self, unit: Unit) -> Unit:
        """Return the unit, with its figures and guns, ready to be modified.

        Copies of a battle share their units until one of them changes (`CopyOnWrite`). Call this before you write to a
        unit or its figures, and use the returned object: earlier references may be out of date.
        """
        return self.units.change(unit.spec.id)

    def copy_for_look_ahead(self, *keys: str) -> Battle:
        """Return a copy for look-ahead within a step: the named units are copied and all other data is shared."""
        units = CopyOnWrite(self.units)
        for key in keys:
            units[key] = self.units[key].copy()
        return replace(self, units=units)

    def conceal(self, hidden: AbstractSet[str]) -> None:
        """Remove every reference to hidden units, including the objects they carry and their prisoners."""
        self.waiting = [key for key in self.waiting if key not in hidden]
        self.active = "" if self.active in hidden else self.active
        self.carried_objects = CopyOnWrite(
            (name, carried_object)
            for name, carried_object in self.carried_objects.items()
            if carried_object.carrier not in hidden
        )
        self.captives = tuple(
            [held for held in self.captives if hidden.isdisjoint((held.unit, held.captor.rpartition("/")[0]))]
        )
        self.fallen = tuple([casualty for casualty in self.fallen if casualty.unit not in hidden])
        for known in (self.arrivals, self.gone):
            for name in known.keys() & hidden:
                del known[name]

    def is_waiting(self, side: str) -> bool:
        """Return True if the side still has a unit to activate, or to set up during deployment."""
        return any(self.units[unit].spec.side == side for unit in self.waiting)

    def on_table(self, side: str | None = None) -> Iterator[Unit]:
        """Yield the units with figures on the table, of one side or of all sides."""
        for unit in self.units.values():
            if unit.figures and "away" not in unit.marks and (side is None or unit.spec.side == side):
                yield unit

    def known_to(self, side: str) -> list[Unit]:
        """Return the units on the table that a side may know of: its own, and all others that are not hidden."""
        return [unit for unit in self.on_table() if unit.spec.side == side or "hidden" not in unit.marks]

    def enemies(self, side: str) -> list[Unit]:
        """Return the units of other sides on the table that `side` knows of."""
        return [
            unit
            for unit in self.units.values()
            if unit.figures and unit.spec.side != side and "away" not in unit.marks and "hidden" not in unit.marks
        ]

    def foes(self, unit: Unit) -> list[tuple[float, Unit]]:
        """Return the known enemies of a unit, each with the distance between the two units' bounding boxes."""
        return [(box_gap(unit.box, other.box), other) for other in self.enemies(unit.spec.side)]

    def unit_of(self, figure_id: str) -> Unit | None:
        """Return the unit that a figure belongs to, or None if the figure is out of play."""
        for unit in self.units.values():
            if figure_id in unit.figures:
                return unit
        return None

    def radius(self, figure: Figure) -> float:
        """Return the radius of the figure's base (FBN-005)."""
        return self.book.radii[figure.mounted]

    def counters_left(self, figure: Figure, seen: list[Tally] | None = None) -> int:
        """Return a man's AC for an activation (FBN-033) less the AC spent on counter-attacks (FBN-098).

        House rules are applied and the result is never negative. `seen` collects the modifier breakdown for "why?".
        """
        spec = figure.spec
        own: int = self.book.rules.number("counters", spec.ac, self, figure, seen=seen, of=spec.role)
        return max(0, own - figure.spent)

    def put(self, figure: Figure, x: float, y: float) -> None:
        """Put a figure on a spot. Call `measure` on its unit when all its figures have moved."""
        figure.x, figure.y = x, y
        figure.z = self.field.height((x, y)) + (self.field.floor_height(figure.place) if figure.place else 0.0)


# --- Unit summary -----------------------------------------------------------------------------------------------------
# A summary of a unit, computed once before its legal actions are listed: who can act, ride, is prone or is indoors.


_WITH_ORDERS = frozenset({"officer", "nco", "hero", "medic"})  # roles with special orders or acts (FBN-037, FBN-137)


class UnitSummary(NamedTuple):
    """`men` are able and have AC left. All fields except `all_ready` describe only these men.

    `leaders` are the leaders and medics. `riders` and `lying` are counts. `standing` is True if a man is on foot and
    not prone, and `got_down` if such a man is a dismounted rider with a mark. `crossed` is True if a man has gone
    through a door (FBN-244). `sp` is the highest speed. `all_ready` is True if every able man of the unit has AC left.
    """

    men: list[Figure]
    leaders: list[Figure]
    riders: int
    lying: int
    indoors: bool
    standing: bool
    got_down: bool
    crossed: bool
    sp: int
    all_ready: bool


def summarise_unit(unit: Unit) -> UnitSummary:
    """Return the summary of a unit."""
    men: list[Figure] = []
    leaders: list[Figure] = []
    riders = lying = sp = 0
    indoors = standing = got_down = crossed = False
    all_ready = True
    for figure in unit.figures.values():
        marks = figure.marks
        if figure.reaction or (marks and "stunned" in marks):
            continue
        if figure.ac < 1:
            all_ready = False
            continue
        men.append(figure)
        spec = figure.spec
        if spec.sp > sp:
            sp = spec.sp
        if spec.role in _WITH_ORDERS:
            leaders.append(figure)
        if figure.place:
            indoors = True
        if figure.mounted:
            riders += 1
        if not marks:
            standing = standing or not figure.mounted
            continue
        if "crossed" in marks:
            crossed = True
        if "prone" in marks:
            lying += 1
        elif not figure.mounted:
            standing, got_down = True, got_down or spec.rides
    return UnitSummary(men, leaders, riders, lying, indoors, standing, got_down, crossed, sp, all_ready)


# --- Range bands of firearms and guns (FBN-081, FBN-212), with house rules applied ------------------------------------


def limits_of(battle: Battle, figure: Figure) -> RangeLimits:
    """Return the range bands of a man's firearm with house rules applied; his wounds are not taken into account."""
    weapon, book = figure.weapon, battle.book
    bands = book.bands[weapon]
    return _apply_house_rules(battle, figure, weapon, bands) if book.has_range_lines else bands


def gun_limits(battle: Battle, unit: Unit, gun: Gun) -> RangeLimits:
    """Return the range bands of a gun (FBN-212) with house rules applied."""
    kind, book = gun.kind, battle.book
    bands = book.gun_bands[kind]
    return _apply_house_rules(battle, unit, kind, bands) if book.has_range_lines else bands


def _apply_house_rules(battle: Battle, firer: Figure | Unit, weapon: str, limits: RangeLimits) -> RangeLimits:
    """Return range bands as house rules change them; -1 for a band that is missing."""
    bands = [(band, limit) for band, limit in zip(BANDS, limits, strict=True) if limit >= 0]
    changed_limits = dict(battle.book.rules.ranges(tuple(bands), battle, firer, weapon))
    return RangeLimits(*[float(changed_limits.get(band, -1.0)) for band in BANDS])


def longest_range(battle: Battle, men: Iterable[Figure]) -> float:
    """Return the longest range among some men's firearms, ignoring wounds; 0 for an empty list."""
    return max([limits_of(battle, man).long for man in men], default=0.0)


# --- Free space: spots on the table where a base can stand (FBN-005, FBN-050) -----------------------------------------


BESIDE = (0, 30, -30, 60, -60, 90, -90, 15, -15, 45, -45, 75, -75)
"""Bearings, in degrees off the near side of a man, at which to look for room beside him.

Coarse steps come first, because they usually succeed.
"""


def ruins(battle: Battle) -> frozenset[str]:
    """Return the buildings that have been destroyed (FBN-250)."""
    return (
        frozenset([name for name, house in battle.houses.items() if house.points <= 0]) if battle.houses else NO_RUINS
    )


def open_ground(battle: Battle, x: float, y: float) -> bool:
    """Return True if a point is on the table and on open ground (FBN-065, FBN-072, FBN-075)."""
    field = battle.field
    if not (-EPSILON <= x <= field.width + EPSILON and -EPSILON <= y <= field.depth + EPSILON):
        return False
    if field.impassable.is_open(x, y, x, y):
        return True
    is_closed, has_cover_over = False, False
    for piece in field.pieces:
        box = piece.box
        if piece.is_area and box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            if piece.over:
                has_cover_over = has_cover_over or piece.holds((x, y))
            elif piece.ground.move == "closed" and piece.holds((x, y)):
                if piece.building:
                    if battle.houses[piece.building].points > 0:
                        return False
                else:
                    is_closed = True
    return has_cover_over or not is_closed


def bases_of(battle: Battle, men: Iterable[Figure]) -> list[Base]:
    """Return the bases of some men."""
    foot, mounted = battle.book.radii
    new = tuple.__new__  # twice as fast as Base(...), which matters for millions of bases
    return [new(Base, (man.x, man.y, mounted if man.mounted else foot, "", "")) for man in men]


def bases_near(battle: Battle, box: Box, reach: float, without: Collection[str], seat: str = "") -> list[Base]:
    """Return the outdoor bases within `reach` of a box, except those of the figures named in `without`.

    If `seat` is given, hidden units of other sides are left out, so that a player cannot find them by measuring.
    """
    w, s, e, n = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
    radius = battle.book.radius
    mounted, foot = radius["mounted"], radius["foot"]
    new = tuple.__new__  # as in `bases_of`
    bases: list[Base] = []
    for unit in battle.units.values():
        unit_box = unit.box
        if unit_box[0] > e or unit_box[2] < w or unit_box[1] > n or unit_box[3] < s:
            continue
        side = unit.spec.side
        if seat and side != seat and "hidden" in unit.marks:
            continue
        bases += [
            new(Base, (figure.x, figure.y, mounted if figure.mounted else foot, side, key))
            for key, figure in unit.figures.items()
            if w <= figure.x <= e and s <= figure.y <= n and key not in without and not figure.place
        ]
        for gun in unit.guns:
            if gun.wounds > 0 and w <= gun.x <= e and s <= gun.y <= n:
                bases.append(Base(gun.x, gun.y, radius["gun"], side, ""))
    return bases


def is_free(battle: Battle, at: Point, radius: float, bases: Iterable[Base]) -> bool:
    """Return True if a base can stand at a point among the given bases."""
    return open_ground(battle, *at) and not overlaps_any(at, radius, bases)


def spot_near(battle: Battle, x: float, y: float, radius: float, without: Collection[str] = ()) -> Point:
    """Return the free spot nearest to a point, or the point itself if there is none within 12"."""
    crowd = Crowd(bases_near(battle, (x, y, x, y), 14.0, without))
    around = rings(0.25, 12.0, least=8, per=4.0, from_east=True)
    return first_free((x, y), radius, crowd, around, lambda at: open_ground(battle, *at)) or (x, y)
