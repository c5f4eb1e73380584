"""The state of a battle."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from typing import NamedTuple

from zareba.base.state import CopyOnWrite, Record, Value, house_state, record, shared, stored_as
from zareba.base.tally import Tally
from zareba.battle.legal_actions import LegalActions
from zareba.game.activation import AlternateUnitsCursor
from zareba.renamed import RenamedAttribute, accept_old_arguments
from zareba.space.geometry import box_gap
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.forces.marks import after_activation
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Placed, Unit
from zareba_rulesets.fixed_baynet.ground import Field

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
