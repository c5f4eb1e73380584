"""The value of the options of a choice, for AI players.

The estimates use the odds of the rules' own dice pools, distances, and the scenario's objectives. They contain no
rules. One unit of value is an average regular unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from zareba.base.exact import total
from zareba.base.grammar import amount, percent
from zareba.base.speedups import cached_attribute
from zareba.battle.evaluation import Evaluation, evaluate_each, fixed_values, prefer_first
from zareba.battle.intentions import ValuedObjective, assign_objectives
from zareba.scenario import Scenario
from zareba.table import Choose, Option
from zareba_rulesets.vcc.book import Cover
from zareba_rulesets.vcc.chapters.fire import fire_facts
from zareba_rulesets.vcc.chapters.melee import MeleeFacts
from zareba_rulesets.vcc.chapters.morale import OFF_EDGE
from zareba_rulesets.vcc.chapters.movement import CHARGE, GO, ends_move
from zareba_rulesets.vcc.chapters.sight import range_key_of
from zareba_rulesets.vcc.chapters.victory import is_effective
from zareba_rulesets.vcc.forces import LINE, OFF_TABLE, Battle, Unit
from zareba_rulesets.vcc.ground import Field, RangeKey
from zareba_rulesets.vcc.translation import EDGES, Plan

# --- What a side takes into account when it chooses: its objectives, and the enemy fire it must expect in each box ----


BASE = 1 / 6  # value of a base: a regular unit of six is worth 1
POINT = 0.15  # value of a point of the scenario: seven points are worth a unit, because points decide and losses do not
STEP = 0.12  # value of being one box nearer to an objective; less than a base: no unit walks into fire for one box
HASTE = 4.0  # the factor of STEP for a unit that must not wait
BANDS = 2  # bands close to the enemy that riders without firearms join
TAKE = 0.5  # value of taking a place in addition to its points: it draws units from afar
REST = 0.01  # value of staying, so that no unit moves for nothing
FEAR = 0.35  # share of the expected fire in a box that counts against moving there
FINAL = 4.0  # the factor of what a place is worth in the last turn: only then do its points count
SUPPORT = 0.5  # share of the value of a place that has enough units, for a unit without an objective
UNDER_FIRE = 0.3  # bases that the fire at a place has to cost before a unit waits elsewhere until it has to go there
FIGHT = 0.2  # value of reaching an enemy for a unit without an objective: no unit stands idle
ROUT = 0.5  # value of breaking an enemy: half a unit, because it may rally
PRICE_OF_CHARGE = 0.8  # share of the losses of a charge that counts: a melee decides, waiting under fire does not
EXPOSED = 1.0  # share of the gain of an enemy charge that counts against a box
NEAR = 1.5  # boxes within which an escort counts as being with what it escorts: the box itself and those around it
NOTHING = Evaluation()


def bases_lost(bases: float) -> str:
    """Return an expected number of bases in words."""
    if bases < 0.1:
        return "no base"
    return "hardly a base" if bases < 0.5 else f"about {amount(max(1, round(bases)), 'base')}"


class CachedView:
    """The scenario and plan of a game, and the last `BoxValues` and `Intentions` of each side, so that all choices of
    a phase share them.
    """

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.scenario = scenario
        self.plan = plan
        self.box_values_by_side: dict[str, tuple[Hashable, BoxValues]] = {}
        self.intentions: dict[str, tuple[Hashable, Intentions]] = {}


class SideView:
    """A battle at one choice, from the point of view of the side that chooses."""

    __slots__ = ("_box_values", "_intentions", "battle", "evaluator", "side")

    def __init__(self, battle: Battle, evaluator: CachedView, side: str) -> None:
        self.battle, self.evaluator, self.side = battle, evaluator, side
        self._box_values: BoxValues | None = None
        self._intentions: Intentions | None = None

    def enemies(self) -> list[Unit]:
        """Return the enemy units on the table."""
        side = self.side
        return [unit for unit in self.battle.units.values() if unit.box != OFF_TABLE and unit.spec.side != side]

    def intentions(self) -> Intentions:
        """Return the objectives of the own units. They are computed once for each position of all units."""
        if self._intentions is not None:
            return self._intentions
        side, box_values = self.side, self.box_values()
        key = (
            id(box_values),
            [(u.box, u.bases, u.leader, u.marks) for u in self.battle.units.values() if u.spec.side == side],
        )
        known_key, intentions = self.evaluator.intentions.get(side, (None, None))
        if intentions is None or known_key != key:
            intentions = Intentions(self, box_values)
            self.evaluator.intentions[side] = key, intentions
        self._intentions = intentions
        return intentions

    def box_values(self) -> BoxValues:
        """Return the values of boxes. They are computed once for each turn, position of the enemy, and position of the
        own wagons and guns.
        """
        if self._box_values is not None:
            return self._box_values
        battle, side = self.battle, self.side
        key = (
            battle.turn,
            [
                (u.box, u.facing, u.bases, u.leader, u.marks) if u.spec.side != side else u.box
                for u in battle.units.values()
                if u.spec.side != side or u.spec.troop not in LINE
            ],
            [(p.box, p.carrier, p.taken_by) for p in battle.carried_objects.values()]
            if battle.carried_objects
            else None,
        )
        known_key, view = self.evaluator.box_values_by_side.get(side, (None, None))
        if view is None or known_key != key:
            view = BoxValues(self)
            self.evaluator.box_values_by_side[side] = key, view
        self._box_values = view
        return view


class Objective(NamedTuple):
    """Boxes that a side wants to reach or to hold.

    `value` is what being there is worth, `strength` the bases that it takes, `kept` the value that is lost when the
    last unit leaves. `key` is the objective or unit that it is about. If it `can_wait`, it is enough to be there at the
    end.
    """

    key: str
    value: float
    boxes: tuple[int, ...]
    strength: float = 0.0
    kept: float = 0.0
    can_wait: bool = False


class BoxValues:
    """The objectives of a side and the enemy fire to expect in each box.

    `objectives` are for any unit; `own_objectives`, by unit id, for units that the scenario sends somewhere. `stakes`
    is the value, by unit id and for both sides, that the scenario puts on a unit in addition to its bases: its escort,
    and what it carries or holds.
    """

    def __init__(self, side_view: SideView) -> None:
        battle, side = side_view.battle, side_view.side
        scenario, plan = side_view.evaluator.scenario, side_view.evaluator.plan
        self.grid = battle.field.grid
        self.objectives: list[Objective] = []
        self.own_objectives: dict[str, list[Objective]] = {}
        self.stakes: dict[str, float] = {}
        self.turns_left = scenario.turns - battle.turn + 1
        # copies, so that later play does not change them
        self.enemies = [enemy.copy() for enemy in side_view.enemies()]
        self._danger: dict[int, float] = {}
        self._chargers: dict[int, list[Unit]] = {}
        self._exchanges: dict[tuple[Any, ...], float] = {}
        self._shots: dict[tuple[RangeKey, int], list[tuple[float, int]]] = {}
        self._battle = battle
        self._targets = [(enemy.box, enemy.strength) for enemy in self.enemies]
        self._firers = [
            (range_key_of(battle, enemy), enemy.box, enemy.strength * (enemy.spec.fire_die + 1) / 2)
            for enemy in self.enemies
            if enemy.spec.fire_die
            and enemy.spec.weapon not in ("none", "rocket")
            and not enemy.marks & {"broken", "wrecked"}
            and not enemy.mounted
        ]
        self._assailants = [
            (enemy, enemy.troop, enemy.box, battle.book.classes[enemy.troop].allowance)
            for enemy in self.enemies
            if enemy.is_line and "broken" not in enemy.marks
        ]
        self.enemy_strength = float(
            total(enemy.strength for enemy in self.enemies if enemy.is_line and is_effective(enemy))
        )
        self.value_of_places = POINT * total(
            objective.points for objective in scenario.objectives.values() if objective.kind == "hold"
        )
        for key, objective in scenario.objectives.items():
            is_own_objective = not objective.by or side in objective.by
            if objective.kind == "hold":
                self._add_hold(battle, side, key, plan.places.get(key, frozenset()), objective.points * POINT)
            elif objective.kind == "carry_off":
                self._add_carry_off(
                    battle, side, objective.object, EDGES[objective.edge], objective.points * POINT, is_own_objective
                )
            elif objective.kind == "escort":
                self._add_escort(battle, side, key, objective, plan)
            elif objective.kind in ("destroy", "survive"):
                self._add_destroy(battle, side, objective, is_own_objective)
            elif objective.kind == "capture_leader":
                led = plan.leaders.get(objective.leader)
                if led is not None:
                    self._add_stake(led, objective.points * POINT)
        for enemy in self.enemies:
            self.objectives.append(Objective(enemy.spec.id, FIGHT + self.stakes.get(enemy.spec.id, 0.0), (enemy.box,)))

    def _add_stake(self, unit_id: str, value: float) -> None:
        """Add to what the scenario puts on a unit."""
        self.stakes[unit_id] = self.stakes.get(unit_id, 0.0) + value

    def _add_hold(self, battle: Battle, side: str, key: str, boxes: frozenset[int], value: float) -> None:
        """Add a place to hold. The enemies in it have its value at stake."""
        units_inside = [unit for box in boxes for unit in battle.units_in(box) if is_effective(unit)]
        enemies = [unit for unit in units_inside if unit.spec.side != side]
        for enemy in enemies:
            self._add_stake(enemy.spec.id, value / len(enemies))
        # The enemy is expected to divide his force by the value of the places, so the same share is wanted against him.
        strength = max(
            float(total(enemy.strength for enemy in enemies)),
            self.enemy_strength * value / max(value, self.value_of_places),
        )
        if boxes:
            can_wait = self._can_wait(battle, side, boxes)
            kept = value * FINAL if self.turns_left <= 1 else 0.0 if can_wait else value
            self.objectives.append(Objective(key, value + TAKE, tuple(sorted(boxes)), strength, kept, can_wait))

    def _can_wait(self, battle: Battle, side: str, boxes: frozenset[int]) -> bool:
        """Return True if the enemy has only guns left, which fire at a place but will not take it."""
        has_others = any(
            unit.is_line and not unit.crewed and (unit.on_table or unit.spec.id in battle.arrivals)
            for unit in battle.units.values()
            if unit.spec.side != side
        )
        return not has_others and min(map(self.danger, boxes)) >= UNDER_FIRE

    def _add_carry_off(
        self, battle: Battle, side: str, object_id: str, edge: int, value: float, is_own_objective: bool
    ) -> None:
        """Add an object to carry off: an objective at its place or carrier, or for an own carrier at the edge."""
        carried = battle.carried_objects.get(object_id)
        if carried is None or carried.taken_by:
            return
        carrier = battle.units.get(carried.carrier)
        if carrier is None:
            if carried.box != OFF_TABLE:
                self.objectives.append(Objective(object_id, value + TAKE, (carried.box,)))
            return
        self._add_stake(carrier.spec.id, value)
        if carrier.spec.side == side and is_own_objective:
            self.own_objectives[carrier.spec.id] = [Objective(object_id, value + TAKE, battle.field.edge_boxes[edge])]

    def _add_escort(self, battle: Battle, side: str, key: str, objective: Any, plan: Plan) -> None:
        """Add the way out of escorted units as their objective, and these units as an objective for one unit that stays
        with them.
        """
        boxes = tuple(sorted(plan.places.get(key, ()))) or battle.field.edge_boxes[EDGES[objective.edge]]
        for unit_id in objective.units:
            unit = battle.units.get(unit_id)
            if unit is None or unit.box == OFF_TABLE:
                continue
            self._add_stake(unit_id, objective.points * POINT / len(objective.units))
            if unit.spec.side == side:
                self.own_objectives.setdefault(unit_id, []).append(
                    Objective(key, objective.points * POINT + TAKE, boxes)
                )
                if not unit.is_line:
                    around = tuple(box for box in self.grid.around(unit.box) if box is not None)
                    value = objective.points * POINT
                    self.objectives.append(Objective(unit_id, value + TAKE, (unit.box, *around), kept=value))

    def _add_destroy(self, battle: Battle, side: str, objective: Any, is_own_objective: bool) -> None:
        """Add the value of the points to the units named, or shared among all enemies if the side scores for any."""
        named = [unit for unit in map(battle.units.get, objective.units) if unit is not None]
        units = named if objective.units else self.enemies
        if objective.units or (objective.kind == "destroy" and is_own_objective):
            for unit in units:
                self._add_stake(unit.spec.id, objective.points * POINT / len(units))

    @cached_attribute
    def enemies_near(self) -> Mapping[int, int]:
        """The number of enemies in each box and the boxes around it; boxes with none are left out."""
        return Counter(
            box for enemy in self.enemies for box in (enemy.box, *self.grid.around(enemy.box)) if box is not None
        )

    def shots(self, weapon: RangeKey, box: int) -> list[tuple[float, int]]:
        """Return the enemies within range of a weapon (`range_key_of` a unit) from a box: the factor of range and
        cover, and their bases.
        """
        shots = self._shots.get((weapon, box))
        if shots is None:
            field, factors = self._battle.field, self._battle.book.fire_factors
            bands, sight_lines, cover = field.range_bands, field.sight_lines, field.cover
            shots = self._shots[weapon, box] = [
                (factors[band, cover[box, target]], bases)
                for target, bases in self._targets
                if (band := bands[weapon, box, target]) is not None and sight_lines[box, target] is not None
            ]
        return shots

    def gain_of_charge(self, battle: Battle, unit: Unit, enemy: Unit, cover: Cover, *, flank: bool) -> float:
        """Return the gain of a charge between units as they are, in average units (cached)."""
        key = unit.spec.id, unit.strength, enemy.spec.id, enemy.strength, cover, flank
        if key not in self._exchanges:
            exchange = expected_exchange(battle, unit, enemy, cover=cover, flank=flank, uphill=False)
            self._exchanges[key] = exchange.gain
        return self._exchanges[key]

    def chargers(self, box: int) -> Sequence[Unit]:
        """Return the enemy units that can charge into a box in their next move."""
        found = self._chargers.get(box)
        if found is None:
            path_lengths = self._battle.field.path_lengths
            found = self._chargers[box] = [
                enemy
                for enemy, troop, start, allowance in self._assailants
                if path_lengths[troop, (box,)][start] <= allowance
            ]
        return found

    def danger(self, box: int) -> float:
        """Return the bases that a unit in a box is expected to lose if all enemies within range fire at it."""
        losses = self._danger.get(box)
        if losses is None:
            field, factors = self._battle.field, self._battle.book.fire_factors
            bands, sight_lines, cover = field.range_bands, field.sight_lines, field.cover
            losses = 0.0
            for weapon, start, hits in self._firers:
                band = bands[weapon, start, box]
                if band is not None and sight_lines[start, box] is not None:
                    losses += hits * factors[band, cover[start, box]]
            self._danger[box] = losses = losses / self._battle.book.settings.hits_per_base
        return losses


class Slope(NamedTuple):
    """The value of boxes on the way to an objective: `value` at the objective, `step` less for each box of the way, and
    `kept` more for the boxes of the objective itself. `lengths` is the way from each box. The last `spare` boxes of the
    way cost nothing.
    """

    lengths: tuple[float, ...]
    value: float
    step: float
    kept: float
    spare: float = 0.0


class Intentions:
    """The objective of each unit of a side. It is chosen again from the state of the battle whenever a piece has moved.

    A unit keeps its objective while it is on the way, because each step makes the objective cheaper for it than for any
    other.
    """

    def __init__(self, side_view: SideView, box_values: BoxValues) -> None:
        battle = side_view.battle
        self._view = box_values
        self._classes = battle.book.classes
        self._path_lengths = battle.field.path_lengths
        self._slopes: dict[str, list[Slope]] = {}
        self.units = {
            unit.spec.id: unit
            for unit in battle.units.values()
            if unit.spec.side == side_view.side and is_effective(unit) and unit.is_line and not unit.crewed
        }
        enemies = {enemy.spec.id for enemy in box_values.enemies}
        objectives = {objective.key: objective for objective in box_values.objectives if objective.key not in enemies}
        free = {name: unit for name, unit in self.units.items() if name not in box_values.own_objectives}
        costs = {
            name: {key: self._cost(unit, objective) for key, objective in objectives.items()}
            for name, unit in free.items()
        }
        self.objective_of = {
            name: objectives[objective.key]
            for name, objective in assign_objectives(
                [(name, float(unit.strength)) for name, unit in free.items()],
                [ValuedObjective(key, objective.value, objective.strength) for key, objective in objectives.items()],
                lambda name, objective: costs[name][objective.key],
            ).items()
        }

    @cached_attribute
    def _bands_attack(self) -> bool:
        """True if enough units on foot without firearms can reach an enemy in two moves."""
        enemies = [(enemy.box,) for enemy in self._view.enemies]
        bands = [unit for unit in self.units.values() if unit.spec.weapon == "none" and not unit.mounted]
        close = 0
        for band in bands:
            reach = 2 * self._classes[band.troop].allowance
            close += any(self._path_lengths[band.troop, box][band.box] <= reach for box in enemies)
        return close >= BANDS

    def _cost(self, unit: Unit, objective: Objective) -> float | None:
        """Return the value of the boxes to go; None if the unit cannot be there before the battle ends."""
        troop = unit.troop
        boxes = self._path_lengths[troop, objective.boxes][unit.box]
        return STEP * boxes if boxes <= self._reach(troop) else None

    def _reach(self, troop: str) -> int:
        """Return the boxes that a class of troops can move in the turns left."""
        return self._classes[troop].allowance * self._view.turns_left

    def potential(self, unit: Unit, box: int) -> float:
        """Return the value of a box to a unit: that of its best objective, or of supporting others if it has none. One
        box nearer is worth STEP.
        """
        slopes = self._slopes.get(unit.spec.id)
        if slopes is None:
            slopes = self._slopes[unit.spec.id] = self._slopes_of(unit)
        best = -inf
        for lengths, value, step, kept, spare in slopes:
            boxes = lengths[box]
            if boxes == 0:
                value += kept
            elif boxes == inf:
                value = -STEP * self._view.grid.size
            elif boxes > spare:
                value -= step * (boxes - spare)
            best = max(best, value)
        return best if slopes else 0.0

    def _slopes_of(self, unit: Unit) -> list[Slope]:
        """Return the slopes to the objectives of a unit, or to all objectives at a lower value if it has none."""
        troop = unit.troop
        own = self.objective_of.get(unit.spec.id)
        objectives = self._view.own_objectives.get(unit.spec.id) or ([own] if own is not None else [])
        # Riders without firearms do nothing while they wait out of range, and the bands draw the fire.
        joins = unit.mounted and unit.spec.weapon == "none" and self._bands_attack
        if not objectives:
            step = STEP * HASTE if joins else STEP
            return [
                Slope(self._path_lengths[troop, objective.boxes], SUPPORT * objective.value, step, 0.0)
                for objective in self._view.objectives
            ]
        slopes = []
        for objective in objectives:
            lengths = self._path_lengths[troop, objective.boxes]
            allowance = self._classes[troop].allowance
            spare = self._reach(troop) - lengths[unit.box]
            is_late = 0 <= spare < allowance
            step = STEP * HASTE if is_late or joins else STEP
            # Morale may cost the unit a turn, so it waits where it needs two turns less than are left.
            waits = max(0, self._reach(troop) - 2 * allowance) if objective.can_wait else 0
            slopes.append(Slope(lengths, objective.value, step, objective.kept, waits))
        return slopes


# --- The value of charges: the bases that both sides lose in the melee ------------------------------------------------


class ExpectedCharge(NamedTuple):
    """The expected result of a charge: bases the target loses, bases the charger loses, the chance that the target
    breaks. `is_hopeless` is True if the charger would lose all its bases in the melee.
    """

    inflicts: float
    suffers: float
    breaks: float
    is_hopeless: bool

    @property
    def gain(self) -> float:
        """The value of the exchange to the charger, in average units."""
        return self.inflicts * BASE + ROUT * self.breaks - self.suffers * BASE * PRICE_OF_CHARGE


def expected_exchange(
    battle: Battle, unit: Unit, enemy: Unit, *, cover: Cover, flank: bool, uphill: bool, volleys: float = 1.0
) -> ExpectedCharge:
    """Return the expected exchange: the enemy's volley on the way in, morale, then melee both ways (VCC-094, VCC-134).

    `volleys` is the share of the enemy's volley that strikes this unit.
    """
    per_base, modifier = battle.book.settings.hits_per_base, battle.book.modifier
    volley = 0.0
    shoots = enemy.spec.weapon in ("musket", "rifle") and enemy.spec.fire_die and not enemy.mounted
    if shoots and "broken" not in enemy.marks:
        close, prone = modifier("fire_dice", "close", 1.0), modifier("fire_dice", "prone", 1.0)
        volley = enemy.strength * close * (enemy.spec.fire_die + 1) / 2 / per_base
        volley *= prone if "prone" in enemy.marks else 1.0
        volley *= volleys
    strength_left = max(0.0, unit.strength - volley)
    faces, quality = battle.book.file.morale_die.faces, unit.spec.quality
    bonus = modifier("morale", quality, 0.0) if quality in ("elite", "raw") else 0.0
    pass_chance = min(1.0, max(0.0, (strength_left + bonus) / faces))
    own_hits = _mean_hits(
        battle, unit, strength_left, charging=True, flank=flank, enemy=enemy, uphill=uphill, cover=cover
    )
    enemy_hits = _mean_hits(
        battle, enemy, float(enemy.strength), charging=False, flank=False, enemy=unit, uphill=False, cover="none"
    )
    inflicts = min(own_hits / per_base, enemy.strength) * pass_chance
    suffers = min(volley + enemy_hits / per_base * pass_chance, unit.strength)
    flank_modifier = modifier("morale", "flanked", 0.0)
    fail_chance = 1 - min(1.0, max(0.0, (enemy.strength - inflicts + flank_modifier * flank) / faces))
    is_hopeless = volley + enemy_hits / per_base >= unit.strength
    return ExpectedCharge(inflicts, suffers, fail_chance * pass_chance, is_hopeless)


def evaluate_charge(side_view: SideView, unit: Unit, enemy: Unit, gain: float = STEP) -> Evaluation:
    """Return the value of a charge: the expected exchange, what the scenario puts on the enemy, and the objective of
    the unit.

    The volley strikes one unit. If several units can charge the same enemy in this turn, each expects its share. A
    hopeless charge counts as a rout for men on foot who can fire instead.
    """
    battle = side_view.battle
    field = battle.field
    flank = enemy.spec.troop != "wagon" and "square" not in enemy.marks and unit.box != enemy.box
    exchange = expected_exchange(
        battle,
        unit,
        enemy,
        cover=field.cover[unit.box, enemy.box],
        flank=flank and not field.front_arcs[enemy.facing, enemy.box, unit.box],
        uphill=field.level[unit.box] < field.level[enemy.box],
        volleys=1 / (1 + _fellow_chargers(battle, unit, enemy)),
    )
    inflicts, suffers, breaks, is_hopeless = exchange

    def reason() -> str:
        price = "more" if suffers > inflicts + 0.2 else "less" if suffers < inflicts - 0.2 else "about as much"
        return f"the charge would cost the enemy {bases_lost(inflicts)}, and this unit {price}"

    stake = side_view.box_values().stakes.get(enemy.spec.id, 0.0)
    lost = max(breaks, _chance_to_lose(inflicts, enemy))
    can_fire_instead = unit.spec.fire_die and not unit.mounted
    return Evaluation(
        inflicts=inflicts * BASE + ROUT * breaks + stake * lost,
        suffers=suffers * BASE * PRICE_OF_CHARGE + (ROUT if is_hopeless and can_fire_instead else 0.0),
        ground=min(gain, STEP) + _denied(side_view, unit, enemy, min(1.0, suffers / max(1, unit.strength))),
        reason=reason,
    )


def _denied(side_view: SideView, unit: Unit, enemy: Unit, lost: float) -> float:
    """Return the value of a place that the enemy no longer holds alone after a charge into it, by the chance that the
    charger is not lost. It counts in the last turn only, and if no other unit of the side is in the place.
    """
    box_values, places = side_view.box_values(), side_view.evaluator.plan.places
    if box_values.turns_left > 1:
        return 0.0
    own = side_view.battle.side_units(unit.spec.side)
    there = {other.box for other in own if is_effective(other) and other is not unit}
    denied = [
        objective.kept
        for objective in box_values.objectives
        if objective.key in places and enemy.box in objective.boxes and there.isdisjoint(objective.boxes)
    ]
    return (1 - lost) * max(denied, default=0.0)


def _fellow_chargers(battle: Battle, unit: Unit, enemy: Unit) -> int:
    """Return the number of other units of the side that have charged this enemy or can do so in this turn."""
    fellows = 0
    for other in battle.units.values():
        if other is unit or other.spec.side != unit.spec.side or not is_effective(other) or not other.is_line:
            continue
        if "charged" in other.marks:
            fellows += other.box == enemy.box
        elif "moved" not in other.marks and not other.spec.fire_die:
            way = battle.field.path_lengths[other.troop, (enemy.box,)][other.box]
            fellows += way <= battle.book.classes[other.troop].allowance
    return fellows


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


def _chance_to_lose(bases: float, unit: Unit) -> float:
    """Return how likely a unit is to be destroyed or driven off by a loss of bases: the square of the share, because a
    unit with half its bases mostly stands.
    """
    share = min(1.0, bases / max(1, unit.strength))
    return share * share


def _evaluate_shot(side_view: SideView, unit: Unit, target: Unit) -> Evaluation:
    """Return the value of a shot: the bases it costs the enemy and its stake, less the risk of overheating."""
    battle = side_view.battle
    loss = _expected_loss(battle, unit, target)
    value = loss * BASE * (1.3 if target.spec.troop in ("artillery", "machine_gun") else 1.0)
    if loss >= target.strength:
        value += 0.5
    if "broken" in target.marks:
        value *= 0.6
    value += side_view.box_values().stakes.get(target.spec.id, 0.0) * _chance_to_lose(loss, target)
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
    return _evaluate_shot(side_view, battle.unit(question.actor), battle.unit(str(option)))


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
    return Evaluation(
        inflicts=value, reason=f"{percent(on_target)} of rockets come down where they are aimed (VCC-098)"
    )


# --- The value of moves: ground gained towards the objectives, and fire given and taken at the destination ------------


def evaluate_move(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each option of a unit in its movement."""
    mover = _Mover(side_view, side_view.battle.unit(question.actor))
    return [_evaluate_move_option(mover, option) for option in question.options]


