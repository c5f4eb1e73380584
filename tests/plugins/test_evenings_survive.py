"""A game survives faulty house rules: failures cost one step, rules can be dropped or fixed, sources are kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from typer.testing import CliRunner

from zareba.base.errors import RuleBroken, ZarebaError
from zareba.cli import app
from zareba.house_rules import hook_function
from zareba.journal import read_journal
from zareba.registry import HouseRule, NotInstalled, find_house_rule
from zareba.scenario import load_scenario
from zareba.session import Session, new_session, open_session, replay

FAILS = """\
from zareba.api import StateVariable, hookimpl
rounds = StateVariable("rounds", 0, of="game")

@hookimpl
def zareba_state():
    return [rounds]

@hookimpl
def zareba_turn(table, turn):
    rounds.add(table, None, 1)
    if turn == 3:
        {does}
"""


@pytest.fixture
def begun(tmp_path: Path) -> Callable[..., tuple[HouseRule, Session, Path]]:
    """Return a function that begins a game of AI players under a house rule that acts in turn 3."""

    def begin(does: str, ruleset: str = "vcc") -> tuple[HouseRule, Session, Path]:
        file = tmp_path / "club.py"
        file.write_text(FAILS.format(does=does), encoding="utf-8")
        rule, path = find_house_rule(str(file)), tmp_path / "game.jsonl"
        scenario = load_scenario("patrol_clash")
        rules = [rule, find_house_rule("short_evening")]
        session = new_session(
            ruleset, scenario, dict.fromkeys(scenario.sides, "random"), seed=2, house_rules=rules, path=path
        )
        return rule, session, path

    return begin


@pytest.mark.parametrize("ruleset", ["afriboria", "vcc"])
def test_a_failing_rule_is_left_out_and_the_evening_continues(begun: Any, ruleset: str) -> None:
    rule, session, path = begun("1 / 0", ruleset)
    with pytest.raises(
        RuleBroken, match=r"house rule 'club' failed in zareba_turn \(.*club.py:12\): ZeroDivisionError"
    ):
        session.drive()
    stood = session.state.to_data()
    session.close()
    resumed = open_session(path, house_rules=[rule.file], without=["club"])
    assert resumed.session.game.rules.house_rules == ("short_evening",)
    left = {key: value for key, value in stood["own"].items() if not key.startswith("club.")}
    assert resumed.session.history.steps[0].start.to_data()["own"] == left
    resumed.session.drive()
    assert resumed.session.pending is None
    ended = resumed.session.state
    resumed.session.close()
    again = replay(path)
    assert again.notice == "" and again.session.state == ended


def test_the_log_keeps_events_of_a_rule_that_was_left_out_later(begun: Any) -> None:
    rule, session, path = begun("1 / 0")
    with pytest.raises(RuleBroken):
        session.drive()
    session.close()
    resumed = open_session(path, house_rules=[rule.file], without=["club"])
    resumed.session.drive()
    resumed.session.close()
    told = CliRunner().invoke(app, ["log", str(path)]).stdout
    assert told.startswith("Turn 1, deployment")
    before, _, after = told.partition("other rules\n  - from here on with the house rule 'A short evening'\n")
    assert before.count("\n") > 10 < after.count("\n")


def test_a_corrected_rule_continues_in_its_new_form(begun: Any) -> None:
    rule, session, path = begun("1 / 0")
    with pytest.raises(RuleBroken):
        session.drive()
    session.close()
    rule.file.write_text(FAILS.format(does="pass"), encoding="utf-8")
    with pytest.raises(ZarebaError, match="has changed since this game was played"):
        open_session(path, house_rules=[rule.file])
    mended = find_house_rule(str(rule.file))
    resumed = open_session(path, as_recorded=True, changed=[mended])
    resumed.session.drive()
    assert resumed.session.state.own["club.rounds"] == resumed.session.state.own["zareba.turn"] > 3
    resumed.session.close()
    assert read_journal(path).since_change().house_rules[0].text == mended.text
    assert replay(path, house_rules=[rule.file]).notice == ""


def test_the_journal_contains_the_texts_of_rules_but_runs_none_unasked(begun: Any) -> None:
    rule, session, path = begun("pass")
    session.drive()
    session.close()
    club, short = read_journal(path).house_rules
    assert (club.text, club.brought) == (rule.text, "")
    assert "zareba_scenario" in short.text and short.brought.startswith("zareba ")
    rule.file.unlink()
    with pytest.raises(NotInstalled, match="or run the text in the journal with --as-recorded"):
        replay(path)
    assert replay(path, as_recorded=True).notice == ""


def test_a_changed_text_in_the_journal_is_not_run(begun: Any) -> None:
    rule, session, path = begun("pass")
    session.drive()
    session.close()
    rule.file.unlink()
    played = read_journal(path).house_rules
    forged = played[0].model_copy(update={"text": "raise SystemExit"})
    from zareba.registry import house_rules_played

    with pytest.raises(NotInstalled):
        house_rules_played([forged], as_recorded=True)


def test_only_rules_of_the_game_can_be_left_out(begun: Any) -> None:
    rule, session, path = begun("pass")
    session.drive()
    session.close()
    with pytest.raises(ZarebaError, match="no house rule of this game called 'clup'; did you mean 'club'"):
        open_session(path, house_rules=[rule.file], without=["clup"])
    assert replay(path, house_rules=[rule.file]).notice == ""


@pytest.mark.parametrize("does", ["while True: pass", "raise SystemExit(3)", "raise RecursionError"])
def test_a_rule_that_hangs_or_exits_stops_only_the_step(begun: Any, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    monkeypatch.setattr(hook_function, "LONGEST_RUN", 1.5)
    _, session, path = begun(does)
    began = monotonic()
    with pytest.raises(RuleBroken, match="house rule 'club' failed in zareba_turn"):
        session.drive()
    assert monotonic() - began < 30
    stood = session.state.to_data()
    session.close()
    assert open_session(path, as_recorded=True).session.state.to_data() == stood
