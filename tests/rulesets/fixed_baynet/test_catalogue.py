"""Entries of the catalogue about the document itself, and rules of our own."""

from __future__ import annotations

import pytest

from zareba.registry import load_rules, ruleset
from zareba.rules.catalogue import load_catalogue


@pytest.mark.rule("FBN-001", "FBN-031", "FBN-264")
def test_the_head_names_title_author_and_kind_of_table() -> None:
    book = load_rules("fixed_baynet").book
    assert (book.title, book.authors) == ("Fixed Bay'net an' Uncovered 'elmet", ["John Bell"])
    assert (book.space, book.length, book.activation) == ("free", "in", "alternate_units")


def test_house_interpretations_are_marked_as_ours() -> None:
    entries = load_catalogue(ruleset("fixed_baynet").folder).rules
    stand_ins = {rule for rule, entry in entries.items() if entry.stand_in}
    assert {"FBN-005", "FBN-063", "FBN-112", "FBN-212", "FBN-217", "FBN-275"} <= stand_ins
    assert all(entries[rule].status in ("gap", "choice", "garbled") for rule in stand_ins)