class _Mover:
    """A unit at a choice of its move, with the values that are the same for each box."""

    def __init__(self, side_view: SideView, unit: Unit) -> None:
        battle = side_view.battle
        spec, book, troop = unit.spec, battle.book, unit.troop
        self.side_view, self.battle, self.unit, self.troop = side_view, battle, unit, troop
        self.box_values = side_view.box_values()
        self.strength = unit.strength
        self.stake = self.box_values.stakes.get(spec.id, 0.0)
        self.fear = FEAR if spec.fire_die else FEAR * 0.3
        self.moved_fire = book.modifier("fire_dice", "moved", 1.0) * (
            0.2 if troop in ("machine_gun", "rocket") else 1.0
        )
        # riders with firearms fire after they have dismounted, which counts as moving
        self.fire_here = self.moved_fire if unit.mounted else 1.0
        fires = spec.fire_die and spec.weapon not in ("none", "rocket") and (not unit.mounted or spec.can_dismount)
        self.bases = self.strength * (spec.fire_die + 1) / 2 / book.settings.hits_per_base if fires else 0.0
        """The bases that its fire is expected to cost at factor 1."""
        self.range_key: RangeKey = range_key_of(battle, unit) if fires else ""
        charges = book.classes[troop].charges and "moved" not in unit.marks
        self.boxes_after_step = book.classes[troop].allowance - 1 if charges else 0
        """The boxes left after a step, for a charge at the end of the same move; 0 if it may not charge then."""

    @cached_attribute
    def value_here(self) -> float:
        """The value of the present box with regard to the unit's objective."""
        return self.side_view.intentions().potential(self.unit, self.unit.box)

    def gain(self, box: int) -> float:
        """Return the value of a box with regard to the unit's objective, less that of the present box."""
        return self.side_view.intentions().potential(self.unit, box) - self.value_here

    def best_fire(self, box: int) -> float:
        """Return the bases that the unit's best shot from a box is expected to cost, without having moved."""
        bases, best = self.bases, 0.0
        if bases:
            for factor, target_bases in self.box_values.shots(self.range_key, box):
                best = max(best, min(factor * bases, float(target_bases)))
        return best


