"""Numbers agree with their nouns, and lists of names read as English."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

import zareba
import zareba_plugins
import zareba_rulesets
from zareba.base.grammar import (
    agreeing,
    amount,
    begin_sentence,
    chance_in_percent,
    how_often,
    join_with_and,
    merge_alike,
    percent,
    with_note,
    with_unit,
)
from zareba.presentation.narration import outcome_sentence
from zareba.scenario import load_scenario
from zareba.scenario.victory import Outcome


def test_sentences_that_differ_in_the_number_of_a_figure_become_one_with_a_count() -> None:
    off = [f"warrior {number} of Swordsmen was driven off" for number in (22, 24, 15)]
    assert merge_alike([*off, "Lancers rallied"]) == [f"{off[0]} (and 2 others)", "Lancers rallied"]
    assert merge_alike([off[0], "Lancers rallied", off[1]]) == [off[0], "Lancers rallied", off[1]]
    assert merge_alike(["Lancers rallied"] * 2) == ["Lancers rallied (2 times)"]
    assert merge_alike([off[0], "warrior 3 of Jezails was driven off"]) == [
        off[0],
        "warrior 3 of Jezails was driven off",
    ]
    assert merge_alike([]) == []


@pytest.mark.parametrize(
    ("number", "words", "sentence"),
    [
        (0, ("hit",), "0 hits"),
        (1, ("hit",), "1 hit"),
        (2, ("hit",), "2 hits"),
        (1, ("die", "dice"), "1 die"),
        (3, ("die", "dice"), "3 dice"),
        (1.0, ("inch", "inches"), "1 inch"),
        (2.5, ("inch", "inches"), "2.5 inches"),
        (2000, ("game",), "2,000 games"),
    ],
)
def test_a_number_is_reported_with_its_word(number: int, words: tuple[str, ...], sentence: str) -> None:
    assert amount(number, *words) == sentence


def test_names_in_a_row_have_commas_and_one_and() -> None:
    assert [join_with_and("abc"[:count]) for count in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("number", "unit", "words"),
    [
        (1, "dice", "1 die"),
        (2, "dice", "2 dice"),
        (1, "shots", "1 shot"),
        (1, "or less on a die", "1 or less on a die"),
        (-2, "or less on a die", "-2, lower than any die"),
        (1, "D6", "1 D6"),
        (1, "losses on dice", "1 losses on dice"),
        (-1, "", "-1"),
        (1, "points of danger", "1 point of danger"),
        (-4, "points of danger", "-4 points of danger"),
    ],
)
def test_the_unit_of_a_tally_agrees_with_its_number(number: int, unit: str, words: str) -> None:
    assert with_unit(number, unit) == words


@pytest.mark.parametrize(
    ("share", "decimals", "words"),
    [(0.31, 0, "31 %"), (Fraction(1, 8), 1, "12.5 %"), (-0.001, 0, "0 %"), (1.0, 0, "100 %"), (0.0004, 1, "0.0 %")],
)
def test_percent_has_a_no_break_space(share: float | Fraction, decimals: int, words: str) -> None:
    assert percent(share, decimals) == words.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("chance", "decimals", "words"),
    [
        (Fraction(0), 0, "0 %"),
        (Fraction(1, 200), 0, "under 1 %"),
        (Fraction(1, 100), 0, "1 %"),
        (Fraction(99, 100), 0, "99 %"),
        (Fraction(199, 200), 0, "over 99 %"),
        (Fraction(1), 0, "100 %"),
        (Fraction(1, 2000), 1, "under 0.1 %"),
        (Fraction(1999, 2000), 1, "over 99.9 %"),
        (Fraction(1, 3), 1, "33.3 %"),
    ],
)
def test_a_chance_is_rounded_to_0_or_100_percent_only_if_it_is_exact(
    chance: Fraction, decimals: int, words: str
) -> None:
    assert chance_in_percent(chance, decimals).replace("\u00a0", " ") == words


def test_counts_of_occurrences_in_words() -> None:
    assert [how_often(count) for count in (1, 2, 12)] == ["once", "2 times", "12 times"]


def test_a_sentence_begins_with_a_capital() -> None:
    assert [begin_sentence(text) for text in ("man 2 of Guides fell", "Guides fell", "")] == [
        "Man 2 of Guides fell",
        "Guides fell",
        "",
    ]


def test_repeated_notes_are_merged() -> None:
    assert [with_note(name, "british") for name in ("british", "The British column", "garrison")] == [
        "british",
        "The British column",
        "garrison (british)",
    ]


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("The column", "wins"),
        ("The impi", "wins"),
        ("Colley's force", "wins"),
        ("The emir's", "wins"),
        ("The Camel Corps", "wins"),
        ("Side 1", "wins"),
        ("Defence of the wells", "wins"),
        ("The legations", "win"),
        ("The hillmen", "win"),
        ("The British", "win"),
        ("Zulus", "win"),
        ("Gordon's men", "win"),
        ("Defenders of the fort", "win"),
        ("Baggage and escort", "win"),
    ],
)
def test_a_verb_agrees_with_the_name_of_a_side(name: str, verb: str) -> None:
    assert agreeing(name, "wins", "win") == verb


def test_winner_is_named_once() -> None:
    scenario = load_scenario("patrol_clash")
    outcome = Outcome("patrol", {"patrol": 2, "tribesmen": 0}, "turn_limit")
    assert outcome_sentence(scenario, outcome).startswith("The game is over: the patrol wins. Points: the patrol 2, ")


COUNTED = re.compile(
    r"\{[^{}A-Z][^{}!]*\} (dice|shots|hits|men|man|figures|wounds|points|inches|cards|bases|gunners|steps|turns|"
    r"games|kills|losses|flags|prisoners|enemies|pieces|fighters)\b"
)
"""A number in a text before a noun that must agree with it. Decimals (`.1f`, `g`) always take the plural."""


def test_counted_nouns_agree_with_their_number() -> None:
    folders = (Path(package.__path__[0]) for package in (zareba, zareba_rulesets, zareba_plugins))
    found = [
        f"{file.name}:{number}: {line.strip()}"
        for folder in folders
        for file in sorted(folder.rglob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if (hit := COUNTED.search(line)) and not re.search(r":\+?(\.[012]f|g)\}", hit[0])
    ]
    assert found == []
