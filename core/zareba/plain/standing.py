"""How a battle of units on a free table stands in a scenario's terms."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.base.exact import dist
from zareba.battle.prizes import fate_of
from zareba.plain.state import Battle, Unit
from zareba.scenario.model import Escort, Hold
from zareba.scenario.standing import Fate, Men, Standing
from zareba.table import Point

__all__ = ["PlainStanding"]


class PlainStanding(Standing[Battle]):
    """Counts figures; leaders who have not fallen share the fate of their unit, and are none of its figures."""

    def counted(self) -> Iterable[Men]:
        """Those who are left of each unit, and those whom it has lost."""
        for unit in self.battle.units.values():
            fate, edge = self._fate(unit)
            left = 0 if fate == "lost" else unit.figures
            if left:
                yield Men(unit.side, left, fate, unit.id, place=unit, edge=edge)
            if left < unit.spec.figures:
                yield Men(unit.side, unit.spec.figures - left, "lost", unit.id)
            for leader in unit.spec.leaders:
                own: Fate = "lost" if leader in unit.fallen else fate
                yield Men(unit.side, 0, own, leader=leader, place=unit, edge=edge)

    def _fate(self, unit: Unit) -> tuple[Fate, str]:
        if unit.gone:
            return fate_of(unit.gone)
        if unit.at is None:
            return "coming", ""
        return ("ready" if self.battle.counts(self.battle, unit) else "broken"), ""

    def spots(self, men: Men) -> Iterable[Point]:
        """The middle of the unit."""
        unit: Unit = men.place
        return (unit.place,)

    def is_at(self, men: Men, key: str, goal: Hold | Escort) -> bool:
        """With its edge so near the place as the scenario says, or the rules for a piece of terrain."""
        unit: Unit = men.place
        reach = self.battle.book.reach
        if isinstance(goal, Hold) and goal.terrain is not None:
            away, near = self.battle.field.distance_to(unit.place, goal.terrain), reach.hold
        else:
            x, y = goal.at or (0.0, 0.0)
            away, near = dist(unit.place, (x * reach.inch, y * reach.inch)), goal.radius * reach.inch
        return away - unit.room <= near
