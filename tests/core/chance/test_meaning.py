"""The meaning of rolls and cards in the rules, as shown to players after a roll and before it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.toy import SIDES

from zareba.chance import (
    EACH,
    SUM,
    AtLeast,
    ByCard,
    Counts,
    Meaning,
    Read,
    SumBands,
    at_least,
    at_most,
    counts,
    named,
    numbered,
    random_draw,
    remark,
    rows,
)
from zareba.session import Answered
from zareba.session.narration import dice_text
from zareba.table import Draw, Roll, fingerprint

SYMBOLS = Counts((frozenset({4, 5, 6}), frozenset({1})))
NO_SABRES = Counts((frozenset({5, 6}), frozenset(), frozenset({1})))


@pytest.mark.parametrize(
    ("means", "read", "answer", "said", "whole"),
    [
        (at_least(5, "rallies", "runs on"), SUM, 5, "5 or more: rallies (else 4 or less: runs on)", "4 or less: runs on; 5 or more: rallies"),
        (at_least(5, "rallies", "runs on"), SUM, 4, "4 or less: runs on (else 5 or more: rallies)", "4 or less: runs on; 5 or more: rallies"),
        (at_most(2, "jams", "fires on", by="turns"), SUM, 3, "3 or more: fires on (else 2 or less: jams); depends on turns", "2 or less: jams; 3 or more: fires on; depends on turns"),
        (rows({1: "moves one box"}), SUM, 3, "moves one box", "moves one box"),
        (rows({1: "flees", 2: "stands", 3: "stands", 4: "hides", 5: "runs"}), SUM, 3, "2 to 3: stands", "1 or less: flees; 2 to 3: stands; 4: hides; 5 or more: runs"),
        (named("miss", "hit"), AtLeast(4), 1, "4 or more: hit", "less than 4: miss; 4 or more: hit"),
        (named("miss", "hit", "critical"), SumBands((7, 12)), 1, "7 to 11: hit", "less than 7: miss; 7 to 11: hit; 12 or more: critical"),
        (counts("hits"), AtLeast(5), 2, "2 hits (each 5 or more)", "hits (each 5 or more)"),
        (counts("hits", "flags"), SYMBOLS, (2, 1), "2 hits, 1 flag (hits on 4, 5 or 6; flags on 1)", "hits, flags (hits on 4, 5 or 6; flags on 1)"),
        (counts("hits (one is sure)", "sabres", "flags"), NO_SABRES, (1, 0, 2), "1 hit (one is sure), 2 flags (hits on 5 or 6; flags on 1)",
         "hits (one is sure), flags (hits on 5 or 6; flags on 1)"),
        (counts("hits"), Counts((frozenset({1, 2, 3}),)), (2,), "2 hits (on 1, 2 or 3)", "hits (on 1, 2 or 3)"),
        (counts("second throws"), Counts((frozenset({1}),)), (1,), "1 second throw (on 1)", "second throws (on 1)"),
        (counts("second throws"), Counts((frozenset(),)), (0,), "0 second throws (on no face)", "second throws (on no face)"),
        (named("missed", "hit", by="at close range"), AtLeast(9), 0, "less than 9: missed (at close range)", "less than 9: missed; 9 or more: hit (at close range)"),
        (counts("hits", by="long range"), AtLeast(6), 1, "1 hit (each 6 or more); depends on long range", "hits (each 6 or more); depends on long range"),
        (counts("inches"), SUM, 7, "7 inches", "inches"),
        (numbered("man struck", ["Ali", "Bey"]), EACH, (2, 1, 2), "man struck: Bey, Ali, Bey", "man struck: 1 Ali, 2 Bey"),
        (numbered("man struck", ["Ali", "Bey"]), SUM, 2, "man struck: Bey", "man struck: 1 Ali, 2 Bey"),
        (remark("the highest begins (ties roll again)"), SUM, 3, "the highest begins (ties roll again)", "the highest begins (ties roll again)"),
        (random_draw("who is next"), None, "ali", "who is next", "who is next"),
        (ByCard("turned over", (("lions", "two dice"),)), None, "lions", "two dice", "turned over"),
        (ByCard("turned over", (("lions", "two dice"),)), None, "rain", "turned over", "turned over"),
    ],
)  # fmt: skip
def test_meanings_of_results_in_words(
    means: Meaning, read: Read[Any] | None, answer: Any, said: str, whole: str
) -> None:
    assert (means.describe(read, answer), means.describe_all(read)) == (said, whole)


def test_answers_with_the_same_effect_share_one_row() -> None:
    table = rows({1: "flees", 2: "stands", 3: "stands", 4: "hides"})
    assert [table.result_key(answer) for answer in (-1, 1, 2, 3, 4, 9)] == [
        "flees",
        "flees",
        "stands",
        "stands",
        "hides",
        "hides",
    ]
    struck = named("miss", "hit", "hit")
    assert struck.result_key(1) == struck.result_key(2) != struck.result_key(0)
    assert counts("hits").result_key(1) != counts("hits").result_key(2)


def throw(means: Meaning | None, read: Read[Any], *faces: int) -> Answered:
    return Answered(Roll("test", "TOY-001", SIDES[0], len(faces), 6, read, means), read.of(faces), faces)


def test_a_throw_is_reported_with_its_faces_and_their_meaning() -> None:
    assert dice_text(throw(None, SUM, 3, 4)) == "3 4, so 7"
    assert (
        dice_text(throw(at_least(7, "passes", "fails"), SUM, 3, 4))
        == "3 4, so 7; 7 or more: passes (else 6 or less: fails)"
    )
    assert dice_text(throw(counts("hits"), AtLeast(4), 3, 4)) == "3 4; 1 hit (each 4 or more)"
    assert dice_text(throw(remark("the highest begins"), SUM, 3)) == "3; the highest begins"


def test_single_face_row_is_named_once() -> None:
    chart = rows({1: "flees", 2: "stands", 3: "hides", 4: "runs"})
    assert dice_text(throw(chart, SUM, 3)) == "3: hides"
    assert dice_text(throw(chart, SUM, 5)) == "5; 4 or more: runs"


def test_meaning_does_not_change_the_question() -> None:
    plain = Roll("test", "TOY-001", "a", 1, 6, SUM)
    assert fingerprint(plain._replace(means=counts("inches"))) == fingerprint(plain)
    card = Draw("card", "TOY-002", "a", None, (("a", 1), ("b", 1)))
    assert fingerprint(card._replace(means=random_draw("who is next"))) == fingerprint(card)


def test_a_band_of_one_result_is_a_number_for_a_die_that_cannot_roll_less() -> None:
    wounds = named("arm", "leg", "head")
    assert wounds.describe_from(SumBands((2, 7)), 1) == "1: arm; 2 to 6: leg; 7 or more: head"
    assert wounds.describe_from(SumBands((3, 7)), 1) == "less than 3: arm; 3 to 6: leg; 7 or more: head"
