"""Where a unit on the march may sensibly be sent: the points suggested to whoever moves it (not a rule)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import dist

from zareba.space import Point
from zareba.space.geometry import nearest_on_segment
from zareba.table import Suggestions
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.formation import nearest_free, wall_near
from zareba_rulesets.paychest.goals import enemy_to_drive_out, nearest_enemy, objective_point, to_edge
from zareba_rulesets.paychest.units import Unit

__all__ = ["Destinations"]

WALL = 3.0
"""Inches beyond the reach of a move within which a wall is worth making for."""


class Destinations(Suggestions[Point]):
    """Points worth naming: towards the objective, the nearest enemy, the nearest wall; back; and where it stands.

    Each is looked for only when somebody looks: ways round closed ground are dear, and a program that takes any of the
    points need not know the others. Where nobody can stand on any of them, the unit may stay `here`.
    """

    __slots__ = ("_battle", "_column", "_here", "_reach", "_unit")

    def __init__(
        self, battle: Battle, unit: Unit, here: Point, reach: float, column: str, *, onward: bool = False
    ) -> None:
        """`onward`: a further leg of a move, which may always end where it is; that comes first."""
        self._battle, self._unit, self._here, self._reach, self._column = battle, unit, here, reach, column
        ways = self._to_objective, self._to_enemy, self._to_intruder, self._to_wall, self._back
        finders: tuple[Callable[[], Point | None], ...] = (self._stay, *ways) if onward else (*ways, self._stay)

        def find(place: int) -> Point | None:
            point = finders[place]()
            if point is None or (onward and point == here):
                return point
            return point if battle.field.can_stand(point, column) else None

        super().__init__(len(finders), find, otherwise=here)

    def _towards(self, point: Point | None) -> Point | None:
        """Where to go straight first on the way to a point."""
        return None if point is None else self._battle.ways.heading(self._here, point, self._column)

    def _to_objective(self) -> Point | None:
        """Riders come as far as the house."""
        at = objective_point(self._battle, self._unit)
        return None if at is None else self._towards(nearest_free(self._battle, at, 0.0, self._column, ()) or at)

    def _enemy(self) -> Point | None:
        enemy = nearest_enemy(self._battle, self._unit)
        return None if enemy is None else enemy.at

    def _to_enemy(self) -> Point | None:
        return self._towards(self._enemy())

    def _to_intruder(self) -> Point | None:
        intruder = enemy_to_drive_out(self._battle, self._unit)
        return None if intruder is None else self._towards(intruder.at)

    def _to_wall(self) -> Point | None:
        here = self._here
        wall = wall_near(self._battle, here, self._reach + WALL) if self._column == "foot" else None
        if wall is None:
            return None
        spots = [nearest_on_segment(here, a, b) for a, b in pairwise(wall.points)]
        return min(spots, key=lambda spot: dist(spot, here))

    def _back(self) -> Point | None:
        """Half of the way to its own edge, or away from the enemy."""
        x, y = self._here
        edge = self._battle.field.home.get(self._unit.spec.side)
        if edge is not None:
            back_x, back_y = to_edge(self._battle, self._here, edge)
            return x + (back_x - x) * 0.5, y + (back_y - y) * 0.5
        foe = self._enemy()
        if foe is None:
            return None
        gap = dist(self._here, foe) or 1.0
        return self._battle.onto_table((x + (x - foe[0]) / gap * self._reach, y + (y - foe[1]) / gap * self._reach))

    def _stay(self) -> Point:
        return self._here