def _evaluate_move_option(mover: _Mover, option: Option) -> Evaluation:
    """Return the value of one option of a move."""
    side_view, unit = mover.side_view, mover.unit
    if isinstance(option, tuple):
        verb, goal = option
        if verb == CHARGE:
            enemy = mover.battle.unit(goal)
            return evaluate_charge(side_view, unit, enemy, mover.gain(enemy.box))
        assert verb == GO, "the two verbs of movement"
        place = _evaluate_place(mover, goal, mover.gain(goal), moves=True)
        charge = _charge_on_the_way(mover, goal)
        if charge > max(0.0, place.total):
            return Evaluation(inflicts=charge, reason="it can go on from there and charge (VCC-050)")
        return place
    if option == "leave the table":
        return Evaluation(ground=10.0, reason="it may leave the table here (VCC-057)")
    if option in _CHANGES:
        return _evaluate_change(mover, str(option))
    return _evaluate_place(mover, unit.box, REST, moves=False)


_CHANGES = ("form square", "leave square", "dismount", "mount", "lie down", "get up")
"""The options that change the posture of a unit and leave it in its box."""


def _evaluate_change(mover: _Mover, option: str) -> Evaluation:
    """Return the value of a change of posture: that of its box for a unit that has moved, and what the change is
    worth.
    """
    place = _evaluate_place(mover, mover.unit.box, 0.0, moves=True)
    fire = mover.best_fire(mover.unit.box) * BASE
    inflicts = place.inflicts
    if option in ("form square", "leave square"):
        riders = _riders_near(mover.box_values, mover.unit)
        reason = "enemy cavalry is near; a square has no flank (VCC-060)" if riders else "no enemy cavalry is near"
        ground = (0.4 if riders else -0.3) if option == "form square" else (-0.4 if riders else 0.02)
    elif option == "dismount":
        inflicts = 2 * fire  # half of it now, because it counts as moved, and all of it in the turns to come
        ground, reason = -0.05, "dismounted, it fires as infantry (VCC-024)"
    elif option == "mount":
        inflicts = 0.0
        ground, reason = (-0.3, "on foot it can fire from here") if fire else (0.15, "no target in reach: ride on")
    elif option == "lie down":
        ground, reason = -0.3, "lying down costs the next move (VCC-066)"
    else:
        ground, reason = 0.2, "get up and move again"
    return Evaluation(inflicts=inflicts, suffers=place.suffers, ground=ground, reason=reason)


