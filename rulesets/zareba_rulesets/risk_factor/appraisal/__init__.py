"""What the options of a choice are worth, for commanders with sense (not a rule; means and distances only).

One unit of worth is a group of ten men. Fire and melee are taken at their means, places by what the scenario asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.table import Choose, Confirm, Option, Place
from zareba_rulesets.risk_factor.appraisal.forecast import Forecast, Moment
from zareba_rulesets.risk_factor.appraisal.means import MAN, cover_against, exchange, fire_at, rate_of, shaken
from zareba_rulesets.risk_factor.appraisal.objectives import Aims
from zareba_rulesets.risk_factor.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.body import bearing_to
from zareba_rulesets.risk_factor.command import GIVE, LINK
from zareba_rulesets.risk_factor.marksmen import share_with_a_clear_shot
from zareba_rulesets.risk_factor.orders import HOLD, JOIN
from zareba_rulesets.risk_factor.sight import visible_enemies
from zareba_rulesets.risk_factor.translation import Plan
from zareba_rulesets.risk_factor.weapons import action_table

__all__ = ["Judgement"]

NOTHING = Appraisal(reason="no better than the rest (worth 0)")


class Judgement:
    """Appraises the choices of one game."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.aims = Aims(scenario, plan)
        self.forecast = Forecast(self.aims)
        self._now = Moment(self.aims)

    def appraise(self, battle: Battle, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
        """One appraisal for each option, in order (for a yes or no: no, yes)."""
        unit = battle.units.get(question.actor)
        self._now = self.forecast.at(battle)
        if isinstance(question, Place):
            return [self._place(battle, unit, at) for at in question.suggestions]
        if isinstance(question, Confirm):
            return [NOTHING, self._yes(battle, unit, question.why)]
        weigh = CHOICES.get(question.why)
        if weigh is None or unit is None:
            return [NOTHING] * len(question.options)
        return [weigh(self, battle, unit, option, question) for option in question.options]

    # --- points and yes or no -------------------------------------------------------------------------------------------------

    def _place(self, battle: Battle, unit: Unit | None, at: Point) -> Appraisal:
        return self._now.of(unit).go(at) if unit is not None and unit.hurt else NOTHING

    def _yes(self, battle: Battle, unit: Unit | None, why: str) -> Appraisal:
        if unit is None:
            return NOTHING
        if why == "stay in cover":
            return Appraisal(steadies=0.3, reason="a unit that stays in cover is not beaten (RSK-141)")
        if why == "combine":
            return Appraisal(steadies=0.1, reason="three men alone run (RSK-047)")
        if why == "follow up":
            enemies = battle.within(unit, battle.against(unit.spec.side), 6.0)
            deals, takes = exchange(battle, unit, enemies[0], False) if enemies else (0.0, MAN)
            return Appraisal(
                deals, takes, reason=lambda: f"a further round fells {10 * deals:.1f}, costs {10 * takes:.1f}"
            )
        return NOTHING

    # --- command --------------------------------------------------------------------------------------------------------------

    def declare(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        """A die of command is worth more than one shot (RSK-053)."""
        if option == "done":
            return Appraisal(reason="a die of command is worth more than a shot (RSK-053)")
        return Appraisal(suffers=0.05, reason="one shot for one die of command (RSK-053)")

    def command(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        """Links while groups are left that more points could buy, then the groups that gain most by orders."""
        if not isinstance(option, tuple):
            return Appraisal(reason="nobody is left who gains by orders (worth 0)")
        other = battle.units[option[1]]
        if option[0] == LINK:
            return self._link(battle, other, int(question.about[0]))
        assert option[0] == GIVE, "a pool buys links and groups"
        gain = self._now.gain(other)
        return Appraisal(steadies=gain, reason=lambda: f"orders to {other.count} men are worth {gain:.2f}")

    def _link(self, battle: Battle, leader: Unit, points: int) -> Appraisal:
        """A leader is linked while the pool is too small for the groups that wait, or when he is out of it alone."""
        wanting = self._now.wanting(leader.spec.side)
        if wanting + 3 <= points and battle.host(leader) is not None:
            return Appraisal(suffers=0.01, reason=lambda: f"{points} points are enough for {wanting} men")
        return Appraisal(
            steadies=0.9, reason=lambda: f"{points} points for {wanting} men: a link brings more (RSK-061)"
        )

    # --- orders ---------------------------------------------------------------------------------------------------------------

    def order(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        """What each order leads to this turn; leaders keep with their men."""
        if unit.spec.leader:
            return self._lead(battle, unit, option)
        return self._now.of(unit).order(option)

    def _lead(self, battle: Battle, leader: Unit, option: Option) -> Appraisal:
        """A leader goes with the group in his charge, out of the enemy's reach when it is breaking."""
        if not isinstance(option, tuple) or option[0] != JOIN:
            near = battle.host(leader) is not None
            return Appraisal(steadies=0.1 if option == HOLD and near else 0.0, reason="stays within 5 cm (RSK-048)")
        group = battle.units[option[1]]
        own = group.spec.parent == leader.spec.parent
        away = battle.gap(leader, group).gap
        worth = 0.5 + 0.3 * own - 0.1 * (group.status in BACKWARD) - 0.01 * away
        return Appraisal(steadies=worth, reason=lambda: f"leads {group.count} men {away:.0f} cm off")

    def pace(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        """Half pace for troops who do better by the fire they can give after it."""
        share = 0.5 if option == "half" else 1.0
        about = question.about[0] if question.about else ""
        enemy = battle.units.get(about)
        goal = enemy.body.centre if enemy is not None else unit.goal
        if goal is None:
            return Appraisal(ground=0.1 * share, reason=f"goes back {share:.0%} of a move")
        return self._now.of(unit).go(goal, share)

    def face(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        """The front where fewest enemies stand on flank or rear, the nearest before it."""
        out = self._now.of(unit).flanked(float(str(option)))
        found = battle.nearest(unit, visible_enemies(battle, unit))
        off = angle_between(float(str(option)), bearing_to(unit.body.centre, found[0].body.centre)) if found else 0.0
        return Appraisal(suffers=0.1 * out + off / 10_000, reason=lambda: f"{out} enemies on flank or rear (RSK-122)")

    # --- shooting and striking --------------------------------------------------------------------------------------------------

    def shoot_at(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        """The men that a volley fells, by what each is worth, and the chance that their group breaks."""
        if option not in battle.units:
            return Appraisal(reason="holds fire: fells 0.0 men")
        target = battle.units[str(option)]
        rate = share_with_a_clear_shot(battle, unit, target) * rate_of(battle, unit, True, "moved" in unit.marks)
        gap = battle.gap(unit, target).gap
        fells = fire_at(battle, unit, gap, cover_against(battle, target, unit.body.centre), rate=rate)
        before = 10 * target.casualties / max(1, target.original)
        after = before + 10 * fells / MAN / max(1, target.original)
        sheet = action_table(battle, target)
        breaks = 0.5 * MAN * target.count * (shaken(battle, sheet, after) - shaken(battle, sheet, before))
        price = self._now.outlook(unit.spec.side).prey.get(target.spec.id, 1.0)
        price *= 0.6 if target.status in BACKWARD else 1.3 if gap < 40 and sheet == "melee" else 1.0
        return Appraisal(0.01 + fells * price + breaks, reason=lambda: f"fells {10 * fells:.1f} men on average")

    def shoot_with(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        reach = battle.book.reach(str(option))
        return Appraisal(inflicts=reach / 1000, reason=f"reaches {reach} cm")

    def retreat_to(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        return Appraisal(
            steadies=0.1 if option == "cover" else 0.0, reason="cover counts 1 on the Risk Factor (RSK-116)"
        )

    def strike(self, battle: Battle, unit: Unit, option: Option, question: Choose) -> Appraisal:
        """Leaders first, then the wounded, whom any blow kills (RSK-111)."""
        if not isinstance(option, tuple):
            return NOTHING
        other = battle.units[option[0]]
        return Appraisal(
            inflicts=MAN * (1.0 + other.hurt[option[1]] + 2.0 * bool(other.spec.leader)),
            reason="leaders first, then men whom a second wound kills (RSK-111)",
        )


CHOICES: dict[str, Callable[[Judgement, Battle, Unit, Option, Choose], Appraisal]] = {
    "command": Judgement.command,
    "will load or fire": Judgement.declare,
    "order": Judgement.order,
    "pace": Judgement.pace,
    "face": Judgement.face,
    "shoot at": Judgement.shoot_at,
    "shoot with": Judgement.shoot_with,
    "retreat": Judgement.retreat_to,
    "strike whom": Judgement.strike,
}
