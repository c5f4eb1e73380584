"""House rules written for the last release still load and play, with a warning that names today's name."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest
from tests.core.toy import bare_rules

from zareba.actions import FixedValueAction, RulesValue, SimpleAction
from zareba.battle.evaluation import Evaluation
from zareba.battle.umpire import Umpire
from zareba.plugins import hook_specs
from zareba.registry import find_house_rule, load_rules, rules_from_record
from zareba.renamed import API, ARGUMENTS, HOOKS, METHODS, warn_renamed, with_new_keys, with_old_keys
from zareba.scenario import load_scenario
from zareba.scenario.victory import CountedGroup, Scoreboard
from zareba.session import Session, new_session
from zareba.table import ScriptedTable, Table
from zareba.testing import game_with_rules, play

OLD = """
from zareba.api import {imports}

dug = Kept("dug", False, words="dug in")


def dig_in(table, battle, question):
    dug[table, question.actor] = True


@hookimpl
def zareba_options(question):
    if question.why != "fire at":
        return None
    return [*question.options, Offer("dig in", dig_in, then="hold fire")]


@hookimpl
def zareba_appraise(state, question, option):
    return Appraisal(steadies=50.0, reason="cover") if option == "dig in" else None
"""


@pytest.fixture(autouse=True)
def forget_warnings() -> None:
    warn_renamed.cache_clear()


@pytest.mark.parametrize("imports", ["Appraisal, Kept, Offer, hookimpl", "*"])
def test_an_old_house_rule_still_plays(tmp_path: Path, caplog: pytest.LogCaptureFixture, imports: str) -> None:
    file = tmp_path / "old_digging.py"
    file.write_text(OLD.format(imports=imports))
    with caplog.at_level(logging.WARNING, logger="zareba"):
        rule = find_house_rule(str(file))
        assert load_rules("vcc", house_rules=[rule]).house_rules == ("old_digging",)
    assert "zareba.api.Kept is now called StateVariable" in caplog.text
    assert "the hook zareba_appraise is now called zareba_evaluate" in caplog.text
    assert play(file, ruleset="vcc", seed=2).turns > 1


def test_every_old_name_refers_to_a_present_one() -> None:
    for module, names in API.items():
        public = import_module(module)
        for old, new in names.items():
            assert getattr(public, old) is getattr(public, new)
        with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
            _ = public.Nothing
    assert all(hasattr(hook_specs, new) for new in HOOKS.values())


def test_a_session_answers_to_the_old_names_of_its_methods(caplog: pytest.LogCaptureFixture) -> None:
    given = load_scenario("patrol_clash")
    session: Any = new_session("vcc", given, dict.fromkeys(given.sides, "human"), seed=1)
    with caplog.at_level(logging.WARNING, logger="zareba"):
        assert session.may_undo() == session.why_no_undo() == "you have no choice to undo"
    assert "Session.may_undo is now called why_no_undo" in caplog.text
    assert all(hasattr(Session, new) for new in METHODS["Session"].values()) and not hasattr(session, "may_do")


def test_an_action_accepts_the_old_names_of_its_arguments(caplog: pytest.LogCaptureFixture) -> None:
    action_class: Any = SimpleAction
    value = RulesValue(lambda book: Evaluation(ground=0.5))
    with caplog.at_level(logging.WARNING, logger="zareba"):
        action = action_class(
            "rest", "rests", may=lambda actor: actor == "tired", does=lambda table, actor: "slept", worth=value
        )
    assert (action.is_legal("tired"), action.is_legal("fresh"), action.evaluation) == (True, False, value)
    assert action.perform(ScriptedTable(bare_rules(), None, []), "tired") == "slept"
    for old, new in ARGUMENTS["SimpleAction"].items():
        assert f"the argument {old} of SimpleAction is now called {new}" in caplog.text


def test_an_action_class_accepts_the_old_name_of_its_fixed_value(caplog: pytest.LogCaptureFixture) -> None:
    def value(book: Any) -> Evaluation:
        return Evaluation(ground=0.5)

    with caplog.at_level(logging.WARNING, logger="zareba"):

        class Serve(  # type: ignore[call-arg]  # type checkers know only the new name
            FixedValueAction[Any, Any], verb="serve", text="serves", flat=value
        ):
            @classmethod
            def options(cls, actor: Any) -> Iterable[Self]:
                return ()

            def perform(self, table: Table, actor: Any) -> object:
                return None

    assert Serve.fixed_value(None) == Evaluation(ground=0.5)
    assert "the argument flat of FixedValueAction is now called fixed_value" in caplog.text


def test_a_played_test_game_answers_to_its_old_names(caplog: pytest.LogCaptureFixture) -> None:
    played: Any = play(ruleset="vcc", seed=1)
    with caplog.at_level(logging.WARNING, logger="zareba"):
        assert played.told == played.event_counts
        assert played.kept("ammunition.rounds") == {}
    assert "PlayedTestGame.told is now called event_counts" in caplog.text
    assert not hasattr(played, "heard")


def test_a_house_rule_may_use_the_old_keys_of_a_ruleset(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "old_keys.yaml"
    file.write_text(
        "house_rule: old_keys\nruleset: vcc\n"
        "settings: {smoke: {rule: H-1, summary: smoke, default: 'on', values: ['on', 'off'], formerly: {yes: 'on'}}}\n"
        "changes:\n  - {add: spoken.notes.lamps, entry: {of: [jezail], say: 'lit: {units}'}, why: so they are told}\n"
    )
    with caplog.at_level(logging.WARNING, logger="zareba"):
        rules = load_rules("vcc", house_rules=[find_house_rule(str(file))])
    assert rules.book.supported_words.notes["lamps"].words == ["jezail"]
    assert rules.own_settings["old_keys.smoke"].old_values == {"yes": "on"}
    for old, new in (
        ("the section spoken", "supported_words"),
        ("the key of", "words"),
        ("the key formerly", "old_values"),
    ):
        assert f"{old} is now called {new}" in caplog.text


@pytest.mark.parametrize("name", ["vcc", "afriboria"])
def test_an_old_journal_gives_the_same_rules_without_a_warning(name: str, caplog: pytest.LogCaptureFixture) -> None:
    rules = load_rules(name)
    old = with_old_keys(rules.data)
    assert {"enrolment", "spoken"} <= old.keys() and with_new_keys(old) == rules.data
    with caplog.at_level(logging.WARNING, logger="zareba"):
        again = rules_from_record(name, old, dict(rules.settings), [], ())
    assert (again.data, again.digest) == (rules.data, rules.digest)
    assert caplog.text == ""


def test_an_umpire_answers_to_its_old_names(caplog: pytest.LogCaptureFixture) -> None:
    game = game_with_rules()
    umpire: Any = Umpire(game, None, game.start())
    with caplog.at_level(logging.WARNING, logger="zareba"):
        assert umpire.there() == umpire.pieces_on_table() != {}
        assert all(umpire.set_out(unit) == umpire.starting_position(unit) for unit in game.scenario.units)
    assert "Umpire.there is now called pieces_on_table" in caplog.text
    assert not hasattr(umpire, "gone")


TAKES_AWAY = """
from zareba.api import hookimpl


