"""What a piece of ground is in the words of a ruleset: by its kind, or else by what more the scenario says of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, StrictBool, StrictInt, StrictStr, field_validator

from zareba.base.errors import unknown_name
from zareba.base.tally import compile_when
from zareba.rules.schema import Book, all_of
from zareba.scenario import Terrain
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS

__all__ = ["TerrainMapping", "TerrainVariant"]

W = TypeVar("W")
Word = StrictBool | StrictInt | StrictStr
Comparison = Literal["at_least", "at_most", "more_than", "less_than", "not"]


def _facts(piece: Terrain) -> dict[str, Any]:
    """What may be asked of a piece; hills are gentle, waters as deep as their kind, and structures plain, unless they are said to be else."""
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


KNOWN = tuple(_facts(Terrain(kind="open")))


class TerrainVariant(Book, Generic[W]):
    """Ground that is not what its kind would be: `when` the scenario says so of a piece, `then` it is this."""

    rule: StrictStr = ""
    when: Annotated[dict[str, Word | dict[Comparison, Word] | dict[Literal["in"], list[Word]]], Field(min_length=1)]
    then: W

    @field_validator("when")
    @classmethod
    def _known(cls, when: dict[str, Any]) -> dict[str, Any]:
        for fact in when:
            if fact not in KNOWN:
                raise ValueError(str(unknown_name("word for ground called", fact, KNOWN)))
        return when


class TerrainMapping(Book, Generic[W]):
    """The words of a ruleset for all kinds of ground; of its `variants` the first that holds goes before the kind."""

    area_terrain: Annotated[dict[str, W], all_of(*AREA_KINDS)]
    linear_terrain: Annotated[dict[str, W], all_of(*LINE_KINDS)]
    variants: dict[str, TerrainVariant[W]] = Field(default_factory=dict)

    def word_of(self, piece: Terrain) -> W:
        """What a piece is here."""
        asked = SimpleNamespace(**_facts(piece))
        found = next((one.then for one in self.variants.values() if compile_when(one.when)(asked)), None)
        return found or self.area_terrain.get(piece.kind) or self.linear_terrain[piece.kind]
