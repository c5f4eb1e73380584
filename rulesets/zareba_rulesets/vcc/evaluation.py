"""Estimates the value of the options of a choice, for AI players.

The estimates use the odds of the rules' own dice pools, distances, and the scenario's objectives. They contain no
rules. One unit of value is an average regular unit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.base.exact import total
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, evaluate_each, first_does, habit
from zareba.scenario import Scenario
from zareba.table import Choose, Option
from zareba_rulesets.vcc.book import Cover
from zareba_rulesets.vcc.chapters.fire import fire_facts
from zareba_rulesets.vcc.chapters.melee import MeleeFacts
from zareba_rulesets.vcc.chapters.morale import OFF_EDGE
from zareba_rulesets.vcc.chapters.movement import CHARGE, GO
from zareba_rulesets.vcc.chapters.sight import range_key_of
from zareba_rulesets.vcc.chapters.victory import is_effective
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Unit
from zareba_rulesets.vcc.ground import Field, RangeKey
from zareba_rulesets.vcc.translation import EDGES, Plan

# --- What a side takes into account when it chooses: its objectives, and the enemy fire it must expect in each box ----


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
        """Return the enemy units on the table."""
        side = self.side
        return [unit for unit in self.battle.units.values() if unit.box != OFF_TABLE and unit.spec.side != side]

    def unit_view(self) -> UnitView:
        """Return the values of boxes. They are computed once for each turn and position of the enemy."""
        battle = self.battle
        enemy_units = tuple((u.box, u.strength, u.marks) for u in battle.units.values() if u.spec.side != self.side)
        objects = tuple((p.box, p.carrier, p.taken_by) for p in battle.prizes.values())
        key = (battle.turn, self.side, enemy_units, objects)
        known_key, view = self.evaluator.unit_views.get(self.side, (None, None))
        if view is None or known_key != key:
            view = UnitView(self)
            self.evaluator.unit_views[self.side] = key, view
        return view


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
        self._shots: dict[tuple[RangeKey, int], list[tuple[float, int]]] = {}
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
        units_inside = [unit for box in boxes for unit in battle.units_in(box) if is_effective(unit)]
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

    def shots(self, weapon: RangeKey, box: int) -> list[tuple[float, int]]:
        """Return the enemies within range of a weapon (`range_key_of` a unit) from a box: the factor of range and cover, and
        their bases.
        """
        shots = self._shots.get((weapon, box))
        if shots is None:
            field, factors = self._battle.field, self._battle.book.fire_factors
            shots = self._shots[weapon, box] = []
            for enemy in self.enemies:
                band = field.range_bands[weapon, box, enemy.box]
                if band is not None and field.sight_lines[box, enemy.box] is not None:
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
                band = field.range_bands[range_key_of(self._battle, enemy), enemy.box, box]
                if band is not None and not (enemy.mounted or field.sight_lines[enemy.box, box] is None):
                    factor = factors[band, field.cover[enemy.box, box]]
                    losses += enemy.strength * (enemy.spec.fire_die + 1) / 2 * factor
            self._danger[box] = losses = losses / self._battle.book.settings.hits_per_base
        return losses


# --- The value of charges: the bases that both sides lose in the melee ------------------------------------------------


def evaluate_charge(battle: Battle, unit: Unit, enemy: Unit) -> Evaluation:
    """Return the expected exchange: the enemy's volley on the way in, morale, then melee both ways (VCC-094, VCC-134)."""
    field, per_base, modifier = battle.field, battle.book.settings.hits_per_base, battle.book.modifier
    flank = enemy.spec.troop != "wagon" and "square" not in enemy.marks and unit.box != enemy.box
    flank = flank and not field.front_arcs[enemy.facing, enemy.box, unit.box]
    volley = 0.0
    shoots = enemy.spec.weapon in ("musket", "rifle") and enemy.spec.fire_die and not enemy.mounted
    if shoots and "broken" not in enemy.marks:
        close, prone = modifier("fire_dice", "close", 1.0), modifier("fire_dice", "prone", 1.0)
        volley = enemy.strength * close * (enemy.spec.fire_die + 1) / 2 / per_base
        volley *= prone if "prone" in enemy.marks else 1.0
    strength_left = max(0.0, unit.strength - volley)
    faces, quality = battle.book.file.morale_die.faces, unit.spec.quality
    bonus = modifier("morale", quality, 0.0) if quality in ("elite", "raw") else 0.0
    pass_chance = min(1.0, max(0.0, (strength_left + bonus) / faces))
    own_hits = _mean_hits(
        battle,
        unit,
        strength_left,
        charging=True,
        flank=flank,
        enemy=enemy,
        uphill=field.level[unit.box] < field.level[enemy.box],
        cover=field.cover[unit.box, enemy.box],
    )
    enemy_hits = _mean_hits(
        battle, enemy, float(enemy.strength), charging=False, flank=False, enemy=unit, uphill=False, cover="none"
    )
    inflicts = min(own_hits / per_base, enemy.strength) * pass_chance
    suffers = min(volley + enemy_hits / per_base * pass_chance, unit.strength)
    flank_modifier = modifier("morale", "flanked", 0.0)
    fail_chance = 1 - min(1.0, max(0.0, (enemy.strength - inflicts + flank_modifier * flank) / faces))

    def reason() -> str:
        price = "more" if suffers > inflicts + 0.2 else "less" if suffers < inflicts - 0.2 else "about as much"
        return f"the charge would cost the enemy {bases_lost(inflicts)}, and this unit {price}"

    return Evaluation(
        inflicts=inflicts * BASE + 0.5 * fail_chance * pass_chance,
        suffers=suffers * BASE * 0.8,
        ground=STEP,
        reason=reason,
    )


