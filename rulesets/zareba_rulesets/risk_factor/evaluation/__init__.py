"""The evaluation of options for AI players: expected losses, ground gained and the risk of breaking.

One unit of worth is a group of ten men. The evaluation uses only average losses and distances; it is not part of the
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zareba.base.grammar import amount
from zareba.battle.evaluation import about_men
from zareba.plugins.ruleset import Evaluation
from zareba.scenario import Scenario
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.geometry import Point
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.risk_factor.chapters.command import GIVE, LINK
from zareba_rulesets.risk_factor.chapters.movement import full_move
from zareba_rulesets.risk_factor.chapters.orders import COMPASS, HOLD, JOIN, MARCH, TURN, places_to_go
from zareba_rulesets.risk_factor.chapters.sight import visible_enemies
from zareba_rulesets.risk_factor.evaluation.action_forecast import enemies
from zareba_rulesets.risk_factor.evaluation.expected_losses import MAN, exchange
from zareba_rulesets.risk_factor.evaluation.firing import targets
from zareba_rulesets.risk_factor.evaluation.forecast import Forecast, Moment
from zareba_rulesets.risk_factor.evaluation.objectives import Objectives
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, reach_of
from zareba_rulesets.risk_factor.translation import Plan

__all__ = ["Evaluator"]

NOTHING = Evaluation()
NO: dict[str, Evaluation] = {
    "follow up": Evaluation(reason="another round would gain no more than it costs"),
    "combine": Evaluation(reason="the groups are better apart"),
    "stay in cover": Evaluation(reason="it goes back"),
}
"""The reason to answer a question with no."""


class Evaluator:
    """Evaluates the choices of one game."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.aims = Objectives(scenario, plan)
        self.forecast = Forecast(self.aims)
        self._now = Moment(self.aims)

    def evaluate(self, battle: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        """One appraisal for each option, in order (for a yes or no: no, yes)."""
        unit = battle.units.get(question.actor)
        self._now = self.forecast.at(battle)
        if isinstance(question, Place):
            return [self._place(battle, unit, at) for at in question.suggestions]
        if isinstance(question, Confirm):
            return [NO.get(question.why, NOTHING), self._yes(battle, unit, question.why)]
        if question.why == "shoot at" and unit is not None:
            return targets(battle, unit, question.options, self._now.outlook[unit.spec.side].prey)
        weigh = CHOICES.get(question.why)
        if weigh is None or unit is None:
            return [NOTHING] * len(question.options)
        return [weigh(self, battle, unit, option, question) for option in question.options]

    # --- points and yes or no -------------------------------------------------------------------------------------------------

    def _place(self, battle: Battle, unit: Unit | None, at: Point) -> Evaluation:
        if unit is None or not unit.hurt:
            return NOTHING
        if battle.is_commander(unit):
            return self._stand_at(battle, unit, self._now.post[unit.spec.id].end_of(at))
        return self._now.of(unit).go(at)

    def _yes(self, battle: Battle, unit: Unit | None, why: str) -> Evaluation:
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
            foes = battle.within(unit, battle.against(unit.spec.side), battle.book.lengths["push_back"] + 1.0)
            deals, takes = exchange(battle, unit, foes[0], False) if foes else (0.0, MAN)
            shots = self._now.of(unit).fire(unit.body.centre, 0.0, False)
            return Evaluation(
                deals,
                takes + shots,
                reason=lambda: f"another round should fell {about_men(10 * deals)}",
            )
        return NOTHING

    # --- command --------------------------------------------------------------------------------------------------------------

    def declare(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Prefer a command die to a single shot (RSK-053)."""
        if option == "done":
            return Evaluation(reason="a command die is worth more than a shot (RSK-053)")
        dice = amount(round(-battle.book.modifier("command_dice", "busy")), "command die", "command dice")
        return Evaluation(suffers=0.05, reason=f"a shot costs {dice} (RSK-053)")

    def command(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Link leaders while groups are left that more points could buy, then command the groups that gain most by
        orders.
        """
        if not isinstance(option, tuple):
            return Evaluation(reason="no group left gains from orders")
        other = battle.units[option[1]]
        if option[0] == LINK:
            return self._link(battle, other, int(question.about[0]))
        assert option[0] == GIVE, "a pool buys links and groups"
        gain = self._now.gain(other)
        return Evaluation(
            steadies=gain, reason=lambda: f"orders are most useful to these {amount(other.count, 'man', 'men')}"
        )

    def _link(self, battle: Battle, leader: Unit, points: int) -> Evaluation:
        """Value a link: high while the pool is too small for the waiting groups, or if the leader is away from any
        group.
        """
        wanting = self._now.wanting[leader.spec.side]
        if wanting + 3 <= points and battle.host(leader) is not None:
            return Evaluation(
                suffers=0.01,
                reason=lambda: (
                    f"{amount(points, 'point')} are enough for {amount(wanting, 'man', 'men')} without orders"
                ),
            )
        return Evaluation(
            steadies=0.9,
            reason=lambda: (
                f"only {amount(points, 'point')} for {amount(wanting, 'man', 'men')} without orders; a link adds points (RSK-061)"
            ),
        )

    # --- orders ---------------------------------------------------------------------------------------------------------------

    def order(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Value an order by its effect this turn. Leaders stay with their men."""
        if battle.is_commander(unit):
            return self._command_from(battle, unit, option)
        if unit.spec.leader:
            return self._lead(battle, unit, option)
        return self._now.of(unit).order(option)

    def _command_from(self, battle: Battle, leader: Unit, option: Option) -> Evaluation:
        """Value an order to a Player Character: he should go where his orders are heard, and out of danger."""
        post = self._now.post[leader.spec.id]
        if isinstance(option, tuple) and option[0] == JOIN:
            group = battle.units[option[1]]
            return self._stand_at(battle, leader, post.end_of(group.body.at[battle.gap(leader, group).other]))
        if option == MARCH:
            prospect = self._now.of(leader)
            goals = places_to_go(battle, leader, self.aims.plan, full_move(battle, leader), prospect.cover)
            ends = [post.end_of(goal) for goal in goals]
            return max([self._stand_at(battle, leader, at) for at in ends], key=lambda a: a.ground, default=NOTHING)
        if option == HOLD:
            return self._stand_at(battle, leader, leader.body.centre)
        if option == TURN:
            fronts = [self._stand_at(battle, leader, leader.body.centre, float(front)) for front in COMPASS]
            return max(fronts, key=lambda front: front.ground)
        return Evaluation(ground=-2.0, reason="this is no place for a commander")

    def _stand_at(self, battle: Battle, leader: Unit, at: Point, facing: float | None = None) -> Evaluation:
        post, here = self._now.post[leader.spec.id], leader.body.centre
        front = facing if facing is not None else leader.facing if at == here else bearing_to(here, at)
        return Evaluation(
            ground=post.worth(at, front),
            reason=lambda: f"his orders reach {post.share_in_command(at):.0%} of the men from there",
        )

    def _lead(self, battle: Battle, leader: Unit, option: Option) -> Evaluation:
        """Value an order to a leader: he should go with a group, preferably one from the same unit that does not go
        back.
        """
        if not isinstance(option, tuple) or option[0] != JOIN:
            near = battle.host(leader) is not None
            cm = battle.book.lengths["with_group"]
            worth = 0.1 if option == HOLD and near else 0.0
            return Evaluation(steadies=worth, reason=f"a leader belongs within {cm:g} cm of a group (RSK-048)")
        group = battle.units[option[1]]
        own = group.spec.parent == leader.spec.parent
        gap = battle.gap(leader, group).gap
        worth = 0.5 + 0.3 * own - 0.1 * (group.status in BACKWARD) - 0.01 * gap
        far = f"{gap:.0f} cm off" if gap >= 1 else "close by"
        return Evaluation(steadies=worth, reason=lambda: f"he leads {amount(group.count, 'man', 'men')} {far}")

    def pace(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Value a pace. Half pace suits troops that can still fire after it."""
        share = 0.5 if option == "half" else 1.0
        about = question.about[0] if question.about else ""
        enemy = battle.units.get(about)
        goal = enemy.body.centre if enemy is not None else unit.goal
        if goal is not None and battle.is_commander(unit):
            return self._stand_at(battle, unit, self._now.post[unit.spec.id].end_of(goal, share))
        if goal is None:
            return self._now.of(unit).back_by(share)
        return self._now.of(unit).go(goal, share)

    def face(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        """Value a facing: fewest enemies on flank or rear, then the nearest enemy ahead."""
        out = self._now.of(unit).enemies_on_flank(float(str(option)))
        found = battle.nearest(unit, visible_enemies(battle, unit))
        off = angle_between(float(str(option)), bearing_to(unit.body.centre, found[0].body.centre)) if found else 0.0
        return Evaluation(
            suffers=0.1 * out + off / 10_000,
            reason=lambda: f"{enemies(out)} on its flank or rear (RSK-122)",
        )

    # --- shooting and striking --------------------------------------------------------------------------------------------------

    def shoot_with(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
        reach = reach_of(battle, unit, str(option))
        return Evaluation(inflicts=reach / 1000, reason=f"it reaches {reach} cm")

    def retreat_to(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Evaluation:
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


def _few_run(battle: Battle) -> str:
    return f"{amount(battle.book.counts['combine_at'], 'man', 'men')} alone run (RSK-047)"


CHOICES: dict[str, Callable[[Evaluator, Battle, Unit, Option, Choose], Evaluation]] = {
    "command": Evaluator.command,
    "will load or fire": Evaluator.declare,
    "order": Evaluator.order,
    "pace": Evaluator.pace,
    "face": Evaluator.face,
    "shoot with": Evaluator.shoot_with,
    "retreat": Evaluator.retreat_to,
    "strike whom": Evaluator.strike,
}