def _riders_near(box_values: BoxValues, unit: Unit) -> int:
    """Return the number of cavalry units within three boxes. Mounted infantry does not count, because it fights on
    foot.
    """
    near = [enemy for enemy in box_values.enemies if enemy.mounted and not enemy.spec.can_dismount]
    return sum(box_values.grid.distance(enemy.box, unit.box) <= 3 for enemy in near)


def _evaluate_place(mover: _Mover, box: int, gain: float, *, moves: bool) -> Evaluation:
    """Return the value of moving to a box or staying: fire from it, fire at it, and the ground gained."""
    unit, strength = mover.unit, mover.strength
    inflicts = mover.best_fire(box) * BASE * (mover.moved_fire if moves else mover.fire_here)
    danger = mover.box_values.danger(box)
    share = min(danger, strength) / max(1, strength)
    suffers = share * (strength * BASE * mover.fear + mover.stake)
    if unit.is_line:
        suffers += EXPOSED * _worst_charge(mover, box)
    else:
        suffers += _danger_of_charges(mover.side_view, mover.box_values, unit, box)

    def reason() -> str:
        goes = "nearer to" if gain > 0.02 else "farther from" if gain < -0.02 else "no nearer to"
        action = f"{goes} its goal" if moves else "stays"
        fires = ["can fire from there" if moves else "can fire from here"] if inflicts >= 0.05 else []
        risk = "safe from fire" if danger < 0.1 else f"may lose {bases_lost(min(danger, strength))} to enemy fire"
        return ", ".join([action, *fires, risk])

    return Evaluation(inflicts=inflicts, suffers=suffers, ground=gain, reason=reason)


