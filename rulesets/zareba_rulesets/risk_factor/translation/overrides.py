"""Scenario entries for these rules only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zareba.base.yamlfile import Id, YamlModel
from zareba.rules import RefersTo

__all__ = ["Overrides", "UnitOverride"]


class UnitOverride(YamlModel):
    """Attributes of a unit that replace those from its kind, quality and weapon. Attributes left out keep their value."""

    volley: bool | None = None
    native: bool | None = None
    no_quarter: bool | None = None
    superior_quality: bool | None = None
    superior_melee: bool | None = None
    skirts: Literal["up", "down"] | None = None
    table: Literal["auto", "missile", "melee"] | None = None
    loading: Literal["muzzle", "breech", "magazine", "hurled", "none"] | None = None


class Overrides(YamlModel):
    """`player_characters`: the leaders who are Player Characters (RSK-018). `units`: attributes of units, including their
    Action table (RSK-130).
    """

    player_characters: list[Annotated[Id, RefersTo("leaders")]] = Field(default_factory=list)
    units: dict[Annotated[Id, RefersTo("units")], UnitOverride] = Field(default_factory=dict)
