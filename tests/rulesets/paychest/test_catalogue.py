"""Entries of the catalogue about the document itself. The tests shared by all rulesets are in test_catalogues.py."""

from __future__ import annotations

import pytest

from zareba.registry import load_rules, ruleset
from zareba.rules.catalogue import load_catalogue

FOLDER = ruleset("paychest").folder


@pytest.mark.rule("PAY-001", "PAY-002", "PAY-004", "PAY-005", "PAY-012")
def test_the_head_names_title_authors_and_lengths() -> None:
    book = load_rules("paychest").book
    assert (book.title, book.authors) == ("Paychest", ["Patrick Bailey", "Michael Pennock"])
    assert (book.space, book.length, book.activation) == ("free", "inches", "card_per_unit")
    text = (FOLDER / "ruleset.yaml").read_text(encoding="utf-8").lower()
    assert not [word for word in ("copyright", "magweb", "arinies", " ld6") if word in text]


@pytest.mark.rule("PAY-003")
def test_house_interpretations_are_marked_as_ours() -> None:
    entries = load_catalogue(FOLDER).rules
    stand_ins = {rule for rule, entry in entries.items() if entry.stand_in}
    assert {"PAY-017", "PAY-052", "PAY-066", "PAY-110", "PAY-116", "PAY-152", "PAY-180"} <= stand_ins
    assert all(entries[rule].status in ("gap", "choice") for rule in stand_ins)
