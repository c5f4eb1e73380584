"""Estimates of melee: the skill of figures, and the losses of a turn's fighting."""

from __future__ import annotations

from zareba_rulesets.paychest.chapters.melee import melee_facts
from zareba_rulesets.paychest.estimates.expected_losses import SHARE, exchange
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["press", "skill_of"]

IN_REACH = 12
"""Figures of a side that come to blows in a turn. Ranks behind them do not."""


def skill_of(battle: Battle, figure: Figure) -> int:
    """Return a figure's Melee Skill in its present state (PAY-143)."""
    return max(0, battle.book.rules.tally("melee", melee_facts(battle, figure), battle, figure).total)


def press(battle: Battle, unit: Unit, enemy: Unit) -> tuple[float, float]:
    """Return the expected losses of a turn's melee, inflicted and suffered, if all that can reach it fight.

    If we have more figures than the enemy, the extra ones fight two against one.
    """
    ours, theirs = unit.able, enemy.able
    if not ours or not theirs:
        return 0.0, 0.0
    mine = round(sum(figure.spec.melee for figure in ours) / len(ours))
    foe = round(sum(figure.spec.melee for figure in theirs) / len(theirs))
    if any("back turned" in figure.marks for figure in theirs):
        foe = max(0, foe + battle.book.settings.back_turned_melee)
    out_chance, max_against_one = battle.book.out_chance, battle.book.file.most_against_one.most
    men = min(len(ours), max_against_one * len(theirs), IN_REACH)
    pairs = men // 2 if min(men, max_against_one) > 1 else 0
    gain, loss = exchange((mine, mine) if pairs else (mine,), foe, out_chance)
    engaged = max(1, pairs)
    own_losses, hurt = exchange((foe,), mine, out_chance)
    answers = 0.5 * min(len(theirs), len(ours), IN_REACH)
    return (gain * engaged + hurt * answers) / SHARE, (loss * engaged + own_losses * answers) / SHARE