def _worst_charge(mover: _Mover, box: int) -> float:
    """Return what the enemy gains by his best charge on a unit in a box; 0 if no charge pays."""
    battle, box_values, worst = mover.battle, mover.box_values, 0.0
    for enemy in box_values.chargers(box):
        cover = battle.field.cover[enemy.box, box]
        worst = max(worst, box_values.gain_of_charge(battle, enemy, mover.unit, cover, flank=False))
    return worst


def _charge_on_the_way(mover: _Mover, box: int) -> float:
    """Return what a unit gains if it goes on from a box and charges in the same move; 0 if it cannot, or if none
    pays.
    """
    left, battle, unit, box_values = mover.boxes_after_step, mover.battle, mover.unit, mover.box_values
    best = 0.0
    if left < 1 or ends_move(battle, unit, box):
        return best
    field = battle.field
    for enemy in box_values.enemies:
        if 0 < field.path_lengths[mover.troop, (enemy.box,)][box] <= left:
            flank = enemy.spec.troop != "wagon" and "square" not in enemy.marks
            flank = flank and not field.front_arcs[enemy.facing, enemy.box, box]
            gain = box_values.gain_of_charge(battle, unit, enemy, field.cover[box, enemy.box], flank=flank)
            best = max(best, gain)
    return best


