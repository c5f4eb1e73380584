"""The settings of a scenario for these rules alone."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from zareba.base.yamlfile import Id, YamlModel
from zareba.rules import RefersTo

__all__ = ["Overrides"]

UnitId = Annotated[Id, RefersTo("units")]


class Overrides(YamlModel):
    """`profiles`: unit -> its line of Table 3 (AFR-020). `colours`: unit -> the colour of its orders (AFR-041).

    `event_cards`: play with the event deck (AFR-341), `without` the cards with one of these tags.
    """

    profiles: dict[UnitId, Annotated[Id, RefersTo("profiles")]] = Field(default_factory=dict)
    colours: dict[UnitId, Literal["red", "blue", "green"]] = Field(default_factory=dict)
    event_cards: Literal["on", "off"] = "off"
    without: list[Id] = Field(default_factory=list)
