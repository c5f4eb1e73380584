"""A modifier that rolls dice, and a wrap that rolls before and after: odds compared with hand calculations."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from zareba.testing import chances

RULE = """
from zareba.api import Modifier, DiceResult, hookimpl

@hookimpl
def zareba_modifiers():
    return {{"{number}": [Modifier("gusts", "H-1", "add", DiceResult(1, 3), summary="gusts of luck")]}}

@hookimpl
def zareba_procedures():
    return {{"{procedure}": wrapped}}

def wrapped(inner, table, *args):
    before = table.roll(1, 6, why="before", rule="H-1")
    {before}
    after = table.roll(1, 6, why="after", rule="H-1")
    {after}
    return result
"""

KEPT = F(5, 6) * F(5, 6)
"""The chance that neither the die before nor the die after cancels the result."""


def written(at: Path, number: str, procedure: str, before: str, after: str) -> Path:
    rule = at / "luck.py"
    rule.write_text(RULE.format(number=number, procedure=procedure, before=before, after=after), encoding="utf-8")
    return rule


def found(rule: Path, procedure: str, ruleset: str, what: str, **facts: Any) -> dict[Any, F]:
    """Return the odds of one field of the outcome."""
    found: dict[Any, F] = {}
    for outcome, chance in chances(procedure, rule, ruleset=ruleset, **facts).items():
        key = getattr(outcome, what)
        found[key] = found.get(key, F(0)) + chance
    return found


def test_vcc_odds_of_a_rally_equal_hand_computed_ones(tmp_path: Path) -> None:
    """Three bases rally on 3 or less (VCC-160); with 1, 2 or 3 added, on 4, 5 or 6. A 1 on the die before cancels the
    attempt, a 6 on the die after undoes it.
    """
    rule = written(
        tmp_path, "rally", "rally.roll", "result = before > 1 and inner(table, *args)", "result = result and after < 6"
    )
    rallied = (F(4, 6) + F(5, 6) + 1) / 3 * KEPT
    assert found(rule, "rally", "vcc", "rallied", bases=3) == {True: rallied, False: 1 - rallied}


def test_paychest_odds_of_a_shot_equal_hand_computed_ones(tmp_path: Path) -> None:
    """A halted figure of skill 3 hits on 2 or less of a D6 (PAY-111); with 1, 2 or 3 added, on 3, 4 or 5."""
    rule = written(
        tmp_path,
        "firearms",
        "shooting.shots",
        "result = inner(table, *args) if before > 1 else 0",
        "result = result if after < 6 else 0",
    )
    hit = (F(3, 6) + F(4, 6) + F(5, 6)) / 3 * KEPT
    assert found(rule, "to_hit", "paychest", "hit", skill=3) == {True: hit, False: 1 - hit}


def test_fixed_baynet_odds_of_a_shot_equal_hand_computed_ones(tmp_path: Path) -> None:
    """DS 7 hits on 6 of 12 faces, one of them critical (FBN-082, FBN-087); with 1, 2 or 3 added, on 7, 8 or 9."""
    rule = written(
        tmp_path,
        "shooting",
        "fire.to_hit",
        "result = inner(table, *args) if before > 1 else 0",
        "result = result if after < 6 else 0",
    )
    hit, critical = (F(6, 12) + F(7, 12) + F(8, 12)) / 3 * KEPT, F(1, 12) * KEPT
    assert found(rule, "shot", "fixed_baynet", "result", ds=7) == {
        "hit": hit,
        "critical": critical,
        "miss": 1 - hit - critical,
    }


def test_afriboria_odds_of_an_attack_on_a_commander_equal_hand_computed_ones(tmp_path: Path) -> None:
    """Three dice and 1, 2 or 3 more; a sabre, one face of six, hits, and one of three saves stops it (AFR-222)."""
    rule = written(
        tmp_path, "battle_dice", "battle.commander",
        "result = inner(table, *args) if before > 1 else None", "args[-1].kills *= after < 6",
    )  # fmt: skip
    hit = sum((1 - F(5, 6) ** dice) * F(2, 3) for dice in (4, 5, 6)) / 3 * KEPT
    got = found(rule, "attack_on_commander", "afriboria", "hit", attacker="inf_a", attacker_figures=6, range=2)
    assert got == {True: hit, False: 1 - hit}


@pytest.mark.deep
def test_risk_factor_odds_of_a_shot_equal_hand_computed_ones(tmp_path: Path) -> None:
    """Seven of eight shots hit. The damage die has 1, 2 or 3 added, at most 6: graze up to 2, wound up to 4, kill from
    5 (RSK-100).

    A 1 on the die before turns a kill into a wound; a 6 on the die after makes a wounded figure bleed to death.
    """
    rule = written(
        tmp_path, "damage_die", "hits.strike",
        "args = (*args[:2], {i: min(effect, 1) if before == 1 else effect for i, effect in args[2].items()}, *args[3:])\n"
        "    result = inner(table, *args)",
        "if after == 6 and args[1].hurt and args[2]:\n        inner(table, *args[:2], {0: 2}, *args[3:])",
    )  # fmt: skip
    graze, wound = F(1, 6) / 3, (F(2, 6) + F(2, 6) + F(1, 6)) / 3
    kill = 1 - graze - wound
    wound, kill = wound + kill / 6, kill * F(5, 6)
    wound, kill = wound * F(5, 6), kill + wound / 6
    assert found(rule, "single_shot", "risk_factor", "effect") == {
        "miss": F(1, 8),
        "graze": F(7, 8) * graze,
        "wound": F(7, 8) * wound,
        "kill": F(7, 8) * kill,
    }


def test_paychest_odds_of_a_morale_check_equal_hand_computed_ones(tmp_path: Path) -> None:
    """Two dice above the number of hits pass (PAY-149). A bonus of 1, 2 or 3 counts as that many fewer hits."""
    rule = tmp_path / "luck.py"
    rule.write_text(
        "from zareba.api import Modifier, DiceResult, hookimpl\n\n@hookimpl\ndef zareba_modifiers():\n"
        "    return {'morale': [Modifier('gusts', 'H-1', 'add', DiceResult(1, 3), summary='heart')]}\n",
        encoding="utf-8",
    )
    passed = (F(30, 36) + F(33, 36) + F(35, 36)) / 3
    assert found(rule, "morale", "paychest", "result", kind="irregular", hits=5)["passes"] == passed