def _danger_of_charges(side_view: SideView, box_values: BoxValues, unit: Unit, box: int) -> float:
    """Return what a unit that cannot fight risks in a box that enemies can charge into.

    Its loss is likely (1) if it is alone, and half as likely (0.5) with fighting troops in the box or next to it.
    """
    if not box_values.chargers(box):
        return 0.0
    grid, battle = box_values.grid, side_view.battle
    guarded = any(
        friend.is_line and is_effective(friend) and grid.distance(friend.box, box) <= NEAR
        for friend in battle.units.values()
        if friend.on_table and friend.spec.side == unit.spec.side
    )
    loss = unit.strength * BASE + box_values.stakes.get(unit.spec.id, 0.0)
    return loss * (0.5 if guarded else 1.0)


@evaluate_each
def evaluate_mover(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Move shock troops first, so that their charges are not blocked by other units; then wagons, so that their escort
    can follow; then the rest. Never stop early.
    """
    unit = side_view.battle.units.get(str(option))
    if unit is None:
        return NOTHING
    priority = 1.5 if unit.spec.troop == "wagon" else 2.0 if unit.is_line and not unit.spec.fire_die else 1.0
    return Evaluation(ground=priority, reason="it has not moved yet")


def evaluate_facing(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each facing: the enemies in the front arc. Near ones count most.

    Without an enemy on the table, the unit keeps its facing: at deployment the one that the scenario suggests. A pivot
    spoils the next shot of a crewed weapon, but not while the unit is set up (VCC-025, VCC-169).
    """
    battle = side_view.battle
    unit = battle.unit(question.actor)
    field = battle.field
    box, front_arcs = unit.box, field.front_arcs
    weights = [
        (enemy.box, 1.0 / (1.0 + float(field.grid.distance(box, enemy.box)) ** 2)) for enemy in side_view.enemies()
    ]
    pivots = unit.crewed and question.rule in ("VCC-044", "VCC-048")
    evaluations = []
    for option in question.options:
        if not isinstance(option, int):
            evaluations.append(Evaluation(ground=-0.1, reason="a square has no front"))
            continue
        keeps = option == unit.facing
        covered_weight = total([weight for target, weight in weights if front_arcs[option, box, target]])
        if not weights:
            evaluations.append(Evaluation(ground=0.1 * keeps, reason=_facing_reason(side_view.side, field, option)))
            continue
        reason = "the nearest enemies are there (VCC-026)" if covered_weight else "no enemy is there (VCC-026)"
        if pivots and keeps:
            reason = "does not pivot, so the next shot has all its dice (VCC-044)"
        evaluations.append(Evaluation(ground=covered_weight - (0.15 if pivots and not keeps else 0.0), reason=reason))
    return evaluations


def _facing_reason(side: str, field: Field, facing: int) -> str:
    """Return what lies in front of a unit that has no enemy on the table to face."""
    if facing == field.home_edge[field.enemy(side)]:
        return "the enemy's edge of the table is there (VCC-026)"
    return "no enemy is on the table yet (VCC-026)"


# --- The value of retreats, of moves of the Army Commander, and of melee opponents ------------------------------------


def evaluate_retreat(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each box of a retreat: the less enemy fire, the better."""
    box_values = side_view.box_values()
    return [
        Evaluation(ground=-9.0, reason="off the table")
        if option == OFF_EDGE or not isinstance(option, int)
        else Evaluation(
            suffers=box_values.danger(option) * BASE,
            reason=f"would lose {bases_lost(box_values.danger(option))} to enemy fire there",
        )
        for option in question.options
    ]


def evaluate_commander_move(side_view: SideView, question: Choose) -> list[Evaluation]:
    """Return the value of each box for the Army Commander: bases that he helps (VCC-143), away from the enemy."""
    battle, box_values = side_view.battle, side_view.box_values()
    morale_bonus = battle.book.modifier("morale", "commander", 0.0)
    helps = f"units with him there get {morale_bonus:+g} morale (VCC-143)"
    evaluations = []
    for option in question.options:
        assert isinstance(option, int), "boxes"
        own_units = battle.units_in(option, side_view.side)
        if own_units:
            need = total(unit.strength * (2.0 if unit.marks & {"prone", "broken"} else 1.0) for unit in own_units)
            value = need * BASE * (1.0 + min(box_values.danger(option), 3.0) * 0.3)
            evaluations.append(Evaluation(steadies=value, reason=helps))
        else:
            enemies_near = box_values.enemies_near.get(option, 0)
            evaluations.append(Evaluation(suffers=enemies_near * 1.0, reason="no unit to help there"))
    return evaluations


@evaluate_each
def evaluate_opponent(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of an opponent in melee: the weaker, the better."""
    enemy = side_view.battle.unit(str(option))
    bases_left = amount(enemy.strength, "base")
    return Evaluation(inflicts=1.0 / (1 + enemy.strength), reason=f"{enemy.spec.name}: {bases_left} left"[:80])


@evaluate_each
def evaluate_support(side_view: SideView, question: Choose, option: Option) -> Evaluation:
    """Return the value of supporting, which is always better: supporters add dice and take no hits."""
    share = side_view.battle.book.modifier("melee_dice", "supporting", 1.0)
    reason = f"a supporter adds {percent(share)} of its dice and takes no hits (VCC-126, VCC-132)"
    return Evaluation(inflicts=0.0 if option == "nobody" else 0.5, reason=reason)


# --- The function for each question -----------------------------------------------------------------------------------


_AS_SUGGESTED = prefer_first("ground", 1.0, "the scenario suggests this box")

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
    "attach commander to": fixed_values(
        "ground", {"alone": 0.1}, "he is safe from leader checks when unattached (VCC-163)"
    ),
    "check morale of": fixed_values("ground", {}, "the order of checks makes little difference (VCC-038)"),
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
