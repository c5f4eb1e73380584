"""Forecasts for all units: what an order is worth, compared with what the Action table would make the unit do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, prod

from zareba.space.lazy import Lazy
from zareba_rulesets.risk_factor.actions import OrderView, legal_orders
from zareba_rulesets.risk_factor.chapters.action_throws import Surroundings, surroundings
from zareba_rulesets.risk_factor.estimates.action_forecast import ActionForecast
from zareba_rulesets.risk_factor.estimates.expected_losses import DIE, ExpectedFire, Threats, chance_of_going_back
from zareba_rulesets.risk_factor.estimates.objectives import LeaderPlaces, Objectives, SideObjectives
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table

_NEED_WITH_EXIT, _NEED_ON_THE_WAY = 4, 2  # how much a man needs orders, if one who has nothing to do needs 1
UNSURE = 1 / 3  # least chance that a group soon goes back, however steady, because groups break in waves


def _risk_of(battle: Battle, group: Unit) -> float:
    """Return the Risk Factor of a group at its last throw, or that of a group within range of an enemy."""
    usual = battle.book.modifier("risk_factor", "in_range")
    return battle.risk.get(group.spec.id, usual + 10 * group.casualties / max(1, group.original))


def _break_chances(battle: Battle, side: str) -> dict[str, float]:
    """Return the chance of each group of a side to go back at its next throw."""
    return {
        group.spec.id: max(UNSURE, chance_of_going_back(battle, action_table(battle, group), _risk_of(battle, group)))
        for group in battle.groups(side)
        if group.status not in BACKWARD
    }


def _men_without_orders(battle: Battle, side: str) -> int:
    """Return the number of men in groups of a side that are not commanded yet and do not rout."""
    return sum(g.count for g in battle.groups(side) if "commanded" not in g.marks and g.status != "routing")


def _needs(side_objectives: SideObjectives) -> dict[str, int]:
    """Return how much a man of each group needs orders: those with an exit most, then those on their way to a place."""
    needs = {
        name: _NEED_ON_THE_WAY
        for objective in side_objectives.places
        for name in objective.units
        if name not in objective.kept_by
    }
    return needs | dict.fromkeys(side_objectives.exits, _NEED_WITH_EXIT)


class Moment:
    """One position of all units: the forecast of each unit, and its gain from orders.

    `side_objectives` holds the objectives of a side. `men_without_orders` is the number of its men who could still be
    commanded. `leader_places` rates places for a leader.
    """

    def __init__(self, objectives: Objectives) -> None:
        self._objectives = objectives
        self._forecasts: dict[str, ActionForecast] = {}
        self._gains: dict[str, float] = {}

    def begin(self, battle: Battle, threats: Callable[[str], Threats]) -> None:
        """Prepare for another question about the same position. `threats` returns the threats to a side."""
        self._battle = battle
        self._threats = threats
        self._started: set[str] = set()
        self.side_objectives: Lazy[str, SideObjectives] = Lazy(partial(self._objectives.of, battle))
        self.leader_places: Lazy[str, LeaderPlaces] = Lazy(self._leader_places)
        self.men_without_orders: Lazy[str, int] = Lazy(partial(_men_without_orders, battle))
        self._surroundings: Lazy[str, Surroundings] = Lazy(partial(surroundings, battle))
        self._break_chances_by_side: Lazy[str, dict[str, float]] = Lazy(partial(_break_chances, battle))

    def _leader_places(self, name: str) -> LeaderPlaces:
        """Return the estimates of the places where a leader may stand."""
        leader = self._battle.units[name]
        side = leader.spec.side
        return LeaderPlaces(self._battle, leader, self._threats(side), _needs(self.side_objectives[side]))

    def of(self, unit: Unit) -> ActionForecast:
        """Return the forecast of a unit."""
        name = unit.spec.id
        found = self._forecasts.get(name)
        if name in self._started and found is not None:
            return found
        threats = self._threats(unit.spec.side)
        if found is None or found.threats is not threats:
            found = self._forecasts[name] = ActionForecast(
                self._battle, unit, self._objectives, threats, self.side_objectives[unit.spec.side]
            )
        found.start_question(
            self._battle, unit, self._chance_of_isolation(unit), partial(self._surroundings.__getitem__, unit.spec.side)
        )
        self._started.add(name)
        return found

    def order_view(self, unit: Unit) -> OrderView:
        """Return what an AI player knows about a unit that may get an order."""
        return OrderView(self.of(unit), partial(self.leader_places.__getitem__, unit.spec.id))

    def _chance_of_isolation(self, unit: Unit) -> float:
        """Return the chance that all other groups of the side go back at their next throws, which leaves this unit as
        the last.
        """
        return prod(
            chance for name, chance in self._break_chances_by_side[unit.spec.side].items() if name != unit.spec.id
        )

    def gain(self, unit: Unit) -> float:
        """Return how much better a unit does under orders than by the Action table."""
        gains, name = self._gains, unit.spec.id
        if name not in gains:
            gains[name] = self._gain(unit)
        return gains[name]

    def _gain(self, unit: Unit) -> float:
        """Return the mean gain over the faces of the die: the value of the best order less that of the action by the
        table.
        """
        prospect, battle = self.of(unit), self._battle
        best = -inf
        view = self.order_view(unit)
        for order in legal_orders(battle, unit, self._objectives.plan):
            if best < 0 or not order.gains_nothing(view):
                view.at_least = best
                best = max(best, order.for_group(view).total)
        risk = battle.book.rules.tally("risk_factor", prospect.facts, battle, unit).total
        table_name, falling = action_table(battle, unit), unit.action in ("retreat", "rout")
        values: dict[str, float] = {}
        total = 0.0
        for face in range(1, DIE + 1):
            result = battle.book.action(table_name, risk, face, falling)
            if result in battle.book.blue:
                doing = unit.action if result == "continue" else "advance" if result == "towards" else result
                if doing not in values:
                    values[doing] = prospect.table_action(doing).total
                total += best - values[doing]
        return total / DIE


class Forecast:
    """Caches forecasts until a unit moves, falls or rallies, or the step of the turn changes.

    The threats to a side are cached longer, until something about the enemy changes.
    """

    def __init__(self, objectives: Objectives) -> None:
        self.objectives = objectives
        self._key: list[object] = []
        self._moment = Moment(objectives)
        self._threats: dict[str, tuple[object, Threats]] = {}
        self._fires: dict[object, ExpectedFire] = {}

    def at(self, battle: Battle) -> Moment:
        """Return the moment of a battle for one question."""
        units = battle.units.values()
        key = [battle.turn, battle.active, battle.phase, *[u.body for u in units], *[u.status for u in units]]
        if self._key != key:
            self._key, self._moment = key, Moment(self.objectives)
        self._moment.begin(battle, lambda side: self._threats_to(battle, side))
        return self._moment

    def _threats_to(self, battle: Battle, side: str) -> Threats:
        """Return the enemy units that threaten a side, computed again when one of them has changed."""
        key = Threats.key(battle, side)
        known = self._threats.get(side)
        if known is not None:
            known_key, threats = known
            if known_key == key:
                return threats
        threats = Threats(battle, side, self._fires)
        self._threats[side] = key, threats
        return threats
