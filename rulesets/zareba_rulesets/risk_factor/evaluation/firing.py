"""The choice of target for a unit that shoots, in the AI evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.battle.evaluation import about_men
from zareba.plugins.ruleset import Evaluation
from zareba.table import Option
from zareba_rulesets.risk_factor.chapters.targets import share_with_a_clear_shot
from zareba_rulesets.risk_factor.estimates.expected_losses import (
    MAN,
    chance_of_going_back,
    cover_against,
    expected_fire_losses,
    shooting_rate,
)
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table

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
