"""A side's view of the table for a choice: its objectives, and the fire it must expect in each box."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from zareba.base.amounts import amount

from zareba.plugins.ruleset import Evaluation
from zareba.scenario import Scenario
from zareba_rulesets.vcc.chapters.sight import reach_of
from zareba_rulesets.vcc.chapters.victory import is_effective
from zareba_rulesets.vcc.forces.battle import OFF_TABLE, Battle, Unit
from zareba_rulesets.vcc.ground.field import Reaches
from zareba_rulesets.vcc.translation import Plan
from zareba_rulesets.vcc.translation.sides import EDGES

__all__ = ["BASE", "FEAR", "NOTHING", "STEP", "CachedView", "SideView", "UnitView", "bases_lost"]

BASE = 1 / 6  # value of a base
STEP = 0.12  # value of being one box nearer to an objective
FEAR = 0.35  # share of the expected fire in a box that counts against moving there
NOTHING = Evaluation()


def bases_lost(bases: float) -> str:
    """Return an expected number of bases in words."""
    if bases < 0.1:
        return "no base"
    return "hardly a base" if bases < 0.5 else f"about {amount(max(1, round(bases)), 'base')}"


class CachedView:
    """The constants of a game: its scenario, its plan, and the last view of each side, which serves a whole phase."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.scenario = scenario
        self.plan = plan
        self.outlooks: dict[str, tuple[Hashable, UnitView]] = {}


@dataclass(frozen=True, slots=True)
class SideView:
    """The table as seen by the side that chooses."""

    battle: Battle
    evaluator: CachedView
    side: str

    def enemies(self) -> list[Unit]:
        side = self.side
        return [unit for unit in self.battle.units.values() if unit.box != OFF_TABLE and unit.spec.side != side]

    def outlook(self) -> UnitView:
        """Return objectives and dangers, computed once for each turn and position of the enemy."""
        battle = self.battle
        placed = tuple((u.box, u.strength, u.marks) for u in battle.units.values() if u.spec.side != self.side)
        prizes = tuple((p.box, p.carrier, p.taken_by) for p in battle.prizes.values())
        key = (battle.turn, self.side, placed, prizes)
        known = self.evaluator.outlooks.get(self.side)
        if known is None or known[0] != key:
            known = self.evaluator.outlooks[self.side] = (key, UnitView(self))
        return known[1]


