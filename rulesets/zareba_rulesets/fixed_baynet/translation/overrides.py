"""Overrides that a scenario can give for these rules alone."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zareba.base.yamlfile import Id, YamlModel
from zareba.rules import RefersTo

__all__ = ["BuildingOverride", "ForceOverride", "Overrides"]


class ForceOverride(YamlModel):
    """`reserve`: the force arrives only when it is called (FBN-037)."""

    reserve: bool = False


class BuildingOverride(YamlModel):
    """`kind`: how figures are placed in it; None follows the scenario's rooms.

    `doors`: heavy doors are shut (FBN-254).
    """

    kind: Literal["sections", "openable", "tower", "silo"] | None = None
    doors: Literal["light", "heavy"] = "light"


class Overrides(YamlModel):
    """Overrides by id, for forces (units and leaders) and for buildings."""

    forces: dict[Annotated[Id, RefersTo("units", "leaders")], ForceOverride] = Field(default_factory=dict)
    buildings: dict[Annotated[Id, RefersTo("terrain")], BuildingOverride] = Field(default_factory=dict)
