"""The evaluation of options for AI players: expected losses, ground gained and the risk of breaking.

One unit of worth is a group of ten men. The evaluation uses only average losses and distances; it is not part of the
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from zareba.base.grammar import amount
from zareba.battle.evaluation import about_men
from zareba.plugins.ruleset import Evaluation
from zareba.scenario import Scenario
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.geometry import Point
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.risk_factor.actions import ORDERS
from zareba_rulesets.risk_factor.chapters.command import COMMAND, LINK, figure_price
from zareba_rulesets.risk_factor.chapters.sight import visible_enemies
from zareba_rulesets.risk_factor.estimates.action_forecast import enemies
from zareba_rulesets.risk_factor.estimates.expected_losses import MAN, expected_melee_losses
from zareba_rulesets.risk_factor.estimates.objectives import Objectives
from zareba_rulesets.risk_factor.evaluation.firing import evaluate_targets
from zareba_rulesets.risk_factor.evaluation.forecast import Forecast, Moment
from zareba_rulesets.risk_factor.forces import Battle, Unit, reach_of
from zareba_rulesets.risk_factor.translation import Plan

__all__ = ["Evaluator"]

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
