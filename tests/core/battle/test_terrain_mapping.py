"""Terrain of a ruleset, selected by the kind of a scenario's terrain or by a more specific variant."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import StrictStr, ValidationError

from zareba.base.references import RefersTo, dangling
from zareba.battle.terrain_mapping import TerrainMapping
from zareba.rules import Book
from zareba.scenario import Terrain
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS

KINDS = {"area_terrain": dict.fromkeys(AREA_KINDS, "plain"), "linear_terrain": dict.fromkeys(LINE_KINDS, "bank")}
VARIANTS = {
    "forts": {"when": {"kind": {"in": ["building", "ruins"]}, "true_fortification": True, "floors": {"at_least": 2}}, "then": "fort"},
    "gentle": {"when": {"kind": "hill", "slope": "gentle"}, "then": "meadow"},
    "high": {"when": {"kind": "hill"}, "then": "height"},
    "fords": {"when": {"depth": "shallow", "kind": {"not": "hill"}}, "then": "ford"},
}  # fmt: skip


class Grounds(Book):
    grounds: dict[str, str]
    mapping: TerrainMapping[Annotated[StrictStr, RefersTo("grounds")]]


def words(variants: dict[str, Any]) -> TerrainMapping[str]:
    return TerrainMapping[str].model_validate({**KINDS, "variants": variants})


@pytest.mark.parametrize(
    ("piece", "word"),
    [
        ({"kind": "hill"}, "meadow"),
        ({"kind": "hill", "slope": "steep"}, "height"),
        ({"kind": "building", "true_fortification": True, "floors": 2}, "fort"),
        ({"kind": "lake"}, "plain"),
        ({"kind": "river"}, "bank"),
        ({"kind": "river", "depth": "shallow"}, "ford"),
        ({"kind": "stream"}, "ford"),
    ],
)
def test_a_matching_variant_takes_precedence_over_the_kind(piece: dict[str, Any], word: str) -> None:
    assert words(VARIANTS).word_of(Terrain(**piece)) == word
    assert words({}).word_of(Terrain(**piece)) == ("plain" if piece["kind"] in AREA_KINDS else "bank")


def test_unknown_terrain_words_are_rejected_with_the_nearest_word() -> None:
    with pytest.raises(ValidationError, match=r"no terrain fact 'slop'.*'slope'"):
        words({"odd": {"when": {"slop": "steep"}, "then": "height"}})
    with pytest.raises(ValidationError, match="when"):
        words({"all": {"when": {}, "then": "height"}})
    with pytest.raises(ValidationError, match="play needs"):
        TerrainMapping[str].model_validate({**KINDS, "area_terrain": {}})


def test_terrain_word_without_ground_is_found() -> None:
    variant = {"high": {"when": {"kind": "hill"}, "then": "heigth"}}
    file = Grounds.model_validate(
        {"grounds": {"plain": "", "bank": "", "height": ""}, "mapping": {**KINDS, "variants": variant}}
    )
    (found,) = dangling(file)
    assert found.path == ("mapping", "variants", "high", "then")
    assert "did you mean 'height'" in found.message
