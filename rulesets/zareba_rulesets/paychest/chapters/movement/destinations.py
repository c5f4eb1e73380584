"""Suggested destinations for a unit's move. They help players and AI players and are not a rule."""

from __future__ import annotations

from collections.abc import Callable, Collection

from zareba.base.exact import dist
from zareba.space import Point
from zareba.space.field.bases import Crowd
from zareba.space.geometry import nearest_on
from zareba.space.lazy import Lazy
from zareba.space.table_edges import nearest_on_edge
from zareba.table import LazyOptions
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import nearest_free, wall_near
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["Destinations"]

WALL = 3.0
"""A wall is suggested if it is at most this many inches beyond the reach of the move."""


class Destinations(LazyOptions[Point]):
    """Suggested destinations: towards the objective, an enemy or a wall, back, or the present position.

    Each is found only on demand, because pathfinding is slow and an AI player that takes the first point needs no
    others. If no figure can stand on any of them, the only suggestion is `here`.
    """

    __slots__ = ("aims", "calls")

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        here: Point,
        reach: float,
        column: str,
        *,
        onward: bool = False,
        barred: Collection[Point] = (),
    ) -> None:
        """Prepare the search. Nothing is computed until a destination is read.

        `onward` marks a later leg of a move; staying in place is then suggested first. `barred` holds points towards
        which no progress was possible. `aims` gives for each place the final destination, which differs from the point
        if the route is not straight.
        """
        leads = _Leads(battle, unit, here, reach, column)
        led = leads.objective, leads.enemy, leads.intruder
        others = leads.wall, leads.point_behind
        finders: tuple[Callable[[], Point | None], ...] = (
            (leads.stay, *led, *others) if onward else (*led, *others, leads.stay)
        )
        aims: Lazy[int, Point | None] = Lazy(lambda place: finders[place]())

        def find(place: int) -> Point | None:
            aim = aims[place]
            if aim is None or (onward and aim == here):
                return aim
            point = battle.field.ways[column].heading(here, aim) if finders[place] in led else aim
            return point if point not in barred and battle.field.going[column].can_stand(point) else None

        self.aims, self.calls = aims, leads.calls
        super().__init__(len(finders), find, otherwise=here)


class _Leads:
    """The possible goals of a unit, each computed on demand.

    A separate class without a reference to the suggestions, because a reference cycle would keep both alive after the
    question.
    """

    def __init__(self, battle: Battle, unit: Unit, here: Point, reach: float, column: str) -> None:
        self._battle, self._unit, self._here, self._reach, self._column = battle, unit, here, reach, column
        self.calls = UnitGoals(battle, unit)

    def objective(self) -> Point | None:
        """Return the free place nearest to the objective, because riders cannot enter a house."""
        at = self.calls.objective
        return None if at is None else nearest_free(self._battle, at, 0.0, self._column, Crowd()) or at

    def enemy(self) -> Point | None:
        enemy = self.calls.enemy
        return None if enemy is None else enemy.at

    def intruder(self) -> Point | None:
        intruder = self.calls.intruder
        return None if intruder is None else intruder.at

    def wall(self) -> Point | None:
        start = self._here
        wall = wall_near(self._battle, start, self._reach + WALL) if self._column == "foot" else None
        return None if wall is None else nearest_on(start, wall.legs)

    def point_behind(self) -> Point | None:
        """Return the point halfway to the unit's own edge, or one away from the enemy."""
        x, y = self._here
        edge = self._battle.field.home.get(self._unit.spec.side)
        if edge is not None:
            back_x, back_y = nearest_on_edge(self._here, self._battle.field.table.extent, edge)
            return x + (back_x - x) * 0.5, y + (back_y - y) * 0.5
        foe = self.enemy()
        if foe is None:
            return None
        gap = dist(self._here, foe) or 1.0
        return self._battle.field.table.onto(
            (x + (x - foe[0]) / gap * self._reach, y + (y - foe[1]) / gap * self._reach)
        )

    def stay(self) -> Point:
        return self._here
