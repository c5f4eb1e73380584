"""The evaluation of options for AI players: expected losses, ground gained and the risk of breaking.

One unit of worth is a group of ten men. The evaluation uses only average losses and distances; it is not part of the
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, prod

from zareba.base.grammar import amount
from zareba.battle.evaluation import about_men
from zareba.plugins.ruleset import Evaluation
from zareba.scenario import Scenario
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.geometry import Point
from zareba.space.lazy import Lazy
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.risk_factor.actions import ORDERS, OrderView, legal_orders
from zareba_rulesets.risk_factor.chapters.action_throws import Surroundings, surroundings
from zareba_rulesets.risk_factor.chapters.command import COMMAND, LINK, figure_price
from zareba_rulesets.risk_factor.chapters.sight import visible_enemies
from zareba_rulesets.risk_factor.chapters.targets import share_with_a_clear_shot
from zareba_rulesets.risk_factor.estimates.action_forecast import ActionForecast, enemies
from zareba_rulesets.risk_factor.estimates.expected_losses import (
    DIE,
    MAN,
    ExpectedFire,
    Threats,
    chance_of_going_back,
    cover_against,
    expected_fire_losses,
    expected_melee_losses,
    shooting_rate,
)
from zareba_rulesets.risk_factor.estimates.objectives import LeaderPlaces, Objectives, SideObjectives
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table, reach_of
from zareba_rulesets.risk_factor.translation import Plan

# --- The choice of target for a unit that shoots ----------------------------------------------------------------------


_HOLD_FIRE = Evaluation(reason="holds fire")
_LEAST_WORTH = 0.01  # least worth of any shot
_TIE_MARGIN = 1e-6  # margin that keeps the first of equal targets ahead
_CLOSE = 40  # distance in cm from which close-combat troops are a danger


def evaluate_targets(
    battle: Battle, unit: Unit, options: Sequence[Option], enemy_worth: Mapping[str, float]
) -> list[Evaluation]:
    """Evaluate each target by the men a volley fells, what each is worth, and the chance that their group breaks.

    `enemy_worth` is the worth of a man of each enemy unit. Clear shots are checked only for targets that would beat the
    best so far if every man had one; other targets keep that upper bound.
    """
    shots = {
        str(option): _Volley(battle, unit, battle.units[option], enemy_worth)
        for option in options
        if option in battle.units
    }
    found: dict[str, Evaluation] = {}
    best = 0.0
    for promised, name in sorted([(shot.value(1.0), name) for name, shot in shots.items()], reverse=True):
        if promised > best:
            found[name] = shots[name].evaluation(share_with_a_clear_shot(battle, unit, battle.units[name]))
            best = max(best, found[name].inflicts)
        else:
            found[name] = shots[name].upper_bound(min(promised, best - _TIE_MARGIN))
    return [found.get(str(option), _HOLD_FIRE) for option in options]


class _Volley:
    """A volley at one target."""

    def __init__(self, battle: Battle, unit: Unit, target: Unit, enemy_worth: Mapping[str, float]) -> None:
        gap = battle.gap(unit, target).gap
        rate = shooting_rate(battle, unit, True, "moved" in unit.marks)
        self._battle, self._target = battle, target
        self._fells = expected_fire_losses(
            battle, unit, gap, cover_against(battle, target, unit.body.centre), rate=rate
        )
        self._table_name = action_table(battle, target)
        near = gap < _CLOSE and self._table_name == "melee"
        self._worth_of_a_man = enemy_worth.get(target.spec.id, 1.0) * (
            0.6 if target.status in BACKWARD else 1.3 if near else 1.0
        )

    def value(self, share: float) -> float:
        """Return the worth of the volley if that share of the men has a clear shot."""
        target, battle = self._target, self._battle
        fells = share * self._fells
        strength = max(1, target.original)
        before = 10 * target.casualties / strength
        after = before + 10 * fells / MAN / strength
        breaks = (
            0.5
            * MAN
            * target.count
            * (
                chance_of_going_back(battle, self._table_name, after)
                - chance_of_going_back(battle, self._table_name, before)
            )
        )
        return _LEAST_WORTH + fells * self._worth_of_a_man + breaks

    def evaluation(self, share: float) -> Evaluation:
        """Return the evaluation for that share, with its reason."""
        men = 10 * share * self._fells
        return Evaluation(self.value(share), reason=lambda: f"should fell {about_men(men)}")

    def upper_bound(self, worth: float) -> Evaluation:
        """Return an evaluation with the given worth. Its reason assumes that every man has a clear shot."""
        men = 10 * self._fells
        return Evaluation(worth, reason=lambda: f"would fell {about_men(men)} if all had a clear shot")


# --- Forecasts for all units: what an order is worth, compared with what the Action table would make the unit do ------


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


# --- The evaluation of options ----------------------------------------------------------------------------------------


_LATER = 0.1  # share of the gain from reaching a destination that counts when a unit sets out for it
_LEAST_GAIN = 0.02  # least gain from orders for which a group is commanded
_SPARE_POINTS = 3  # command points that should be left over when all groups have orders
NOTHING = Evaluation()
UNKNOWN = Evaluation(suffers=0.1, reason="only a house rule knows what this does")
"""The value of an order that only a house rule knows."""
NO: dict[str, Evaluation] = {
    "follow up": Evaluation(reason="another round would gain no more than it costs"),
    "combine": Evaluation(reason="the groups are better apart"),
    "stay in cover": Evaluation(reason="it goes back"),
}
"""The reason to answer a question with no."""


class Evaluator:
    """Evaluates the choices of one game."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.objectives = Objectives(scenario, plan)
        self.forecast = Forecast(self.objectives)
        self._now = Moment(self.objectives)

    def evaluate(self, battle: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        """Return one evaluation for each option, in order (for a yes or no: no, yes)."""
        unit = battle.units.get(question.actor)
        self._now = self.forecast.at(battle)
        if isinstance(question, Place):
            return [self._place(battle, unit, at) for at in question.suggestions]
        if isinstance(question, Confirm):
            return [NO.get(question.why, NOTHING), self._yes(battle, unit, question.why)]
        if question.why == "command":
            return self._purchases(battle, question)
        if question.why == "shoot at" and unit is not None:
            return evaluate_targets(
                battle, unit, question.options, self._now.side_objectives[unit.spec.side].enemy_worth
            )
        evaluate_option = _EVALUATE_OPTION.get(question.why)
        if evaluate_option is None or unit is None:
            return [NOTHING] * len(question.options)
        return [evaluate_option(self, battle, unit, option, question) for option in question.options]

    def best_places(self, battle: Battle, question: Place) -> Mapping[Point, Evaluation]:
        """Return the evaluations of the suggested points and of the unit's exit, if it may march there."""
        found = dict(zip(question.suggestions, self.evaluate(battle, question), strict=True))
        unit = battle.units.get(question.actor)
        if unit is not None and unit.is_on_table:
            exit_ = self._now.side_objectives[unit.spec.side].exits.get(unit.spec.id)
            if exit_ is not None and exit_.at not in found and question.legal(exit_.at) is None:
                found[exit_.at] = self._place(battle, unit, exit_.at)
        return found

    # --- places, and yes or no ----------------------------------------------------------------------------------------

    def _place(self, battle: Battle, unit: Unit | None, at: Point) -> Evaluation:
        """Return the value of a point to which a unit may move, or where a commander may stand."""
        if unit is None or not unit.is_on_table:
            return NOTHING
        if battle.is_commander(unit):
            return self._stand_at(unit, at)
        forecast = self._now.of(unit)
        found = forecast.go(at)
        # Of places that bring the unit equally near its objective now, the objective itself is best: the unit goes on
        # without orders (RSK-134).
        return replace(found, steadies=found.steadies + _LATER * forecast.pull.value(at))

    def _yes(self, battle: Battle, unit: Unit | None, why: str) -> Evaluation:
        """Return the value of answering yes to a question."""
        if unit is None:
            return NOTHING
        if why == "stay in cover":
            return Evaluation(steadies=0.3, reason="a unit that stays in cover does not count as retreating (RSK-141)")
        if why == "combine":
            carried = battle.book.settings.groups_merge_strength == "carry"
            return Evaluation(
                steadies=-0.1 if carried else 0.1,
                reason="losses carry over, and one group fewer remains" if carried else _few_run(battle),
            )
        if why == "follow up":
            enemies_met = battle.within(unit, battle.against(unit.spec.side), battle.book.lengths["push_back"] + 1.0)
            dealt, taken = expected_melee_losses(battle, unit, enemies_met[0], False) if enemies_met else (0.0, MAN)
            shots = self._now.of(unit).fire(unit.body.centre, 0.0, False)
            return Evaluation(
                dealt,
                taken + shots,
                reason=lambda: f"another round should fell {about_men(10 * dealt)}",
            )
        return NOTHING

    def _stand_at(self, leader: Unit, goal: Point, share: float = 1.0) -> Evaluation:
        """Return the value to a Player Character of the place where a move towards a point ends."""
        view = self._now.order_view(leader)
        return view.stand_at(view.leader_places.end_of(goal, share))

    # --- command ------------------------------------------------------------------------------------------------------

    def declare(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Prefer a command die to a single shot (RSK-053)."""
        if option == "done":
            return Evaluation(reason="a command die is worth more than a shot (RSK-053)")
        dice = amount(round(-battle.book.modifier("command_dice", "busy")), "command die", "command dice")
        return Evaluation(suffers=0.05, reason=f"a shot costs {dice} (RSK-053)")

    def _purchases(self, battle: Battle, question: Choose) -> list[Evaluation]:
        """Value links while groups are left that more points could buy, and the groups that gain most by orders for the
        points left.
        """
        points = int(question.about[0])
        groups = [
            battle.units[option[1]] for option in question.options if isinstance(option, tuple) and option[0] == COMMAND
        ]
        chosen = self._best_purchase(battle, question.actor, groups, points)
        found = []
        for option in question.options:
            if not isinstance(option, tuple):
                found.append(Evaluation(reason="no group left gains from orders"))
            elif option[0] == LINK:
                found.append(self._link(battle, battle.units[option[1]], points))
            else:
                found.append(self._command(battle.units[option[1]], option[1] in chosen))
        return found

    def _best_purchase(self, battle: Battle, commander: str, groups: list[Unit], points: int) -> frozenset[str]:
        """Return the groups that gain most by orders in all and together cost no more than the points left, at the
        prices of the Player Character.
        """
        officer = battle.units[commander]
        sets: dict[int, tuple[float, frozenset[str]]] = {0: (0.0, frozenset())}
        for group in groups:
            gain = self._now.gain(group)
            if gain <= _LEAST_GAIN:
                continue
            cost = group.count * figure_price(battle, group, officer)
            for spent, (value, names) in list(sets.items()):
                known, _ = sets.get(spent + cost, (0.0, names))
                if spent + cost <= points and value + gain > known:
                    sets[spent + cost] = value + gain, names | {group.spec.id}
        return max(sets.values(), key=lambda bought: bought[0])[1]

    def _command(self, group: Unit, is_chosen: bool) -> Evaluation:
        """Return the value of commanding a group."""
        gain = self._now.gain(group)
        if is_chosen:
            return Evaluation(
                steadies=gain,
                reason=lambda: f"orders are most useful to this group of {amount(group.count, 'man', 'men')}",
            )
        return Evaluation(steadies=min(gain, 0.0) - _LEAST_GAIN, reason="orders would gain less here than elsewhere")

    def _link(self, battle: Battle, leader: Unit, points: int) -> Evaluation:
        """Value a link: high while the pool is too small for the waiting groups, or if the leader is away from any
        group.
        """
        men = self._now.men_without_orders[leader.spec.side]
        if battle.host(leader) is None:
            return Evaluation(steadies=0.9, reason="this leader is alone, and needs orders to join a group")
        if men + _SPARE_POINTS <= points:
            return Evaluation(suffers=0.01, reason=lambda: _points_and_men(points, men))
        return Evaluation(steadies=0.9, reason=lambda: _points_and_men(points, men))

    # --- orders -------------------------------------------------------------------------------------------------------

    def order(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Return the value of an order to a free unit."""
        orders = ORDERS.for_session(battle.book.rules)
        order = orders.action_of(option)
        return UNKNOWN if order is None else orders.value(order, self._now.order_view(unit), battle.book)

    def pace(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Value a pace. Half pace suits troops that can still fire after it."""
        share = 0.5 if option == "half" else 1.0
        about = question.about[0] if question.about else ""
        enemy = battle.units.get(about)
        goal = enemy.body.centre if enemy is not None else unit.goal
        if goal is not None and battle.is_commander(unit):
            return self._stand_at(unit, goal, share)
        if goal is None:
            return self._now.of(unit).back_by(share)
        return self._now.of(unit).go(goal, share)

    def face(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Value a facing: fewest enemies on flank or rear, then the nearest enemy ahead."""
        out = self._now.of(unit).enemies_on_flank(float(str(option)))
        found = battle.nearest(unit, visible_enemies(battle, unit))
        off = 0.0
        if found is not None:
            enemy, _ = found
            off = angle_between(float(str(option)), bearing_to(unit.body.centre, enemy.body.centre))
        return Evaluation(
            suffers=0.1 * out + off / 10_000,
            reason=lambda: f"{enemies(out)} on its flank or rear (RSK-122)",
        )

    # --- shooting and striking ----------------------------------------------------------------------------------------

    def shoot_with(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Return the value of shooting with a weapon: the one that reaches farther is better."""
        reach = reach_of(battle, unit, str(option))
        return Evaluation(inflicts=reach / 1000, reason=f"it reaches {reach} cm")

    def retreat_to(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Return the value of a retreat to cover or to the rear."""
        less = -battle.book.modifier("risk_factor", "cover_or_advancing")
        return Evaluation(
            steadies=0.1 if option == "cover" else 0.0, reason=f"cover improves the Risk Factor by {less:g} (RSK-116)"
        )

    def strike(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Prefer leaders as victims, then the wounded, because any blow kills them (RSK-111)."""
        if not isinstance(option, tuple):
            return NOTHING
        other = battle.units[option[0]]
        return Evaluation(
            inflicts=MAN * (1.0 + other.hurt[option[1]] + 2.0 * bool(other.spec.leader)),
            reason="leaders first, then the wounded, because a second wound kills (RSK-111)",
        )


def _points_and_men(points: int, men: int) -> str:
    """Return how many command points are left for how many men, as the reason to link another leader or not."""
    if not men:
        return "every group that can follow orders has them"
    left, waiting = amount(points, "command point"), amount(men, "man still needs", "men still need")
    if points < men:
        return f"the commander has only {left}; {waiting} orders"
    return f"the commander has {left}, {'barely ' if points < men + _SPARE_POINTS else ''}enough; {waiting} orders"


def _few_run(battle: Battle) -> str:
    """Return the reason to combine a small group."""
    return f"{amount(battle.book.counts['combine_at'], 'man', 'men')} alone run (RSK-047)"


_EVALUATE_OPTION: dict[str, Callable[[Evaluator, Battle, Unit, Option, Choose], Evaluation]] = {
    "will load or fire": Evaluator.declare,
    "order": Evaluator.order,
    "pace": Evaluator.pace,
    "face": Evaluator.face,
    "shoot with": Evaluator.shoot_with,
    "retreat": Evaluator.retreat_to,
    "strike whom": Evaluator.strike,
}