def _mean_hits(
    battle: Battle, unit: Unit, strength: float, *, charging: bool, flank: bool, enemy: Unit, uphill: bool, cover: Cover
) -> float:
    """Return the mean hits of a melee roll."""
    situation = MeleeFacts(
        bases=round(strength),
        quality=unit.spec.quality,
        charging=charging,
        flank=flank,
        lancers=unit.spec.lancers and unit.mounted,
        enemy_broken="broken" in enemy.marks,
        mounted=unit.mounted,
        enemy_dervish_foot=enemy.dervish_foot,
        broken="broken" in unit.marks,
        uphill=uphill,
        cover=cover,
    )
    dice: int = battle.book.rules.tally("melee_dice", situation, battle, unit, enemy).total
    return dice * (unit.spec.melee_die + 1) / 2 if strength > 0 else 0.0


# --- The value of shots: the bases they cost the enemy ----------------------------------------------------------------


def _expected_loss(battle: Battle, unit: Unit, target: Unit) -> float:
    """Return the bases that a shot is expected to cost its target, at most those it has."""
    dice = battle.book.rules.tally("fire_dice", fire_facts(battle, unit, target), battle, unit, target).total
    hits = dice * (unit.spec.fire_die + 1) / 2 + target.hits
    per_base: int = battle.book.settings.hits_per_base
    return min(hits / per_base, target.strength)


def _evaluate_shot(battle: Battle, unit: Unit, target: Unit) -> Evaluation:
    """Return the value of a shot: the bases it costs the enemy, less the risk of overheating."""
    loss = _expected_loss(battle, unit, target)
    value = loss * BASE * (1.3 if target.spec.troop in ("artillery", "machine_gun") else 1.0)
    if loss >= target.strength:
        value += 0.5
    if "broken" in target.marks:
        value *= 0.6
    risk = 0.0
    if "overheated" in unit.marks:
        risk = (unit.streak + 1) / battle.book.file.overheating.die * unit.strength * BASE * 2
    return Evaluation(
        inflicts=value,
        suffers=risk,
        reason=lambda: (
            f"would probably destroy {target.spec.name}"
            if loss >= target.strength
            else f"{target.spec.name} would lose {bases_lost(loss)}"
        )[:80],
    )


