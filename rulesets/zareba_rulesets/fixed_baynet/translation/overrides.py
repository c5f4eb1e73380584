"""What a scenario may say for these rules alone."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zareba.base.yamlfile import Id, YamlModel
from zareba.rules import RefersTo

__all__ = ["BuildingOverride", "ForceOverride", "Overrides"]


class ForceOverride(YamlModel):
    """`reserve`: the force comes only when it is sent for (FBN-037)."""

    reserve: bool = False


class BuildingOverride(YamlModel):
    """`kind`: how figures stand in it; None is for the scenario's rooms to say. `doors`: heavy ones are shut (FBN-254)."""

    kind: Literal["sections", "openable", "tower", "silo"] | None = None
    doors: Literal["light", "heavy"] = "light"


class Overrides(YamlModel):
    """Forces (units and leaders) and buildings by their ids."""

    forces: dict[Annotated[Id, RefersTo("units", "leaders")], ForceOverride] = Field(default_factory=dict)
    buildings: dict[Annotated[Id, RefersTo("terrain")], BuildingOverride] = Field(default_factory=dict)
