"""A battle of units on a free table: where each stands, its figures, marks and numbers. Plain data, JSON in and out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from zareba.base.exact import dist
from zareba.base.state import Value, WithSpec, house_state, record, shared
from zareba.battle.enrolment import Enrolled
from zareba.battle.prizes import Prize, exits_of
from zareba.game.activation import CallsCursor
from zareba.plain.book import PlainFile, Row
from zareba.plain.ground import Field
from zareba.scenario import Scenario
from zareba.scenario.vocabulary import Edge
from zareba.space import Point
from zareba.space.field.bases import SLACK, Base, on_line, stands_on

__all__ = ["Battle", "Unit", "UnitSpec"]


@dataclass(frozen=True)
class UnitSpec:
    """What never changes about a unit: its troop and weapon in the book, what the scenario says, the leaders with it.

    `room` is the radius of the ground that it fills when all its figures are there.
    """

    id: str
    side: str
    name: str
    figures: int
    room: float
    troop: Row
    weapon: Row
    enrolled: Enrolled
    leaders: tuple[str, ...]


@record
class Unit(WithSpec):
    """A unit; its figures stand close together round `at`, None when it is not on the table.

    `gone` says why it is out of the battle for good: `destroyed`, `left north`, or what its ruleset says. `fallen` has
    its leaders who have fallen, each with the cause.
    """

    at: tuple[float, float] | None
    figures: int
    marks: frozenset[str]
    numbers: dict[str, int]
    gone: str
    spec: UnitSpec = shared(None)
    fallen: dict[str, Value] = house_state(default_factory=dict)

    @property
    def troop(self) -> Row:
        """Its row among the troops."""
        return self.spec.troop

    @property
    def weapon(self) -> Row:
        """Its row among the weapons."""
        return self.spec.weapon

    @property
    def is_led(self) -> bool:
        """Whether a leader is with it."""
        return bool(self.leaders) and not self.gone

    @property
    def leaders(self) -> tuple[str, ...]:
        """Its leaders who have not fallen."""
        return tuple([leader for leader in self.spec.leaders if leader not in self.fallen])

    @property
    def place(self) -> Point:
        """Where it stands; only for units on the table."""
        assert self.at is not None, f"{self.id} is not on the table"
        return self.at

    @property
    def room(self) -> float:
        """The radius of the ground that its figures fill."""
        return self.spec.room * sqrt(self.figures / self.spec.figures)

    @property
    def base(self) -> Base:
        """The ground that its figures fill."""
        return Base(*self.place, self.room, self.side, self.id)

    def lost_share(self) -> float:
        """The share of its figures that it has lost."""
        return 1 - self.figures / self.spec.figures


@record
class Battle(CallsCursor):
    """A battle under way: the cursor of its order of play, its units, and what lies about."""

    units: dict[str, Unit]
    arrivals: dict[str, int]
    prizes: dict[str, Prize]
    achieved: dict[str, str]
    book: PlainFile = shared()
    field: Field = shared()
    scenario: Scenario = shared()
    counts: Callable[[Battle, Unit], bool] = shared()
    own: dict[str, Value] = house_state(default_factory=dict)

    def on_table(self, side: str = "") -> list[Unit]:
        """The units on the table, in the order of the scenario: of a side, or of all."""
        return [u for u in self.units.values() if u.at is not None and (not side or u.spec.side == side)]

    def foes(self, unit: Unit) -> list[Unit]:
        """The enemies on the table, the nearest first."""
        found = [other for other in self.on_table() if other.spec.side != unit.spec.side]
        return sorted(found, key=lambda other: self.gap(unit, other))

    def gap(self, a: Unit, b: Unit) -> float:
        """How far it is from one unit to another, from edge to edge."""
        return max(0.0, dist(a.place, b.place) - a.room - b.room)

    def touching(self, unit: Unit) -> list[Unit]:
        """The enemies in contact with a unit."""
        return [foe for foe in self.foes(unit) if self.gap(unit, foe) <= self.book.reach.contact + SLACK]

    def in_sight(self, unit: Unit, within: float) -> list[Unit]:
        """The enemies so near, the nearest first, that neither ground nor anybody between hides."""
        return [foe for foe in self.foes(unit) if self.gap(unit, foe) <= within and self.sees(unit, foe)]

    def sees(self, a: Unit, b: Unit) -> bool:
        """Whether the line from one unit to another is free: of ground that hides, and of others who stand in it."""
        if self.field.hides(a.place, b.place):
            return False
        others = (other.base for other in self.on_table() if other is not a and other is not b)
        return next(on_line(others, a.place, b.place), None) is None

    def cover(self, a: Unit, b: Unit) -> int:
        """The cover that one unit has from another."""
        return self.field.cover(a.place, b.place)

    def exit_of(self, unit: Unit) -> Edge | None:
        """The edge over which the scenario sends a unit, with what it carries; None if it does not."""
        exits = exits_of(self.scenario.exits_for(unit.side), unit.id, self.prizes, unit.id)
        return next((edge for edge, _ in exits), None)

    def stands_on(self, unit: Unit, at: Point) -> Unit | None:
        """On whom a unit would stand at a place; None where there is room."""
        others = (other for other in self.on_table() if other is not unit)
        return next((other for other in others if stands_on(at, unit.room, [other.base])), None)
