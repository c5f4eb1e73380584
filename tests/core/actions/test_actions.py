"""Actions: their options, tables, texts and values, and actions of house rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace, new_class
from typing import Any, Self

import pytest

from zareba.actions import Action, ActionKind, ActionTable, FixedValueAction, RulesValue, SimpleAction
from zareba.base.errors import RuleBroken
from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.battle.sentence_templates import Words, gaps
from zareba.house_rules import HookFunction
from zareba.table import ScriptedTable, Table


@dataclass
class Picket:
    """A unit with enemies in reach and officers."""

    enemies: list[str] = field(default_factory=list)
    tired: bool = False
    done: list[str] = field(default_factory=list)


class Fire(Action[Picket, Picket], verb="fire", text="fire at {target:name}: {better} better", odds="volley"):
    target: str

    @classmethod
    def options(cls, actor: Picket) -> Iterator[Self]:
        for enemy in actor.enemies:
            actor.done.append(f"looked at {enemy}")
            yield cls(enemy)

    def perform(self, table: Table, actor: Picket) -> None:
        actor.done.append(f"fired at {self.target}")

    def value(self, view: Picket) -> Evaluation:
        return Evaluation(inflicts=1.0 / len(view.enemies), reason=f"{self.target} is in reach")


class Serve(
    FixedValueAction[Picket, Picket],
    verb="serve",
    text="serve gun {gun} with {men|man|men}",
    fixed_value=lambda book: Evaluation(ground=book["serve"], reason="the gun needs its crew"),
):
    gun: int
    men: int

    @classmethod
    def options(cls, actor: Picket) -> list[Self]:
        return [cls(0, 2)]

    def perform(self, table: Table, actor: Picket) -> None:
        actor.done.append("served")


REST: SimpleAction[Picket, Picket] = SimpleAction(
    "rest",
    "rest",
    is_legal=lambda picket: picket.tired,
    effect=lambda table, picket: picket.done.append("rested"),
    evaluation=RulesValue(lambda book: Evaluation(steadies=book["rest"])),
)
FIRE: ActionKind[Picket, Picket] = ActionKind(
    "fire", Fire, question="fire at", rule="T-1", text="fire: {better} better"
)
TABLE: ActionTable[Picket, Picket] = ActionTable("act", REST, Serve, kinds=[FIRE], numbers={"better"}, formats={"name"})


def test_an_option_has_a_verb_and_fields_and_parses_back() -> None:
    assert Fire("scouts").option == ("fire", "scouts") and REST.option == "rest"
    assert TABLE.action_of(("fire", "scouts")) == Fire("scouts")
    assert TABLE.action_of(("serve", 0, 2)) == Serve(0, 2)
    assert TABLE.action_of("rest") is REST


@pytest.mark.parametrize("option", ["fire", ("fire",), ("fire", "scouts", 3), "dance", 7, ("rest", 1)])
def test_an_option_that_is_not_an_action_parses_as_none(option: Any) -> None:
    assert TABLE.action_of(option) is None


def test_kind_and_action_with_the_same_verb_are_distinguished() -> None:
    assert TABLE.kind_of("fire") is FIRE
    assert TABLE.kind_of(("fire", "scouts")) is None and TABLE.kind_of("rest") is None


def test_legal_actions_are_searched_only_as_far_as_needed() -> None:
    picket = Picket(["scouts", "guard"])
    legal_actions = LegalActions("battle", picket)
    REST.offer(legal_actions, picket)
    FIRE.offer(legal_actions, picket)
    assert list(legal_actions.kinds) == ["fire"] and picket.done == ["looked at scouts"]
    assert legal_actions.of("fire") == [("fire", "scouts"), ("fire", "guard")]


def test_flat_values_come_from_the_book_once_a_game() -> None:
    table, book = TABLE.with_actions([]), {"rest": 0.5, "serve": 0.25}
    assert table.fixed_values(book)["rest"] == Evaluation(steadies=0.5)
    assert table.value(Serve(0, 2), Picket(), book).ground == 0.25
    book["serve"] = 9.0
    assert table.fixed_values(book)["serve"] == Evaluation(ground=0.25, reason="the gun needs its crew")
    assert "fire" not in table.fixed_values(book)
    assert TABLE.with_actions([]).value(Fire("scouts"), Picket(["scouts"]), book).inflicts == 1.0


def test_a_text_is_filled_from_fields_numbers_and_formats() -> None:
    text = partial(TABLE.text, numbers={"better": 3}, formats={"name": str.upper})
    assert text(Fire("scouts"), words=Words()) == "fire at SCOUTS: 3 better"
    assert text(Serve(1, 1), words=Words()) == "serve gun 1 with 1 man"
    other = Words(tables={"actions": {"fire": "let fly at {target}"}})
    assert text(Fire("scouts"), words=other) == "let fly at scouts"


def test_gaps_names_the_formats_of_the_ruleset_alone() -> None:
    assert gaps("{a:name} {b:words} {c:+d} [d?{e|man}||none]") == [
        ("a", "name"),
        ("b", ""),
        ("c", ""),
        ("d", ""),
        ("e", ""),
    ]


def row(text: str, verb: str = "sing") -> SimpleAction[Picket, Picket]:
    return SimpleAction(
        verb, text, lambda picket: True, lambda table, picket: None, RulesValue(lambda book: Evaluation())
    )


@pytest.mark.parametrize(
    ("faulty", "said"),
    [
        (row("sing {song}"), "the text of 'sing' has a gap {song}, but it can only show better"),
        (row("sing {better:tune}"), "the text of 'sing' has the format 'tune'; known are name"),
        (row("again", "rest"), "there is an action 'rest' already; choose another verb"),
        ("sing", "'sing' is not an action; write a class derived from Action, or a SimpleAction"),
    ],
)
def test_a_table_refuses_a_faulty_action_with_one_sentence(faulty: Any, said: str) -> None:
    with pytest.raises(TypeError) as error:
        ActionTable("act", REST, faulty, numbers={"better"}, formats={"name"})
    assert str(error.value) == said


def test_an_action_that_lacks_a_part_is_refused() -> None:
    class Half(Action[Picket, Picket], verb="half", text="half an action"):
        @classmethod
        def options(cls, actor: Picket) -> list[Self]:
            return []

        def value(self, view: Picket) -> Evaluation:
            return Evaluation()

    with pytest.raises(TypeError, match="the action 'half' has no perform"):
        ActionTable("act", Half)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "the action 'half' has no fixed_value"),
        ({"fixed_value": Evaluation, "odd": "fire"}, "the action 'half' has an unknown odd"),
    ],
)
def test_an_action_of_fixed_value_names_the_argument_that_is_wrong(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises(TypeError, match=error):
        new_class("Half", (FixedValueAction,), {"verb": "half", "text": "half an action", **arguments})


def hook(*brought: Any) -> list[tuple[HookFunction, Any]]:
    return [(HookFunction("zareba_actions", "club", __file__, lambda: None, ()), action) for action in brought]


def test_house_rules_add_actions_to_the_table_of_a_session() -> None:
    picket = Picket(["scouts"])
    session = TABLE.for_session(SimpleNamespace(action_tables={}, house_actions={"act": hook(row("sing"))}))  # type: ignore[arg-type]
    legal_actions = LegalActions("battle", picket)
    session.offer_house_actions(legal_actions, picket, None)
    assert list(legal_actions.kinds) == ["sing"]
    sing = session.action_of("sing")
    assert sing is not None and session.value(sing, picket, {"rest": 0.5, "serve": 0.25}) == Evaluation()
    assert TABLE.action_of("sing") is None


def test_an_error_in_an_action_names_its_house_rule() -> None:
    rules: Any = SimpleNamespace(action_tables={}, house_actions={})
    broken = SimpleAction[Picket, Picket](
        "sing", "sing", lambda picket: True, lambda table, picket: picket.enemies[3], lambda view: Evaluation()
    )
    session = TABLE.with_actions(hook(broken))
    sing = session.action_of("sing")
    assert sing is not None
    with pytest.raises(RuleBroken, match="house rule 'club' failed in zareba_actions"):
        session.perform(sing, ScriptedTable(rules, None, []), Picket())


def test_a_faulty_action_of_a_house_rule_names_its_house_rule() -> None:
    with pytest.raises(RuleBroken, match=r"house rule 'club' failed .* there is an action 'rest' already"):
        TABLE.with_actions(hook(row("rest", "rest")))


class March(Action[Picket, Picket], verb="march", text="march[pace? at the {pace}]"):
    pace: str = ""

    @classmethod
    def options(cls, actor: Picket) -> list[Self]:
        return [cls(), cls("double")]

    def perform(self, table: Table, actor: Picket) -> None:
        actor.done.append("marched")

    def value(self, view: Picket) -> Evaluation:
        return Evaluation()


def test_an_option_leaves_out_trailing_fields_that_have_their_default() -> None:
    table: ActionTable[Picket, Picket] = ActionTable("act", March)
    assert [march.option for march in March.options(Picket())] == ["march", ("march", "double")]
    assert [table.action_of(option) for option in ("march", ("march", "double"))] == [March(), March("double")]
    assert table.action_of(("march", "double", "again")) is None
    texts = [table.text(March(pace), {}, {}, Words()) for pace in ("", "double")]
    assert texts == ["march", "march at the double"]
