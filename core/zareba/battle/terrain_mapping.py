"""Terrain mapping: the ruleset's word for each piece of terrain, from its kind or from other facts in the scenario."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, StrictBool, StrictInt, StrictStr, field_validator

from zareba.base.errors import unknown_name
from zareba.base.tally import compile_when
from zareba.rules.schema import Book, every_word
from zareba.scenario import Terrain
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS
from zareba.scenario.vocabulary.words import TERRAIN, word_with_ancestors

W = TypeVar("W")
_Word = StrictBool | StrictInt | StrictStr
_Comparison = Literal["at_least", "at_most", "more_than", "less_than", "not"]


def _facts(piece: Terrain) -> dict[str, Any]:
    """Return facts for conditions. By default hills are gentle, water as deep as its kind, structures plain."""
    return {
        "kind": piece.kind,
        "slope": piece.slope or "gentle",
        "levels": piece.levels or 1,
        "depth": piece.depth or ("deep" if piece.is_deep else "shallow"),
        "material": piece.material or "none",
        "floors": piece.floors or 1,
        "rooms": bool(piece.rooms),
        "true_fortification": bool(piece.true_fortification),
        "strength": piece.strength or 0,
    }


_FACT_NAMES = tuple(_facts(Terrain(kind="open")))


class TerrainVariant(Book, Generic[W]):
    """An exception to the terrain of a kind: `when` the facts of a piece match, the ruleset's word is `then`."""

    rule: StrictStr = ""
    when: Annotated[dict[str, _Word | dict[_Comparison, _Word] | dict[Literal["in"], list[_Word]]], Field(min_length=1)]
    then: W

    @field_validator("when")
    @classmethod
    def _known(cls, when: dict[str, Any]) -> dict[str, Any]:
        for fact in when:
            if fact not in _FACT_NAMES:
                raise ValueError(str(unknown_name("terrain fact", fact, _FACT_NAMES)))
        return when


class TerrainMapping(Book, Generic[W]):
    """The ruleset's words for all kinds of terrain. The first matching one of `variants` comes before the kind."""

    area_terrain: Annotated[dict[str, W], every_word(TERRAIN, AREA_KINDS)]
    linear_terrain: Annotated[dict[str, W], every_word(TERRAIN, LINE_KINDS)]
    variants: dict[str, TerrainVariant[W]] = Field(default_factory=dict)

    def word_of(self, piece: Terrain) -> W:
        """Return the ruleset's word for a piece of terrain."""
        facts = SimpleNamespace(**{**_facts(piece), "kind": self._variant_kind(piece.kind)})
        found = next((variant.then for variant in self.variants.values() if compile_when(variant.when)(facts)), None)
        return found or self._of_kind(piece.kind)

    def _of_kind(self, kind: str) -> W:
        return self.area_terrain.get(kind) or self.linear_terrain[kind]

    def _variant_kind(self, kind: str) -> str:
        """Return the most general kind that this one is like and that has the same entry; its variants apply too."""
        same = [word for word in word_with_ancestors(kind, TERRAIN) if self._of_kind(word) == self._of_kind(kind)]
        return same[-1]
