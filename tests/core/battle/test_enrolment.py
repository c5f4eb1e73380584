"""Enrolment: who is what, by conditions over the words of a scenario."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from zareba.battle.enrolment import Enrolment, enrol, facts_of
from zareba.errors import ZarebaError
from zareba.scenario import load_scenario

CLASH = load_scenario("patrol_clash")


def entries(**written: dict[str, Any]) -> dict[str, Enrolment]:
    return {name: Enrolment.model_validate(entry) for name, entry in written.items()}


def test_the_first_entry_that_settles_a_word_counts() -> None:
    book = entries(
        horse={"when": {"mounted": True}, "then": {"troop": "horse"}},
        lances={"when": {"close_weapon": "lance"}, "then": {"weapon": "lance", "troop": "lancers"}},
        all={"then": {"troop": "foot", "weapon": "rifle"}},
    )
    assert enrol(book, CLASH, "lancers") == {"troop": "horse", "weapon": "lance"}
    assert enrol(book, CLASH, "horsemen") == {"troop": "horse", "weapon": "rifle"}
    assert enrol(book, CLASH, "sikhs") == {"troop": "foot", "weapon": "rifle"}


def test_before_puts_an_entry_ahead_of_another() -> None:
    added = {"before": "horse", "when": {"quality": "veteran", "arm": "infantry"}, "then": {"troop": "guards"}}
    book = entries(horse={"then": {"troop": "line"}}, guards=added)
    assert enrol(book, CLASH, "sikhs") == {"troop": "guards"}
    assert enrol(book, CLASH, "fusiliers") == {"troop": "line"}


def test_traits_numbers_lists_and_leaders_are_asked_for() -> None:
    book = entries(
        drilled={"when": {"formed": True, "figures": {"at_least": 10}}, "then": {"drill": "close"}},
        led={"when": {"leader": {"in": ["commander", "nco"]}}, "then": {"led": True}},
    )
    assert enrol(book, CLASH, "fusiliers") == {"drill": "close", "led": True}
    assert enrol(book, CLASH, "swordsmen") == {}
    assert facts_of(CLASH, "mountain_gun").gun == "mountain"


def test_a_word_that_no_scenario_knows_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValidationError, match="quality"):
        Enrolment.model_validate({"when": {"qualty": "raw"}, "then": {}})
    with pytest.raises(ValidationError, match="veteran"):
        Enrolment.model_validate({"when": {"quality": {"in": ["raw", "vetran"]}}, "then": {}})
    with pytest.raises(ZarebaError, match=r"there is no entry 'hors'.*horse"):
        enrol(entries(horse={"then": {}}, foot={"before": "hors", "then": {}}), CLASH, "sikhs")
