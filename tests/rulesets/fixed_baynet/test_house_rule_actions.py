"""Actions that house rules add: legal, worded, with odds, performed, valued, and refused if faulty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import house, squad

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.state import digest
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.table import Choose, ScriptedTable, SeededTable
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.actions.unit_actions import legal_actions
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle

LANTERN = ("throw lantern", "hut")


def lantern() -> Rules:
    return load_rules("fixed_baynet", {}, [find_house_rule("lantern")])


def at_the_hut(rules: Rules, away: float = 4.0) -> Battle:
    """Six men south of a hut, which holds an enemy."""
    red, blue = squad("red", "patrol", 6, (43, 38 - away)), squad("blue", "tribesmen", 1, (43, 43))
    (man,) = blue.figures.values()
    man.place, man.post = "hut:0:0", "hut:window"
    on = house()
    state = bare_battle(rules, [red, blue], on)
    state.houses["hut"] = BuildingState(4)
    state.active = "red"
    return state


def question(state: Battle) -> Choose:
    return Choose("act", "FBN-016", "red", "patrol", legal_actions(state, state.units["red"]).kinds, ())


def test_an_action_of_a_house_rule_is_offered_where_it_is_legal() -> None:
    rules = lantern()
    assert LANTERN in legal_actions(*of(at_the_hut(rules))).kinds
    assert LANTERN not in legal_actions(*of(at_the_hut(rules, away=12.0))).kinds
    assert LANTERN not in legal_actions(*of(at_the_hut(load_rules("fixed_baynet")))).kinds


def of(state: Battle) -> tuple[Battle, Any]:
    return state, state.units["red"]


def test_it_has_a_text_odds_and_a_value() -> None:
    rules = lantern()
    game = FbnGame(rules, load_scenario("patrol_clash"))
    state = at_the_hut(rules)
    asked = question(state)
    assert game.narrator.describe_option(state, asked, LANTERN) == "throw a lantern into the thatch of the hut (1 AC)"
    assert game.advisor.has_odds(state, asked, LANTERN)
    best = game.advisor.best_options(state, asked)
    assert best[LANTERN].inflicts == 0.1 and best[LANTERN].reason == "enemies are inside, and thatch burns"
    assert list(best).index(LANTERN) < list(best).index("end")


def test_its_odds_show_the_damage_to_the_building() -> None:
    game = FbnGame(lantern(), load_scenario("patrol_clash"))
    before, after = at_the_hut(game.rules), at_the_hut(game.rules)
    after.houses.change("hut").points = 2
    assert [game.narrator.describe_change(one) for one in game.display.changes(before, after)] == [
        "hut: 2 damage points lost"
    ]


@pytest.mark.parametrize(("face", "left"), [(3, 4), (4, 2)])
def test_it_is_performed_through_the_table(face: int, left: int) -> None:
    rules = lantern()
    state = at_the_hut(rules)
    with ScriptedTable(rules, state, [("lantern", face)]) as table:
        perform_action(table, state, state.change(state.units["red"]), LANTERN)
    assert state.houses["hut"].points == left
    assert sorted(man.ac for man in state.units["red"].figures.values()) == [2, 3, 3, 3, 3, 3]


@pytest.mark.parametrize("kind", ["random", "doctrine"])
def test_games_with_it_are_played_to_the_end_and_are_the_same_again(kind: str) -> None:
    ends = []
    for _ in range(2):
        game = lantern().game(load_scenario("mission_station"))
        state = game.start()
        table = SeededTable(game.rules, state, 3, {seat: make_agent(kind, game, seat, 3) for seat in game.seats})
        while (step := game.play.next_step(state)) is not None:
            table.begin(step)
            game.play.perform(table, state, step)
        ends.append(digest(state.to_data()))
    assert ends[0] == ends[1]


def rule(folder: Path, text: str) -> Rules:
    file = folder / "ours.py"
    file.write_text(text, encoding="utf-8")
    return load_rules("fixed_baynet", {}, [find_house_rule(str(file))])


ROW = """
from zareba.api import Evaluation, RulesValue, SimpleAction, hookimpl
@hookimpl
def zareba_actions():
    row = SimpleAction("{verb}", "{text}", may=lambda actor: {may}, does=lambda table, actor: None,
                       worth=RulesValue(lambda book: Evaluation(ground=9.0)))
    return {{"{question}": [{row}]}}
"""
SOUND = {"verb": "salute", "text": "salute", "may": "True", "question": "act", "row": "row"}


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        ({"verb": "lie down"}, "there is an action 'lie down' already"),
        ({"text": "salute {whom}"}, "the text of 'salute' has a gap {whom}"),
        ({"question": "acts"}, "did you mean 'act'"),
        ({"row": "7"}, "7 is not an action"),
    ],
)
def test_a_faulty_action_is_refused_when_the_rules_are_loaded(
    tmp_path: Path, faulty: dict[str, str], said: str
) -> None:
    with pytest.raises(ZarebaError, match=r"house rule 'ours' failed in zareba_actions") as error:
        rule(tmp_path, ROW.format(**{**SOUND, **faulty}))
    assert said in str(error.value)


def test_an_error_while_its_options_are_found_names_the_house_rule(tmp_path: Path) -> None:
    state = at_the_hut(rule(tmp_path, ROW.format(**{**SOUND, "may": "actor.unit.nerve > 3"})))
    with pytest.raises(RuleBroken, match=r"house rule 'ours' failed in zareba_actions .*ours.py:5"):
        legal_actions(*of(state))


def test_an_action_of_one_man_is_offered_after_those_of_the_rules(tmp_path: Path) -> None:
    rules = rule(tmp_path, ROW.format(**{**SOUND, "question": "what he does"}))
    game = FbnGame(rules, load_scenario("patrol_clash"))
    state = at_the_hut(rules)
    table = ScriptedTable(rules, state, [("which man", "red/1"), ("what he does", "salute")])
    with table:
        perform_action(table, state, state.change(state.units["red"]), "one man")
    asked = Choose("what he does", "FBN-016", "red/1", "patrol", ("salute", "nothing"), ())
    assert [game.narrator.describe_option(state, asked, option) for option in asked.options] == ["salute", "do nothing"]
    assert game.advisor.evaluate(state, asked)[0].ground == 9.0
