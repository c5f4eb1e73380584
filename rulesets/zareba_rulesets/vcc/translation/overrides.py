"""The settings of a scenario for these rules alone."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from zareba.base.yamlfile import Id, YamlModel
from zareba.rules import RefersTo

__all__ = ["Overrides"]


class Overrides(YamlModel):
    """`british`: the side that moves and fires as the British (VCC-016). `profiles`: unit -> its profile (VCC-167)."""

    british: Annotated[Id, RefersTo("sides")] | None = None
    profiles: dict[Annotated[Id, RefersTo("units")], Annotated[Id, RefersTo("profiles")]] = Field(default_factory=dict)
