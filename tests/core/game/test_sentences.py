"""A game is described by the sentences of its ruleset; anything without a sentence gets a plain description."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from tests.core.toy import Raid, ToyGame

from zareba.battle.sentence_templates import Words
from zareba.chance import SUM, SUM_AND_HIGHEST, remark
from zareba.game import Narrator
from zareba.session import Answered
from zareba.session.narration import outcome_text
from zareba.table import Choose, Event
from zareba.table.questions import Roll


class SpokenNarrator(Narrator[Raid]):
    @cached_property
    def words(self) -> Words:
        return Words(
            questions={"act": "{actor}: what is it to be?"},
            options={"raid": "raid {what}", "camp": "pitch the tents"},
            events={"raid": "{side} drove off {total|goat}"},
        )


class Spoken(ToyGame):
    narrator_class = SpokenNarrator


def choice(why: str, *options: Any) -> Choose:
    return Choose(why, "TOY-001", "patrol", "patrol", options, ())


def test_questions_and_events_with_a_template_are_described_by_it() -> None:
    game = Spoken()
    state, question = game.start(), choice("act", "camp", ("raid", "tribesmen"))
    assert game.narrator.describe(state, question) == "The patrol: what is it to be?"
    told = [game.narrator.describe_option(state, question, option) for option in question.options]
    assert told == ["pitch the tents", "raid the band"]
    assert (
        game.narrator.describe_event(Event("raid", "TOY-002", {"side": "patrol", "total": 3}))
        == "The patrol drove off 3 goats"
    )


def test_questions_and_events_without_a_template_get_plain_text() -> None:
    game = Spoken()
    state, question = game.start(), choice("drink_now", "go_on", ("hide", "patrol"))
    assert game.narrator.describe(state, question) == "The patrol: drink now?"
    told = [game.narrator.describe_option(state, question, option) for option in question.options]
    assert told == ["go on", "hide The patrol"]
    throw = Roll("raid", "TOY-002", "patrol", 2, 6, SUM_AND_HIGHEST)
    assert (
        game.narrator.describe(state, throw)
        == "Raid for The patrol: throw 2d6 and add them; the highest die counts too"
    )
    order = Roll("first turn", "TOY-003", "patrol", 1, 6, SUM, remark("the highest roll goes first"))
    assert game.narrator.describe(state, order) == "First turn for The patrol: throw 1d6; the highest roll goes first"
    assert outcome_text(game, Answered(order, 3, (3,))) == "3", "the question has said what the roll is for"
    assert game.narrator.describe_event(Event("rain", "HOUSE-RAIN", {"side": "patrol"})) == "The patrol: rain"
