"""The state of a battle of units on a free table: places, figures, marks and numbers, as plain data for JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from zareba.base.exact import dist
from zareba.base.speedups import new_tuple
from zareba.base.state import Value, WithSpec, house_state, record, shared, stored_as
from zareba.battle.carried_objects import CarriedObject, exit_edges
from zareba.battle.unit_mapping import MappedUnit
from zareba.game.activation import CallsCursor
from zareba.renamed import RenamedAttribute, accept_old_arguments, warn_renamed
from zareba.scenario import Scenario
from zareba.scenario.vocabulary import Edge
from zareba.simple_ruleset.ground import Field
from zareba.simple_ruleset.model import SimpleRulesetFile, TroopRow
from zareba.space import Point
from zareba.space.field.bodies import SLACK, Base, on_line, overlaps_any

__all__ = ["Battle", "Unit", "UnitSpec"]


@dataclass(frozen=True)
class UnitSpec:
    """The fixed data of a unit: its troop and weapon rows, the scenario's facts, and its leaders.

    `radius` is that of the area that the unit covers with all its figures.
    """

    id: str
    side: str
    name: str
    figures: int
    radius: float
    troop: TroopRow
    weapon: TroopRow
    scenario_facts: MappedUnit
    leaders: tuple[str, ...]

    @property
    def room(self) -> float:
        """`radius`, under the name that it had in the last release."""
        warn_renamed("unit.spec.room", "unit.spec.radius")
        return self.radius

    @property
    def enrolled(self) -> MappedUnit:
        """`scenario_facts`, under the name that it had in the last release."""
        warn_renamed("unit.spec.enrolled", "unit.spec.scenario_facts")
        return self.scenario_facts


@record
class Unit(WithSpec):
    """A unit. Its figures are close together around `at`, which is None when the unit is not on the table.

    `gone` is the reason why the unit is out of the battle for good: `destroyed`, `left north`, or one of the ruleset's
    own. `fallen` maps fallen leaders to the cause.
    """

    at: tuple[float, float] | None
    figures: int
    marks: frozenset[str]
    numbers: dict[str, int]
    gone: str
    spec: UnitSpec = shared(None)
    fallen: dict[str, Value] = house_state(default_factory=dict)

    @property
    def troop(self) -> TroopRow:
        """Its row in the troops."""
        return self.spec.troop

    @property
    def weapon(self) -> TroopRow:
        """Its row in the weapons."""
        return self.spec.weapon

    @property
    def is_led(self) -> bool:
        """True if the unit has a leader."""
        return bool(self.leaders) and not self.gone

    @property
    def leaders(self) -> tuple[str, ...]:
        """The leaders who have not fallen."""
        return tuple([leader for leader in self.spec.leaders if leader not in self.fallen])

    @property
    def place(self) -> Point:
        """The place of a unit on the table. Fails for other units."""
        assert self.at is not None, f"{self.id} is not on the table"
        return self.at

    @property
    def radius(self) -> float:
        """The radius of the area that the figures cover."""
        return self.spec.radius * sqrt(self.figures / self.spec.figures)

    @property
    def room(self) -> float:
        """`radius`, under the name that it had in the last release."""
        warn_renamed("unit.room", "unit.radius")
        return self.radius

    @property
    def base(self) -> Base:
        """The area that the figures cover, as a round base."""
        return new_tuple(Base, (*self.place, self.radius, self.spec.side, self.spec.id))

    def lost_share(self) -> float:
        """Return the fraction of its figures that the unit has lost."""
        return 1 - self.figures / self.spec.figures


@accept_old_arguments
@record
class Battle(CallsCursor):
    """A battle in progress: the cursor of the order of play, the units and the objects.

    `arrivals` has the turn in which each absent unit is due, and `achieved` the side that achieved each objective.
    `carried_objects` are the objects of the scenario, `own` holds the state variables of house rules, and `counts`
    returns True if a unit counts for its side.
    """

    units: dict[str, Unit]
    arrivals: dict[str, int]
    carried_objects: dict[str, CarriedObject] = stored_as("prizes")
    achieved: dict[str, str]
    book: SimpleRulesetFile = shared()
    field: Field = shared()
    scenario: Scenario = shared()
    counts: Callable[[Battle, Unit], bool] = shared()
    own: dict[str, Value] = house_state(default_factory=dict)
    prizes = RenamedAttribute("battle", "carried_objects")

    def on_table(self, side: str = "") -> list[Unit]:
        """Return the units on the table in the order of the scenario, of one side or of all."""
        if not side:
            return [unit for unit in self.units.values() if unit.at is not None]
        return [unit for unit in self.units.values() if unit.at is not None and unit.spec.side == side]

    def foes(self, unit: Unit) -> list[Unit]:
        """Return the enemies on the table, the nearest first."""
        side = unit.spec.side
        enemies = [other for other in self.on_table() if other.spec.side != side]
        if len(enemies) < 2:
            return enemies
        at, radius = unit.place, unit.radius
        return sorted(enemies, key=lambda enemy: max(0.0, dist(at, enemy.place) - radius - enemy.radius))  # by `gap`

    def gap(self, a: Unit, b: Unit) -> float:
        """Return the distance between two units, edge to edge."""
        return max(0.0, dist(a.place, b.place) - a.radius - b.radius)

    def touching(self, unit: Unit) -> list[Unit]:
        """Return the enemies in contact with a unit."""
        return [foe for foe in self.foes(unit) if self.gap(unit, foe) <= self.book.reach.contact + SLACK]

    def in_sight(self, unit: Unit, within: float) -> list[Unit]:
        """Return the visible enemies within a distance, the nearest first."""
        return [foe for foe in self.foes(unit) if self.gap(unit, foe) <= within and self.sees(unit, foe)]

    def sees(self, a: Unit, b: Unit) -> bool:
        """Return True if neither terrain nor another unit blocks the line between two units."""
        if self.field.hides(a.place, b.place):
            return False
        others = (other.base for other in self.on_table() if other is not a and other is not b)
        blocker = next(on_line(others, a.place, b.place), None)
        return blocker is None

    def cover(self, a: Unit, b: Unit) -> int:
        """Return the cover of unit `b` against unit `a`."""
        return self.field.cover(a.place, b.place)

    def exit_of(self, unit: Unit) -> Edge | None:
        """Return the edge over which the scenario sends a unit, with anything it carries; None if there is none."""
        possible = self.field.exits[unit.spec.side]
        if not possible:
            return None
        exits = exit_edges(possible, unit.id, self.carried_objects, unit.id)
        return next((edge for edge, _ in exits), None)

    def stands_on(self, unit: Unit, at: Point) -> Unit | None:
        """Return the unit that the given unit would overlap at a place; None if the place is free."""
        others = (other for other in self.on_table() if other is not unit)
        return next((other for other in others if overlaps_any(at, unit.radius, [other.base])), None)
