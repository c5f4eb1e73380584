"""Decks: probabilities follow the remaining copies, discards return, and no card is lost or duplicated."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.core.toy import bare_rules

from zareba.table import Deck, ScriptedTable, SeededTable, Table
from zareba.table.questions import Step
from zareba.testing import enumerate_paths


def seeded(seed: int) -> SeededTable:
    table = SeededTable(bare_rules(), None, seed, {})
    table.begin(Step("draw", 1, "red"))
    return table


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 4), min_size=1), st.integers())
def test_deck_deals_each_card_once_per_copy(cards: dict[str, int], seed: int) -> None:
    deck, table = Deck(dict(cards), {}), seeded(seed)
    drawn = [deck.draw(table, why="card", rule="T-1") for _ in range(sum(cards.values()))]
    assert Counter(drawn) == cards
    assert deck.draw(table, why="card", rule="T-1") is None
    assert (deck.pile, deck.discards) == ({}, {})


@given(st.lists(st.booleans(), max_size=40), st.integers())
def test_pile_hand_and_discards_are_always_the_whole_deck(keeps: list[bool], seed: int) -> None:
    deck, table = Deck({"spear": 3, "rifle": 2, "drum": 1}, {}), seeded(seed)
    hand: Counter[str] = Counter()
    for keep in keeps:
        card = deck.draw(table, why="card", rule="T-1")
        if card is None:
            break
        if keep:
            hand[card] += 1
        else:
            deck.discard(card)
        assert Counter(deck.pile) + Counter(deck.discards) + hand == Counter(spear=3, rifle=2, drum=1)


def test_the_discards_become_the_pile_when_it_is_empty() -> None:
    deck = Deck({"spear": 1}, {"drum": 2})
    with ScriptedTable(bare_rules(), None, [("card", "spear"), ("card", "drum")]) as table:
        assert deck.draw(table, why="card", rule="T-1") == "spear"
        assert deck.draw(table, why="card", rule="T-1") == "drum"
    assert (deck.pile, deck.discards) == ({"drum": 1}, {})


def test_odds_of_cards_go_by_their_copies() -> None:
    def two_cards(table: Table) -> tuple[str | None, str | None]:
        deck = Deck({"spear": 3, "rifle": 1}, {})
        return deck.draw(table, why="card", rule="T-1"), deck.draw(table, why="card", rule="T-1")

    assert dict(enumerate_paths(bare_rules(), two_cards)) == {
        ("rifle", "spear"): Fraction(1, 4),
        ("spear", "rifle"): Fraction(1, 4),
        ("spear", "spear"): Fraction(1, 2),
    }


def test_a_copy_of_a_deck_is_another_deck() -> None:
    deck = Deck({"spear": 2}, {})
    copy = deck.copy()
    copy.discard("spear")
    copy.draw(seeded(1), why="card", rule="T-1")
    assert deck == Deck({"spear": 2}, {})
    assert Deck.from_data(deck.to_data()) == deck
