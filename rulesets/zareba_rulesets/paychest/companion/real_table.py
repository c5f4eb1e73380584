"""The book of Paychest's companion: where units stand on an endless plain, and which figures touch.

Each unit and each gun has its own place there, far from all others; the crew stands at its gun. Contact does not follow
from places: the book notes which figures touch, as people see it. Ranges, cover and figures out of sight are laid out
for each act as people describe them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.companion import Scene
from zareba.space import Point
from zareba.space.geometry import Bounds
from zareba.space.ground.movement_cost import Leg, MovementCost
from zareba.space.lazy import Lazy
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Ground
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.ground import Field, Shelter

Scene = Scene


APART = 200.0
"""Inches between the places of two units, so that no weapon reaches from one to the other."""


ROW = 1000.0
"""Inches from the edges of the plain to the first place of a unit, so that no forced move reaches an edge by itself."""


HAIR = 0.01
"""Distances are laid out this much shorter, so that rounding never moves a figure into the next range band."""


AWAY = 500.0
"""Inches by which figures stand off in a layout if they take no part."""


BESIDE_GUN = 2.0
"""Inches from gun to gun of a unit, so that a man between two guns touches both."""


AT_GUN = 1.5
"""Inches behind a gun where its crew stands, out of touch with the next gun."""


MOUNTS_APART = 4.0
"""Inches between loose mounts in a layout, so that each man reaches one."""


DETAIL = "detail"


MEN, LEADERS, WHOLE = "men", "leaders", "whole"


LEADER, BEST = "leader", "best"


START, CARD, MOVE, MELEE_STAGE, END = "start", "card", "move", "melee", "end"


SOFT: Mapping[str, Shelter] = {"none": Shelter("none", "open"), "soft": Shelter("soft", "open")}


COVERS: Mapping[str, Shelter] = {**SOFT, "hard": Shelter("hard", "low_wall")}


EXPOSURES: Mapping[str, Shelter] = {
    **SOFT,
    **{name: Shelter("hard", name) for name in ("low_wall", "parapet", "wagon")},
}


COVER_WORDS = {
    "none": "none", "soft": "soft (brush, tents, crops)", "hard": "hard (wall, rocks, building, wagon)",
    "low_wall": "low wall, rocks or boulders", "parapet": "parapet, loophole, window or emplacement", "wagon": "wagon",
}  # fmt: skip


class _Paths(MovementCost[Ground]):
    """Open ground. Figures at some points run over the edge, however far it is."""

    __slots__ = ("_edges", "_leaving")

    def __init__(self, extent: Point, leaving: Collection[Point]) -> None:
        super().__init__(extent, "in", [], lambda piece: None)
        self._leaving = leaving

    def march(self, start: Point, goal: Point, allowance: float) -> Leg:
        if start not in self._leaving:
            return super().march(start, goal, allowance)
        if self._table.edge_at(goal):
            return Leg(goal, allowance, False)
        length = dist(start, goal) or 1.0
        way = ((goal[0] - start[0]) / length, (goal[1] - start[1]) / length) if goal != start else (0.0, -1.0)
        return Leg(self._table.edge_point_towards(start, way), allowance, False)


Contacts = Mapping[str, frozenset[str]]


class RealTable(Field):
    """The ground of a battle on a real table: open, and everything is in sight.

    `rest` holds the place of each unit and engine, `contacts` the enemies that each figure touches. A layout works on a
    copy (`told`): `covers` maps points to shelters, and figures at the points in `leaving` run off the table.
    """

    __slots__ = ("covers", "leaving", "rest")

    def __init__(
        self,
        book: PaychestBook,
        size: float,
        home_edges: Mapping[str, str],
        rest: Mapping[str, Point],
        contacts: Contacts,
        covers: Mapping[Point, tuple[Shelter, ...]],
        leaving: Collection[Point],
    ) -> None:
        super().__init__(book, size, size, {}, {}, home_edges)
        self.rest, self.covers, self.leaving = rest, covers, leaving
        self.contacts: Contacts = contacts
        self.move_costs = Lazy(lambda _: _Paths(self.table.extent, leaving))

    def with_layout(
        self,
        contacts: Contacts | None = None,
        covers: Mapping[Point, tuple[Shelter, ...]] | None = None,
        leaving: Collection[Point] = (),
    ) -> RealTable:
        """Return a copy with other contacts, cover, and points from which figures leave the table."""
        own = self.contacts if contacts is None else contacts
        return RealTable(self.book, self.table.width, self.home_edges, self.rest, own, covers or {}, leaving)

    @property
    def stage(self) -> Point:
        """The point where the targets of a shot are laid out."""
        return self.table.width / 2, self.table.depth / 2

    def has_cover_near(self, box: Bounds) -> bool:
        return bool(self.covers)

    def shelters(self, at: Point, radius: float) -> tuple[Shelter, ...]:
        return self.covers.get(at, ())


def real_table_of(battle: Battle) -> RealTable:
    assert isinstance(battle.field, RealTable), "the companion's battles stand on the plain"
    return battle.field


def new_real_table(game: PaychestGame) -> RealTable:
    """Return the plain with a place for each unit and each engine of a game, and one for what lies on the ground."""
    names = [*game.plan.units, *game.plan.engines, ""]
    rest = {name: (ROW + APART * number, ROW) for number, name in enumerate(names)}
    for unit in game.plan.units:
        guns = [key for key, engine in game.plan.engines.items() if engine.unit == unit and engine.mount != ""]
        x, y = rest[guns[0]] if guns else (0.0, 0.0)
        rest |= {key: (x + BESIDE_GUN * number, y) for number, key in enumerate(guns)}
    size = 2 * ROW + APART * max(len(names), 20)
    return RealTable(game.book, size, game.plan.field.home_edges, rest, {}, {}, ())


def place_of(battle: Battle, key: str) -> Point:
    """Return the place of a unit or engine; a gun on a conveyance is where that is."""
    engine = battle.engines.get(key)
    return real_table_of(battle).rest[engine.carrier or key if engine is not None else key]


def posts_of(battle: Battle, unit: Unit) -> dict[str, Point]:
    """Return where each figure of a unit stands when it comes on: aboard, at one of its guns, or at the unit's
    place.
    """
    guns = [key for key in battle.guns_of(unit) if not battle.engines[key].carrier]
    afoot = [key for key, figure in unit.figures.items() if not figure.aboard]
    places = {key: place_of(battle, figure.aboard) for key, figure in unit.figures.items() if figure.aboard}
    home = place_of(battle, unit.spec.id)
    return places | {
        key: spot_behind_guns(battle, [guns[number % len(guns)]]) if guns else home for number, key in enumerate(afoot)
    }


def spot_behind_guns(battle: Battle, guns: Sequence[str]) -> Point:
    """Return where the crew of a gun stands, or of two guns side by side. Raises ZarebaError for other guns."""
    places = [place_of(battle, gun) for gun in guns]
    (x, y), (other, _) = places[0], places[-1]
    if len(guns) > 2 or abs(other - x) > BESIDE_GUN:
        raise ZarebaError("a man stands at one gun, or between two that are side by side")
    return (x, y + AT_GUN) if len(guns) == 1 else ((x + other) / 2, y)


def note_contacts(battle: Battle, contacts: Contacts) -> None:
    battle.field = real_table_of(battle).with_layout(contacts)


def without_contacts_of(contacts: Contacts, figures: Collection[str]) -> Contacts:
    """Return the contacts without those of some figures."""
    kept = {key: touched.difference(figures) for key, touched in contacts.items() if key not in figures}
    return {key: touched for key, touched in kept.items() if touched}


def with_contacts(contacts: Contacts, pairs: Iterable[tuple[str, str]]) -> Contacts:
    """Return the contacts with further ones."""
    found = dict(contacts)
    for figure, other in pairs:
        found[figure] = found.get(figure, frozenset()) | {other}
        found[other] = found.get(other, frozenset()) | {figure}
    return found
