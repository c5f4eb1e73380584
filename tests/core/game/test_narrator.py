"""The narrator of a game: plain sentences for what the ruleset does not know, and over everything the words of house
rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.core.toy import Raid, ToyGame, ToyNarrator, bare_rules

from zareba.base.errors import ZarebaError
from zareba.game import UnitChange
from zareba.table import Choose, Event, Question

CHOICE = Choose("act", "T-1", "patrol", "patrol", ("raid", ("ride", "tribesmen")), ())
PRAYER = Choose("pray_now", "H-1", "patrol", "patrol", ("amen", "no"), ())
RAIN = Event("rain", "H-1", {"side": "patrol"})


class KnowingNarrator(ToyNarrator):
    """Knows one question and one event, as a ruleset with tables of sentences does."""

    counted_as: Mapping[str, tuple[str, str, str]] = {"goats": ("goat", "lost", "back")}

    def describe(self, state: Raid, question: Question) -> str:
        return {"act": "What now?"}[question.why]

    def describe_event(self, event: Event) -> str:
        return {"raid": "a raid"}[event.kind]


class KnowingGame(ToyGame):
    narrator_class = KnowingNarrator


def under(words: dict[str, tuple[str, str]]) -> Any:
    return KnowingGame(bare_rules(house_rules=("club",), words=words))


def test_house_rules_get_plain_sentences_for_unknown_questions_and_events() -> None:
    narrator, state = under({}).narrator, KnowingGame().start()
    assert narrator.describe(state, CHOICE) == "What now?"
    assert narrator.describe(state, PRAYER) == "The patrol: pray now?"
    assert narrator.describe_option(state, PRAYER, "patrol") == "The patrol"
    assert narrator.describe_event(RAIN) == "The patrol: rain"
    assert narrator.knows_question(state, CHOICE) and not narrator.knows_question(state, PRAYER)


def test_house_rules_keep_the_words_for_changes() -> None:
    for narrator in (KnowingGame().narrator, under({"event rain": ("club", "It rains")}).narrator):
        assert narrator.describe_change(UnitChange("patrol", "goats", 3, 1)) == "The patrol: 2 goats lost"
        assert narrator.counted_as == {"goats": ("goat", "lost", "back")}


def test_without_house_rules_a_missing_sentence_is_a_fault_of_the_ruleset() -> None:
    with pytest.raises(KeyError):
        KnowingGame().narrator.describe_event(RAIN)


def test_words_of_house_rules_come_before_those_of_the_ruleset() -> None:
    words = {
        "question act": ("club", "{actor}: well?"),
        "option ride": ("club", "ride at {1}"),
        "event rain": ("club", "It rains"),
    }
    narrator, state = under(words).narrator, KnowingGame().start()
    assert narrator.describe(state, CHOICE) == "The patrol: well?"
    assert narrator.describe_option(state, CHOICE, ("ride", "tribesmen")) == "ride at The band"
    assert narrator.describe_option(state, CHOICE, "ride") == "ride", "a kind of act has no target yet"
    assert narrator.describe_event(RAIN) == "It rains"


def test_a_text_with_an_unknown_field_names_its_house_rule() -> None:
    narrator = under({"event rain": ("club", "{clouds} clouds")}).narrator
    with pytest.raises(ZarebaError, match=r"house rule 'club' uses an unknown field .* known are side"):
        narrator.describe_event(RAIN)
