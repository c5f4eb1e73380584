"""Actions that house rules add to the questions of Paychest: offered, worded, performed and valued."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rulesets.paychest.stage import Scene, blue, red, scenario, scene

from zareba.actions import Action
from zareba.agents import make_agent
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.table import Choose, SeededTable
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.moving import MOVE_ACTIONS, move_unit, offer_moves
from zareba_rulesets.paychest.actions.tables import ACTION_TABLES
from zareba_rulesets.paychest.game import PaychestGame

RULE = """
\"\"\"Curses: once a turn a unit may shout at an enemy within 10 inches, who is not impressed.\"\"\"

from zareba.api import Action, Evaluation, RulesValue, SimpleAction, hookimpl

RULESETS = ("paychest",)


class Curse(Action, verb="curse", text="curse the {enemy:name}", odds="move"):
    enemy: str

    @classmethod
    def options(cls, actor):
        if "cursed" not in actor.unit.marks:
            for enemy in actor.battle.enemies(actor.unit.spec.side):
                yield cls(enemy.spec.id)

    def perform(self, table, actor):
        actor.unit.mark("cursed")

    def value(self, view):
        return Evaluation(inflicts=0.001, reason=f"{view.away:.0f} inches is within earshot")


def rest(actor):
    return "rested" not in actor.unit.marks


REST = SimpleAction(
    "rest",
    "sit down",
    may=rest,
    does=lambda table, actor: actor.unit.mark("rested"),
    worth=RulesValue(lambda book: Evaluation(reason="sitting wins no ground")),
)


@hookimpl
def zareba_actions():
    return {"move": [Curse], **{why: [REST] for why in ("handle", "fire", "melee", "posture", "at the edge")}}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    file = tmp_path / "curses.py"
    file.write_text(RULE.lstrip(), encoding="utf-8")
    return load_rules("paychest", {}, [find_house_rule(str(file))])


def place(rules: Rules) -> Scene:
    return scene(red(4), blue(3, y=30.0), rules=rules)


def test_an_action_is_offered_after_those_of_the_rules_and_has_a_text_and_a_value(rules: Rules) -> None:
    there = place(rules)
    battle, unit = there.battle, there.unit("red")
    options = offer_moves(MovingUnit(battle, unit, {}))
    assert options == ["halt", "advance", "run", "man by man", ("curse", "blue")]
    game = PaychestGame(rules, scenario("patrol_clash"))
    question = Choose("move", "PAY-067", "red", "red", tuple(options), ())
    assert (
        game.narrator.describe_option(battle, question, ("curse", "blue"))
        == f"curse the {battle.unit('blue').spec.name}"
    )
    found = game.advisor.evaluate(battle, question)[-1]
    assert (found.inflicts, found.reason) == (0.001, "20 inches is within earshot")
    assert game.advisor.has_odds(battle, question, ("curse", "blue"))


def test_it_is_performed_and_the_unit_goes_on(rules: Rules) -> None:
    there = place(rules)
    there.play(
        move_unit,
        there.battle,
        there.unit("red"),
        script=[("handle", "done"), ("move", ("curse", "blue")), ("move", "halt"), ("handle", "done")],
    )
    assert "cursed" in there.unit("red").marks


@pytest.mark.parametrize("kind", ["random", "doctrine"])
def test_every_question_of_actions_takes_actions_of_house_rules(rules: Rules, kind: str) -> None:
    game = PaychestGame(rules, scenario("patrol_clash"))
    state = game.start()
    table = SeededTable(game.rules, state, 3, {seat: make_agent(kind, game, seat, 3) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and state.turn < 4:
        table.begin(step)
        game.play.perform(table, state, step)
    assert {actions.question for actions in ACTION_TABLES} == {"move", *rules.house_actions}


def test_every_action_of_the_rules_is_read_back_from_its_option() -> None:
    assert set(MOVE_ACTIONS.by_verb) >= {"mount", "climb", "drive", "push", "board", "get off"}
    for table in ACTION_TABLES:
        for verb, action in table.by_verb.items():
            if isinstance(action, type) and issubclass(action, Action):
                full = action(*["x"] * len(action.names))
                assert table.read(full.option) == full, verb
            else:
                assert table.read(verb) is action
