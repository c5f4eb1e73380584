"""A game is described by the sentences of its ruleset; anything without a sentence gets a plain description."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from tests.core.toy import ToyGame

from zareba.battle.templates import Words
from zareba.chance import SUM_AND_HIGHEST
from zareba.game import Game
from zareba.table import Choose, Event
from zareba.table.questions import Roll


class Spoken(ToyGame):
    describe = Game.describe
    describe_option = Game.describe_option
    describe_event = Game.describe_event

    @cached_property
    def words(self) -> Words:
        return Words(
            questions={"act": "{actor}: what is it to be?"},
            options={"raid": "raid {what}", "camp": "pitch the tents"},
            events={"raid": "{side} drove off {total|goat}"},
        )


def choice(why: str, *options: Any) -> Choose:
    return Choose(why, "TOY-001", "patrol", "patrol", options, ())


def test_what_has_words_is_said_in_them() -> None:
    game = Spoken()
    state, question = game.start(), choice("act", "camp", ("raid", "tribesmen"))
    assert game.describe(state, question) == "The patrol: what is it to be?"
    told = [game.describe_option(state, question, option) for option in question.options]
    assert told == ["pitch the tents", "raid The band"]
    assert (
        game.describe_event(Event("raid", "TOY-002", {"side": "patrol", "total": 3})) == "The patrol drove off 3 goats"
    )


def test_what_has_none_is_said_plainly() -> None:
    game = Spoken()
    state, question = game.start(), choice("drink_now", "go_on", ("hide", "patrol"))
    assert game.describe(state, question) == "The patrol: drink now?"
    told = [game.describe_option(state, question, option) for option in question.options]
    assert told == ["go on", "hide The patrol"]
    throw = Roll("raid", "TOY-002", "patrol", 2, 6, SUM_AND_HIGHEST)
    assert game.describe(state, throw) == f"Raid for The patrol: throw 2d6, read as {SUM_AND_HIGHEST.name}"
    assert game.describe_event(Event("rain", "HOUSE-RAIN", {"side": "patrol"})) == "The patrol: rain"