@hookimpl
def zareba_view(state, seat):
    state.prizes = {}
"""


@pytest.mark.parametrize("name", ["vcc", "fixed_baynet", "afriboria", "risk_factor"])
def test_a_battle_answers_to_the_old_name_of_its_carried_objects(name: str, caplog: pytest.LogCaptureFixture) -> None:
    game = load_rules(name).ruleset.game(load_rules(name), load_scenario("paychest_raid"), {})
    battle: Any = game.start()
    with caplog.at_level(logging.WARNING, logger="zareba"):
        assert battle.prizes is battle.carried_objects != {}
        battle.prizes = {}
    assert battle.carried_objects == {}
    assert caplog.text.count("battle.prizes is now called battle.carried_objects") == 1


def test_the_state_of_an_old_journal_has_its_carried_objects() -> None:
    game = load_rules("vcc").ruleset.game(load_rules("vcc"), load_scenario("paychest_raid"), {})
    battle: Any = game.start()
    data = battle.to_data()
    assert "prizes" in data and "carried_objects" not in data
    assert game.from_data(data).carried_objects == battle.carried_objects != {}


def test_old_house_rules_may_take_the_objects_from_a_view(tmp_path: Path) -> None:
    file = tmp_path / "takes_away.py"
    file.write_text(TAKES_AWAY)
    rules = load_rules("vcc", house_rules=[find_house_rule(str(file))])
    game = rules.ruleset.game(rules, load_scenario("paychest_raid"), {})
    battle: Any = game.start()
    assert game.sight.view(battle, next(iter(game.scenario.sides))).carried_objects == {} != battle.carried_objects


def test_plans_and_scoreboards_accept_the_old_name_of_carried_objects(caplog: pytest.LogCaptureFixture) -> None:
    game: Any = load_rules("vcc").ruleset.game(load_rules("vcc"), load_scenario("paychest_raid"), {})
    battle = game.start()
    with caplog.at_level(logging.WARNING, logger="zareba"):
        assert replace(game.plan, prizes={}).carried_objects == {} != game.plan.prizes
        assert replace(battle, prizes={}).carried_objects == {}
        old_class: Any = OldScoreboard
        score = old_class(None, game.scenario, turn=1, achieved={}, prizes={"chest": None})
    assert score.carried_objects == score.prizes == {"chest": None}
    for called in ("the argument prizes of Plan", "the argument prizes of Battle", "the argument prizes of Scoreboard"):
        assert f"{called} is now called carried_objects" in caplog.text


def test_a_scoreboard_finds_the_objects_of_an_old_battle_class(caplog: pytest.LogCaptureFixture) -> None:
    old_battle: Any = SimpleNamespace(turn=1, achieved={}, prizes={"chest": None})
    with caplog.at_level(logging.WARNING, logger="zareba"):
        score = OldScoreboard(old_battle, load_scenario("paychest_raid"))
    assert score.carried_objects == {"chest": None}
    assert "battle.prizes is now called battle.carried_objects" in caplog.text


class OldScoreboard(Scoreboard[Any]):
    """The scoreboard of a package written for the last release."""

    def counted_groups(self) -> Iterable[CountedGroup]:
        return ()

    def is_at(self, men: CountedGroup, key: str, goal: Any) -> bool:
        return False
