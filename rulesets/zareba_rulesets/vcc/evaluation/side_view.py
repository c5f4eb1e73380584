"""What a side takes into account when it chooses: its objectives, and the enemy fire it must expect in each box."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from zareba.base.grammar import amount
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
    """The scenario and plan of a game, and the last `UnitView` of each side, which a whole phase uses."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.scenario = scenario
        self.plan = plan
        self.unit_views: dict[str, tuple[Hashable, UnitView]] = {}


@dataclass(frozen=True, slots=True)
class SideView:
    """A battle, from the point of view of the side that chooses."""

    battle: Battle
    evaluator: CachedView
    side: str

    def enemies(self) -> list[Unit]:
        side = self.side
        return [unit for unit in self.battle.units.values() if unit.box != OFF_TABLE and unit.spec.side != side]

    def unit_view(self) -> UnitView:
        """Return the values of boxes. They are computed once for each turn and position of the enemy."""
        battle = self.battle
        enemy_units = tuple((u.box, u.strength, u.marks) for u in battle.units.values() if u.spec.side != self.side)
        objects = tuple((p.box, p.carrier, p.taken_by) for p in battle.prizes.values())
        key = (battle.turn, self.side, enemy_units, objects)
        cached = self.evaluator.unit_views.get(self.side)
        if cached is None or cached[0] != key:
            cached = self.evaluator.unit_views[self.side] = (key, UnitView(self))
        return cached[1]


class UnitView:
    """The value of each box to the units of a side: objectives to reach or hold, and the enemy fire to expect.

    `goals`: (value, boxes) for any unit to reach; `own_goals`: the same by unit id; `held_places`: boxes to hold, with
    their value.
    """

    def __init__(self, side_view: SideView) -> None:
        battle, side = side_view.battle, side_view.side
        scenario, plan = side_view.evaluator.scenario, side_view.evaluator.plan
        self.grid = battle.field.grid
        self.goals: list[tuple[float, tuple[int, ...]]] = []
        self.own_goals: dict[str, list[tuple[float, tuple[int, ...]]]] = {}
        self.held_places: dict[int, float] = {}
        # copies, so that later play does not change them
        self.enemies = [enemy.copy() for enemy in side_view.enemies()]
        self._potential: dict[tuple[str, int, bool], float] = {}
        self._danger: dict[int, float] = {}
        self._shots: dict[tuple[Reaches, int], list[tuple[float, int]]] = {}
        self._battle = battle
        for key, goal in scenario.objectives.items():
            is_own_goal = not goal.by or side in goal.by
            if goal.kind == "hold":
                self._add_hold(battle, side, plan.places.get(key, frozenset()), goal.points * 0.25)
            elif goal.kind == "carry_off":
                self._add_carry_off(battle, side, goal.object, EDGES[goal.edge], goal.points * 0.3, is_own_goal)
            elif goal.kind == "escort":
                self._add_escort(battle, scenario, side, key, goal, plan)
            elif goal.kind == "destroy" and is_own_goal:
                target_ids = set(goal.units)
                for enemy in self.enemies:
                    if not target_ids or enemy.spec.id in target_ids:
                        self.goals.append((0.15 + goal.points * 0.05, (enemy.box,)))
        if not self.goals:
            self.goals += [(0.2, (enemy.box,)) for enemy in self.enemies]

    def _add_hold(self, battle: Battle, side: str, boxes: frozenset[int], value: float) -> None:
        """Add a place to hold as a goal; a side that has it alone keeps it."""
        units_inside = [unit for box in boxes for unit in battle.in_box(box) if is_effective(unit)]
        own_units = [unit for unit in units_inside if unit.spec.side == side]
        if own_units and len(own_units) == len(units_inside):
            for box in boxes:
                self.held_places[box] = max(self.held_places.get(box, 0.0), value)
            if len(own_units) == 1:
                self.own_goals.setdefault(own_units[0].spec.id, []).append((value + 1.0, tuple(sorted(boxes))))
            self.goals.append((value * 0.5, tuple(sorted(boxes))))
        else:
            self.goals.append((value + 0.5, tuple(sorted(boxes))))

    def _add_carry_off(
        self, battle: Battle, side: str, object_id: str, edge: int, value: float, is_own_goal: bool
    ) -> None:
        """Add an object to carry off: its place or its carrier as a goal, the edge as the goal of an own carrier."""
        carried = battle.prizes.get(object_id)
        if carried is None or carried.taken_by:
            return
        carrier = battle.units.get(carried.carrier)
        if carrier is None:
            self.goals.append((value + 0.6, (carried.box,)))
        elif carrier.spec.side == side:
            if is_own_goal:
                self.own_goals[carrier.spec.id] = [(value + 3.0, self.edge_boxes(edge))]
        elif carrier.on_table:
            self.goals.append((value + 0.6, (carrier.box,)))

    def _add_escort(self, battle: Battle, scenario: Scenario, side: str, key: str, goal: Any, plan: Plan) -> None:
        """Add the way out of escorted units as their goal, or the units themselves as goals of the enemy."""
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
        own_goals = self.own_goals.get(unit.spec.id)
        key = (unit.spec.id if own_goals else "", box, False)
        value = self._potential.get(key)
        if value is None:
            distance = self.grid.distance
            goals = own_goals or self.goals
            value = max(
                (
                    goal_value - STEP * min(distance(box, goal) for goal in boxes)
                    for goal_value, boxes in goals
                    if boxes
                ),
                default=0.0,
            )
            self._potential[key] = value + (0.0 if own_goals else 0.3 * self.held_places.get(box, 0.0))
            value = self._potential[key]
        return float(value)

    def shots(self, weapon: Reaches, box: int) -> list[tuple[float, int]]:
        """Return the enemies within range of a weapon (`reach_of` a unit) from a box: the factor of range and cover, and
        their bases.
        """
        shots = self._shots.get((weapon, box))
        if shots is None:
            field, factors = self._battle.field, self._battle.book.fire_factors
            shots = self._shots[weapon, box] = []
            for enemy in self.enemies:
                band = field.band[weapon, box, enemy.box]
                if band is not None and field.sight[box, enemy.box] is not None:
                    shots.append((factors[band, field.cover[box, enemy.box]], enemy.strength))
        return shots

    def danger(self, box: int) -> float:
        """Return the bases that a unit in a box is expected to lose if all enemies within range fire at it."""
        losses = self._danger.get(box)
        if losses is None:
            field, factors = self._battle.field, self._battle.book.fire_factors
            losses = 0.0
            for enemy in self.enemies:
                weapon = enemy.spec.weapon
                if not enemy.spec.fire_die or weapon in ("none", "rocket") or enemy.marks & {"broken", "wrecked"}:
                    continue
                band = field.band[reach_of(self._battle, enemy), enemy.box, box]
                if band is not None and not (enemy.mounted or field.sight[enemy.box, box] is None):
                    factor = factors[band, field.cover[enemy.box, box]]
                    losses += enemy.strength * (enemy.spec.fire_die + 1) / 2 * factor
            self._danger[box] = losses = losses / self._battle.book.settings.hits_per_base
        return losses