class UnitView:
    """The objectives of a side, and the expected fire in each box.

    `goals`: (value, boxes) for any unit to reach; `own_goals`: the same by unit id; `kept`: boxes to hold, with their
    value.
    """

    def __init__(self, situation: SideView) -> None:
        battle, side = situation.battle, situation.side
        scenario, plan = situation.evaluator.scenario, situation.evaluator.plan
        self.grid = battle.field.grid
        self.goals: list[tuple[float, tuple[int, ...]]] = []
        self.own_goals: dict[str, list[tuple[float, tuple[int, ...]]]] = {}
        self.held_places: dict[int, float] = {}
        self.enemies = [
            enemy.copy() for enemy in situation.enemies()
        ]  # copies, so that later play does not change them
        self._potential: dict[tuple[str, int, bool], float] = {}
        self._danger: dict[int, float] = {}
        self._shots: dict[tuple[Reaches, int], list[tuple[float, int]]] = {}
        self._battle = battle
        for key, goal in scenario.objectives.items():
            mine = not goal.by or side in goal.by
            if goal.kind == "hold":
                self._hold(battle, side, plan.places.get(key, frozenset()), goal.points * 0.25)
            elif goal.kind == "carry_off":
                self._carry_off(battle, side, goal.object, EDGES[goal.edge], goal.points * 0.3, mine)
            elif goal.kind == "escort":
                self._escort(battle, scenario, side, key, goal, plan)
            elif goal.kind == "destroy" and mine:
                wanted = set(goal.units)
                for enemy in self.enemies:
                    if not wanted or enemy.spec.id in wanted:
                        self.goals.append((0.15 + goal.points * 0.05, (enemy.box,)))
        if not self.goals:
            self.goals += [(0.2, (enemy.box,)) for enemy in self.enemies]

    def _hold(self, battle: Battle, side: str, boxes: frozenset[int], worth: float) -> None:
        inside = [unit for box in boxes for unit in battle.in_box(box) if is_effective(unit)]
        own = [unit for unit in inside if unit.spec.side == side]
        if own and len(own) == len(inside):
            for box in boxes:
                self.held_places[box] = max(self.held_places.get(box, 0.0), worth)
            if len(own) == 1:
                self.own_goals.setdefault(own[0].spec.id, []).append((worth + 1.0, tuple(sorted(boxes))))
            self.goals.append((worth * 0.5, tuple(sorted(boxes))))
        else:
            self.goals.append((worth + 0.5, tuple(sorted(boxes))))

    def _carry_off(self, battle: Battle, side: str, thing: str, edge: int, worth: float, mine: bool) -> None:
        prize = battle.prizes.get(thing)
        if prize is None or prize.taken_by:
            return
        carrier = battle.units.get(prize.carrier)
        if carrier is None:
            self.goals.append((worth + 0.6, (prize.box,)))
        elif carrier.spec.side == side:
            if mine:
                self.own_goals[carrier.spec.id] = [(worth + 3.0, self.edge_boxes(edge))]
        elif carrier.on_table:
            self.goals.append((worth + 0.6, (carrier.box,)))

    def _escort(self, battle: Battle, scenario: Scenario, side: str, key: str, goal: Any, plan: Plan) -> None:
        boxes = tuple(sorted(plan.places.get(key, ()))) or self.edge_boxes(EDGES[goal.edge])
        for unit_id in goal.units:
            unit = battle.units.get(unit_id)
            if unit is None or unit.box == OFF_TABLE:
                continue
            if unit.spec.side == side:
                self.own_goals.setdefault(unit_id, []).append((3.0, boxes))
            else:
                self.goals.append((0.5, (unit.box,)))

    def edge_boxes(self, edge: int) -> tuple[int, ...]:
        """Return the boxes along an edge."""
        return tuple(box for box in range(self.grid.size) if self.grid.neighbour(box, edge) is None)

    def potential(self, unit: Unit, box: int) -> float:
        """Return the value of a box to a unit with regard to objectives; one box nearer is worth STEP."""
        own = self.own_goals.get(unit.spec.id)
        key = (unit.spec.id if own else "", box, False)
        found = self._potential.get(key)
        if found is None:
            distance = self.grid.distance
            goals = own or self.goals
            found = max(
                (worth - STEP * min(distance(box, goal) for goal in boxes) for worth, boxes in goals if boxes),
                default=0.0,
            )
            self._potential[key] = found + (0.0 if own else 0.3 * self.held_places.get(box, 0.0))
            found = self._potential[key]
        return float(found)

    def shots(self, weapon: Reaches, box: int) -> list[tuple[float, int]]:
        """Return the enemies within range of a weapon (`reach_of` a unit) from a box: the factor of range and cover, and
        their bases.
        """
        found = self._shots.get((weapon, box))
        if found is None:
            field, factors = self._battle.field, self._battle.book.fire_factors
            found = self._shots[weapon, box] = []
            for enemy in self.enemies:
                band = field.band[weapon, box, enemy.box]
                if band is not None and field.sight[box, enemy.box] is not None:
                    found.append((factors[band, field.cover[box, enemy.box]], enemy.strength))
        return found

    def danger(self, box: int) -> float:
        """Return the bases that a unit in a box is expected to lose if all enemies within range fire at it."""
        found = self._danger.get(box)
        if found is None:
            field, factors = self._battle.field, self._battle.book.fire_factors
            found = 0.0
            for enemy in self.enemies:
                weapon = enemy.spec.weapon
                if not enemy.spec.fire_die or weapon in ("none", "rocket") or enemy.marks & {"broken", "wrecked"}:
                    continue
                band = field.band[reach_of(self._battle, enemy), enemy.box, box]
                if band is not None and not (enemy.mounted or field.sight[enemy.box, box] is None):
                    worth = factors[band, field.cover[enemy.box, box]]
                    found += enemy.strength * (enemy.spec.fire_die + 1) / 2 * worth
            self._danger[box] = found = found / self._battle.book.settings.hits_per_base
        return found
