"""Names in a ruleset's file that refer to other entries of the file."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, StrictStr

from zareba.base.errors import FileError
from zareba.base.references import dangling
from zareba.base.yamlfile import parse_yaml
from zareba.registry import load_rules, ruleset_names
from zareba.rules import RefersTo
from zareba.rules.tallies import read_book

WeaponName = Annotated[StrictStr, RefersTo("weapons", besides=("none",))]


class Man(BaseModel):
    arms: list[WeaponName] = []
    mount: Annotated[StrictStr, RefersTo("horses", "camels")] = Field(default="bay", alias="rides")
    word: StrictStr = "whatever"
    spare: WeaponName | list[WeaponName] | None = None


class Camels(BaseModel):
    brown: int = 1


class Club(BaseModel):
    weapons: dict[str, int] = {"rifle": 1, "sword": 2}
    horses: dict[str, int] = {"bay": 1}
    camels: Camels = Camels()
    men: dict[str, Man] = {}
    drill: dict[WeaponName, dict[str, WeaponName]] = {}
    limits: int | list[int] | dict[str, int] = 3


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"men": {"ali": {"arms": ["rifle", "none"], "rides": "brown"}, "tom": {"rides": "bay"}}},
        {"drill": {"sword": {"then": "rifle"}}, "limits": [1, 2]},
    ],
)
def test_names_with_an_entry_or_without_need_of_one_are_valid(data: dict[str, Any]) -> None:
    assert list(dangling(Club.model_validate(data))) == []


def test_every_name_without_an_entry_is_reported_at_its_place() -> None:
    club = Club.model_validate(
        {
            "men": {"ali": {"arms": ["rifle", "riffle"], "rides": "grey", "spare": ["bow"]}, "tom": {"spare": "bow"}},
            "drill": {"lance": {"then": "rifle"}, "sword": {"then": "bow"}},
        }
    )
    assert [(found.path, found.message) for found in dangling(club)] == [
        (("men", "ali", "arms", 1), "there is no 'riffle' in weapons; did you mean 'rifle'?"),
        (("men", "ali", "rides"), "there is no 'grey' in horses or camels"),
        (("men", "ali", "spare", 0), "there is no 'bow' in weapons"),
        (("men", "tom", "spare"), "there is no 'bow' in weapons"),
        (("drill", "lance"), "there is no 'lance' in weapons"),
        (("drill", "sword", "then"), "there is no 'bow' in weapons"),
    ]


def test_all_names_without_entries_are_reported_at_once() -> None:
    text = "men:\n  ali: {arms: [rifle, riffle]}\n  tom:\n    rides: grey\n"
    with pytest.raises(FileError) as caught:
        read_book(parse_yaml(text, "club.yaml"), Club)
    assert [str(problem) for problem in caught.value.problems] == [
        "club.yaml:2:23: men.ali.arms.1: there is no 'riffle' in weapons; did you mean 'rifle'?",
        "club.yaml:4:5: men.tom.rides: there is no 'grey' in horses or camels",
    ]


@pytest.mark.parametrize("name", ruleset_names())
def test_mapped_ground_and_weapons_must_exist(name: str) -> None:
    rules = load_rules(name)
    mapping = rules.data["mapping"]
    book = rules.ruleset.file
    for path in (("area_terrain", "scrub"), ("linear_terrain", "fence")):
        section, key = path
        word = mapping[section][key]
        wrong = [*word[:-1], "nowhere"] if isinstance(word, list) else "nowhere"
        data = {**rules.data, "mapping": {**mapping, section: {**mapping[section], key: wrong}}}
        assert ["nowhere" in found.message for found in dangling(book.model_validate(data))] == [True]
