"""Unit mapping: conditions on the words of a scenario select each unit's troop type."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import pytest
from pydantic import TypeAdapter, ValidationError

from zareba.base.references import dangling
from zareba.battle.unit_mapping import UnitMapping, evenly, facts_of, map_unit, requires_values
from zareba.rules import Book
from zareba.scenario import load_scenario
from zareba.scenario.unsupported import SupportedWords

CLASH = load_scenario("patrol_clash")


@pytest.mark.parametrize(("figures", "parts"), [(20, 1), (20, 3), (7, 7), (5, 2)])
def test_a_unit_falls_into_parts_as_even_as_possible(figures: int, parts: int) -> None:
    sizes = evenly(figures, parts)
    assert sum(sizes) == figures and len(sizes) == parts
    assert sizes == sorted(sizes, reverse=True) and sizes[0] - sizes[-1] <= 1


class Then(Book):
    troop: str | None = None
    weapon: str | None = None
    drill: str | None = None
    led: bool | None = None


class Entry(UnitMapping[Then]):
    own: ClassVar[frozenset[str]] = frozenset({"shoots"})


class File(Book):
    unit_mapping: dict[str, Entry]
    supported_words: SupportedWords


def entries(**written: dict[str, Any]) -> dict[str, Entry]:
    return {name: Entry.model_validate(entry) for name, entry in written.items()}


def test_the_first_matching_entry_decides_a_word() -> None:
    book = entries(
        horse={"when": {"mounted": True}, "then": {"troop": "horse"}},
        lances={"when": {"close_weapon": "lance"}, "then": {"weapon": "lance", "troop": "lancers"}},
        all={"then": {"troop": "foot", "weapon": "rifle"}},
    )
    assert map_unit(book, CLASH, "lancers") == {"troop": "horse", "weapon": "lance"}
    assert map_unit(book, CLASH, "horsemen") == {"troop": "horse", "weapon": "rifle"}
    assert map_unit(book, CLASH, "sikhs") == {"troop": "foot", "weapon": "rifle"}


def test_before_places_an_entry_in_front_of_another() -> None:
    added = {"before": "horse", "when": {"quality": "veteran", "arm": "infantry"}, "then": {"troop": "guards"}}
    book = entries(horse={"then": {"troop": "line"}}, guards=added)
    assert map_unit(book, CLASH, "sikhs") == {"troop": "guards"}
    assert map_unit(book, CLASH, "fusiliers") == {"troop": "line"}


def test_unit_mapping_tests_traits_numbers_lists_and_leaders() -> None:
    book = entries(
        drilled={"when": {"formed": True, "figures": {"at_least": 10}}, "then": {"drill": "close"}},
        led={"when": {"leader": {"in": ["commander", "nco"]}}, "then": {"led": True}},
    )
    assert map_unit(book, CLASH, "fusiliers") == {"drill": "close", "led": True}
    assert map_unit(book, CLASH, "swordsmen") == {}
    assert facts_of(CLASH, "mountain_gun").gun == "mountain"


def test_a_word_that_no_scenario_knows_is_refused_with_the_nearest() -> None:
    asked = entries(
        raw={"when": {"qualty": "raw"}, "then": {}}, ours={"when": {"shoots": True, "kuka": True}, "then": {}}
    )
    unknown = dangling(File(unit_mapping=asked, supported_words=SupportedWords(traits={"kukas": True})))
    assert [(found.path, found.message) for found in unknown] == [
        (
            ("unit_mapping", "raw", "when", "qualty"),
            "there is no 'qualty' in supported_words.traits; did you mean 'quality'?",
        ),
        (
            ("unit_mapping", "ours", "when", "kuka"),
            "there is no 'kuka' in supported_words.traits; did you mean 'kukas'?",
        ),
    ]
    assert not list(
        dangling(File(unit_mapping={"ours": asked["ours"]}, supported_words=SupportedWords(traits={"kuka": True})))
    )
    with pytest.raises(ValidationError, match="veteran"):
        Entry.model_validate({"when": {"quality": {"in": ["raw", "vetran"]}}, "then": {}})


def test_a_ruleset_asks_for_facts_of_its_own() -> None:
    book = entries(shots={"when": {"shoots": True}, "then": {"troop": "shots"}})
    assert map_unit(book, CLASH, "sikhs", shoots=True) == {"troop": "shots"}
    assert map_unit(book, CLASH, "sikhs", shoots=False) == {}


def test_every_unit_gets_the_values_that_play_needs() -> None:
    kind = TypeAdapter(Annotated[dict[str, Entry], requires_values("troop")])
    known = {"horse": {"when": {"mounted": True}, "then": {"troop": "horse"}}}
    with pytest.raises(ValidationError, match="without 'when' must set 'troop' for all other units"):
        kind.validate_python({**known, "arms": {"then": {"weapon": "rifle"}}})
    assert set(kind.validate_python({**known, "foot": {"then": {"troop": "foot"}}})) == {"horse", "foot"}
