"""Entries of the catalogue about the document itself, its precedence and its scope."""

from __future__ import annotations

import pytest

from zareba.registry import load_rules, ruleset
from zareba.rules.catalogue import load_catalogue

FOLDER = ruleset("vcc").folder


@pytest.mark.rule("VCC-001", "VCC-002")
def test_the_head_names_title_author_and_version() -> None:
    book = load_rules("vcc").book
    assert (book.title, book.authors, book.version) == ("Victorian Colonial Combat", ["Tod Kershner"], "5.0")
    assert "apoleonic" not in (FOLDER / "ruleset.yaml").read_text(encoding="utf-8")


@pytest.mark.rule("VCC-003")
def test_card_is_the_default_where_it_differs_from_the_booklet() -> None:
    """The card is the default where it differs from the booklet. The booklet's trigger of leader checks is a setting;
    where the card is silent, the booklet is the default.
    """
    settings = load_rules("vcc").book.settings
    assert settings["leader_hit_trigger"].default == "max_face"
    assert "five_hits" in settings["leader_hit_trigger"].values
    assert settings["fire_includes_leader_base"].default is True
    assert settings["mg_overheat"].default == "on"


@pytest.mark.rule("VCC-003")
def test_house_interpretations_are_marked_as_ours() -> None:
    entries = load_catalogue(FOLDER).rules
    stand_ins = {rule for rule, entry in entries.items() if entry.stand_in}
    assert {"VCC-007", "VCC-105", "VCC-132", "VCC-156", "VCC-160", "VCC-171"} <= stand_ins
    assert all(entries[rule].status in ("gap", "choice") for rule in stand_ins)


@pytest.mark.rule("VCC-004", "VCC-017")
def test_lengths_are_boxes_and_nothing_has_a_scale() -> None:
    rules = load_rules("vcc")
    assert (rules.book.space, rules.book.length) == ("boxes", "boxes")
    scales = [name for name in rules.book.settings if "scale" in name or "minutes" in name]
    assert scales == []


@pytest.mark.rule("VCC-168")
def test_the_rules_run_no_side_of_their_own() -> None:
    assert ruleset("vcc").solo is False
