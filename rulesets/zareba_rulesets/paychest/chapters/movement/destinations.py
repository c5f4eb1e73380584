"""Where a unit on the march may sensibly be sent: the points suggested to whoever moves it (not a rule)."""

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
"""Inches beyond the reach of a move within which a wall is worth making for."""


class Destinations(LazyOptions[Point]):
    """Points worth naming: towards the objective, the nearest enemy, the nearest wall; back; and where it stands.

    Each is looked for only when somebody looks: ways round closed ground are dear, and a program that takes any of the
    points need not know the others. Where nobody can stand on any of them, the unit may stay `here`.
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
        """`onward`: a further leg of a move, which may always end where it is; that comes first. `barred`: where the way
        has led nobody any further.

        `aims`: for each place what is made for by way of it, which is the place itself where the way is straight.
        """
        leads = _Leads(battle, unit, here, reach, column)
        led = leads.objective, leads.enemy, leads.intruder
        others = leads.wall, leads.back
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
    """What may lead a unit somewhere, one thing after the other.

    Apart from the suggestions, which know of it: two that knew of each other would outlive their question.
    """

    def __init__(self, battle: Battle, unit: Unit, here: Point, reach: float, column: str) -> None:
        self._battle, self._unit, self._here, self._reach, self._column = battle, unit, here, reach, column
        self.calls = UnitGoals(battle, unit)

    def objective(self) -> Point | None:
        """Riders come as far as the house."""
        at = self.calls.objective
        return None if at is None else nearest_free(self._battle, at, 0.0, self._column, Crowd()) or at

    def enemy(self) -> Point | None:
        enemy = self.calls.enemy
        return None if enemy is None else enemy.at

    def intruder(self) -> Point | None:
        intruder = self.calls.intruder
        return None if intruder is None else intruder.at

    def wall(self) -> Point | None:
        here = self._here
        wall = wall_near(self._battle, here, self._reach + WALL) if self._column == "foot" else None
        return None if wall is None else nearest_on(here, wall.legs)

    def back(self) -> Point | None:
        """Half of the way to its own edge, or away from the enemy."""
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