@evaluate_each
def evaluate_target(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of firing at a target, or of holding fire."""
    battle = side_view.battle
    if option not in battle.units:
        return Evaluation(reason="no shot worth taking")
    return _evaluate_shot(battle, battle.unit(question.actor), battle.unit(str(option)))


@evaluate_each
def evaluate_firer(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of letting a unit fire next: that of its dice."""
    unit = side_view.battle.units.get(str(option))
    if unit is None:
        return NOTHING
    loss = unit.strength * unit.spec.fire_die * BASE if unit.spec.fire_die else 1.0
    return Evaluation(
        inflicts=loss, reason=f"it fires with {amount(unit.strength, 'gunner' if unit.crewed else 'base')}"
    )


@evaluate_each
def evaluate_rocket_target(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of a box as the target of a rocket: the units there, own units counted against it."""
    if not isinstance(option, int):
        return Evaluation(reason="no target worth a rocket")
    value = total(
        (0.25 if unit.mounted else 0.15) * (1 if unit.spec.side != side_view.side else -1.2)
        for unit in side_view.battle.units_in(option)
        if "broken" not in unit.marks
    )
    rocket = side_view.battle.book.file.rocket
    on_target = (rocket.die + 1 - rocket.on_target) / rocket.die
    return Evaluation(inflicts=value, reason=f"{on_target:.0%} of rockets come down where they are aimed (VCC-098)")


# --- The value of moves: ground gained towards the objectives, and fire given and taken at the destination ------------


def evaluate_move(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each option of a unit in its movement."""
    battle = side_view.battle
    unit = battle.unit(question.actor)
    unit_view = side_view.unit_view()
    value_here = unit_view.potential(unit, unit.box)
    return [_evaluate_move_option(side_view, unit_view, unit, value_here, option) for option in question.options]


def _evaluate_move_option(
    side_view: SideView, unit_view: UnitView, unit: Unit, value_here: float, option: Option
) -> Evaluation:
    """Return the value of one option of a move; `value_here` is that of the present box."""
    battle = side_view.battle
    if isinstance(option, tuple):
        verb, goal = option
        if verb == CHARGE:
            return evaluate_charge(battle, unit, battle.unit(goal))
        assert verb == GO, "the two verbs of movement"
        gain = unit_view.potential(unit, goal) - value_here
        return _evaluate_place(side_view, unit_view, unit, goal, gain, moves=True)
    if option == "leave the table":
        return Evaluation(ground=10.0, reason="it may leave the table here (VCC-057)")
    if option == "form square":
        riders = _riders_near(unit_view, unit)
        return Evaluation(
            ground=0.4 if riders else -0.3,
            reason=f"{amount(riders, 'mounted enemy', 'mounted enemies')} near; a square has no flank (VCC-060)"
            if riders
            else "no mounted enemies near",
        )
    if option == "leave square":
        riders = _riders_near(unit_view, unit)
        return Evaluation(
            ground=-0.4 if riders else 0.02, reason="mounted enemies near" if riders else "no mounted enemies near"
        )
    if option == "dismount":
        fire = _best_fire(side_view, unit_view, unit, unit.box) if unit.spec.weapon != "none" else 0.0
        return Evaluation(inflicts=fire * 0.5, ground=-0.05, reason="dismounted, it fires as infantry (VCC-024)")
    if option == "mount":
        fire = _best_fire(side_view, unit_view, unit, unit.box)
        return Evaluation(ground=0.15 if fire == 0 else -0.3, reason="no target in reach: ride on")
    if option == "lie down":
        return Evaluation(ground=-0.3, reason="lying down costs the next move (VCC-066)")
    if option == "get up":
        return Evaluation(ground=0.2, reason="get up and move again")
    return _evaluate_place(side_view, unit_view, unit, unit.box, 0.0, moves=False)


def _riders_near(unit_view: UnitView, unit: Unit) -> int:
    """Return the number of mounted enemies within three boxes."""
    return sum(enemy.mounted and unit_view.grid.distance(enemy.box, unit.box) <= 3 for enemy in unit_view.enemies)


def _evaluate_place(
    side_view: SideView, unit_view: UnitView, unit: Unit, box: int, gain: float, *, moves: bool
) -> Evaluation:
    """Return the value of moving to a box or staying: fire from it, fire at it, and the ground gained."""
    fire = _best_fire(side_view, unit_view, unit, box)
    is_crewed = unit.troop in ("machine_gun", "rocket")
    moved_fire = side_view.battle.book.modifier("fire_dice", "moved", 1.0) if moves else 1.0
    inflicts = fire * BASE * moved_fire * (0.2 if is_crewed and moves else 1.0)
    fear = FEAR if unit.spec.fire_die else FEAR * 0.3
    danger = unit_view.danger(box)
    suffers = min(danger, unit.strength) * BASE * fear

    def reason() -> str:
        goes = "nearer to" if gain > 0.02 else "farther from" if gain < -0.02 else "no nearer to"
        action = f"{goes} its goal" if moves else "stays"
        fires = ["can fire from there" if moves else "can fire from here"] if inflicts >= 0.05 else []
        risk = "safe from fire" if danger < 0.1 else f"may lose {bases_lost(min(danger, unit.strength))} to fire"
        return ", ".join([action, *fires, risk])

    return Evaluation(inflicts=inflicts, suffers=suffers, ground=gain, reason=reason)


def _best_fire(side_view: SideView, unit_view: UnitView, unit: Unit, box: int) -> float:
    """Return the bases that the unit's best shot from a box is expected to cost, without having moved."""
    spec = unit.spec
    weapon = spec.weapon
    if not spec.fire_die or weapon in ("none", "rocket") or (unit.mounted and not spec.can_dismount):
        return 0.0
    bases = unit.strength * (spec.fire_die + 1) / 2 / side_view.battle.book.settings.hits_per_base
    return max(
        (
            min(factor * bases, float(target_bases))
            for factor, target_bases in unit_view.shots(range_key_of(side_view.battle, unit), box)
        ),
        default=0.0,
    )


@evaluate_each
def evaluate_mover(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of letting a unit move next: shock troops first, so that no other unit blocks their charges."""
    unit = side_view.battle.units.get(str(option))
    if unit is None:
        return NOTHING
    priority = 2.0 if unit.is_line and not unit.spec.fire_die else 1.0
    return Evaluation(ground=priority, reason="it has not moved yet")


def evaluate_facing(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each facing: the enemies in the front arc, of which near ones count most.

    Without an enemy on the table, the unit keeps its facing: at deployment the one that the scenario suggests. A pivot
    spoils the next shot of a crewed weapon, but not while the unit is set up (VCC-025, VCC-169).
    """
    battle = side_view.battle
    unit = battle.unit(question.actor)
    field = battle.field
    weights = [
        (enemy.box, 1.0 / (1.0 + float(field.grid.distance(unit.box, enemy.box)) ** 2)) for enemy in side_view.enemies()
    ]
    pivots = unit.crewed and question.rule in ("VCC-044", "VCC-048")
    evaluations = []
    for option in question.options:
        if not isinstance(option, int):
            evaluations.append(Evaluation(ground=-0.1, reason="a square has no front"))
            continue
        keeps = option == unit.facing
        covered_weight = total(weight for box, weight in weights if field.front_arcs[option, unit.box, box])
        if not weights:
            evaluations.append(Evaluation(ground=0.1 * keeps, reason=_facing_reason(side_view.side, field, option)))
            continue
        reason = "faces the nearest enemies (VCC-026)" if covered_weight else "has no enemy in front (VCC-026)"
        if pivots and keeps:
            reason = "does not pivot, so the next shot has all its dice (VCC-044)"
        evaluations.append(Evaluation(ground=covered_weight - (0.15 if pivots and not keeps else 0.0), reason=reason))
    return evaluations


def _facing_reason(side: str, field: Field, facing: int) -> str:
    """Return what lies in front of a unit that has no enemy on the table to face."""
    if facing == field.home_edge[field.enemy(side)]:
        return "faces the enemy's edge of the table (VCC-026)"
    return "no enemy is on the table yet (VCC-026)"


# --- The value of retreats, of moves of the Army Commander, and of melee opponents ------------------------------------


def evaluate_retreat(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each box of a retreat: the less enemy fire, the better."""
    unit_view = side_view.unit_view()
    return [
        Evaluation(ground=-9.0, reason="off the table")
        if option == OFF_EDGE or not isinstance(option, int)
        else Evaluation(
            suffers=unit_view.danger(option) * BASE,
            reason=f"would lose {bases_lost(unit_view.danger(option))} to fire there",
        )
        for option in question.options
    ]


def evaluate_commander_move(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each box for the Army Commander: bases that he helps (VCC-143), away from the enemy."""
    battle, unit_view = side_view.battle, side_view.unit_view()
    morale_bonus = battle.book.modifier("morale", "commander", 0.0)
    evaluations = []
    for option in question.options:
        assert isinstance(option, int), "boxes"
        own_units = battle.units_in(option, side_view.side)
        need = total(unit.strength * (2.0 if unit.marks & {"prone", "broken"} else 1.0) for unit in own_units)
        enemies_near = sum(unit_view.grid.distance(option, enemy.box) <= 1 for enemy in unit_view.enemies)
        value = need * BASE * (1.0 + min(unit_view.danger(option), 3.0) * 0.3)
        evaluations.append(
            Evaluation(
                steadies=value,
                suffers=0.0 if own_units else enemies_near * 1.0,
                reason=f"units with him there get {morale_bonus:+g} morale (VCC-143)"
                if own_units
                else "no unit to help there",
            )
        )
    return evaluations


@evaluate_each
def evaluate_opponent(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of an opponent in melee: the weaker, the better."""
    enemy = side_view.battle.unit(str(option))
    bases_left = amount(enemy.strength, "base")
    return Evaluation(inflicts=1.0 / (1 + enemy.strength), reason=f"{enemy.spec.name} has {bases_left} left"[:80])


@evaluate_each
def evaluate_support(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of supporting, which is always better: supporters add dice and take no hits."""
    share = side_view.battle.book.modifier("melee_dice", "supporting", 1.0)
    reason = f"a supporter adds {share:.0%} of its dice and takes no hits (VCC-126, VCC-132)"
    return Evaluation(inflicts=0.0 if option == "nobody" else 0.5, reason=reason)


# --- Estimates the value of the options of a choice, for AI players ---------------------------------------------------
#
# The estimates use the odds of the rules' own dice pools, distances, and the scenario's objectives. They contain no
# rules. One unit of value is an average regular unit.


_AS_SUGGESTED = first_does("ground", 1.0, "as the scenario suggests")

_EVALUATIONS: dict[str, Callable[[SideView, Choose], list[Evaluation]]] = {
    "fire with": evaluate_firer,
    "fire at": evaluate_target,
    "rocket at": evaluate_rocket_target,
    "move with": evaluate_mover,
    "move": evaluate_move,
    "face": evaluate_facing,
    "pivot to": evaluate_facing,
    "retreat to": evaluate_retreat,
    "commander to": evaluate_commander_move,
    "attach commander to": habit("ground", {"alone": 0.1}, "he is safe from leader checks when unattached (VCC-163)"),
    "check morale of": habit("ground", {}, "the order of checks makes little difference (VCC-038)"),
    "fight": evaluate_opponent,
    "support": evaluate_support,
    "deploy in": _AS_SUGGESTED,
    "arrive in": _AS_SUGGESTED,
}
"""The function that evaluates the options of each question."""


class Evaluator(CachedView):
    """Evaluates the choices of one game."""

    def evaluate(self, battle: Battle, question: Choose) -> Sequence[Evaluation]:
        """Return an evaluation of each option, in order; empty ones if the rules have no estimate for the question."""
        evaluate_options = _EVALUATIONS.get(question.why)
        if evaluate_options is None:
            return [NOTHING] * len(question.options)
        return evaluate_options(SideView(battle, self, question.seat), question)
