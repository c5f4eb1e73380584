"""The translated scenario: figures, units, positions, and notes on what these rules do not support."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property

from zareba.scenario import Arrival
from zareba.space import Point
from zareba.space.geometry import Points
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.forces.units import FigureSpec, UnitSpec
from zareba_rulesets.paychest.ground.field import Field
from zareba_rulesets.paychest.translation.overrides import Overrides

__all__ = ["Plan"]


@dataclass
class Plan:
    """A scenario translated into figures.

    `overrides` are the settings of the scenario that apply to these rules only. `parts` maps scenario unit to the units made of it, `placed` unit to point, `zones`
    unit to the polygon in which a player sets it up, `entries` unit to its arrival point on the edge, `ahead` unit to
    the direction it faces, `leaders` scenario leader to figure, `commanders` side to figure. `notes` lists what these rules cannot express.
    """

    field: Field
    overrides: Overrides
    units: dict[str, UnitSpec] = dataclasses.field(default_factory=dict)
    figures: dict[str, FigureSpec] = dataclasses.field(default_factory=dict)
    parts: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    placed: dict[str, Point] = dataclasses.field(default_factory=dict)
    zones: dict[str, Points] = dataclasses.field(default_factory=dict)
    ahead: dict[str, Point] = dataclasses.field(default_factory=dict)
    entries: dict[str, Point] = dataclasses.field(default_factory=dict)
    arrivals: dict[str, Arrival] = dataclasses.field(default_factory=dict)
    engines: dict[str, Engine] = dataclasses.field(default_factory=dict)
    things: dict[str, Thing] = dataclasses.field(default_factory=dict)
    leaders: dict[str, str] = dataclasses.field(default_factory=dict)
    commanders: dict[str, str] = dataclasses.field(default_factory=dict)
    notes: list[str] = dataclasses.field(default_factory=list)

    @cached_property
    def sources(self) -> dict[str, str]:
        """The scenario unit that each unit comes from."""
        return {part: source for source, parts in self.parts.items() for part in parts}

    @cached_property
    def leader_of_figure(self) -> dict[str, str]:
        """The scenario leader that each leader figure represents."""
        return {figure: leader for leader, figure in self.leaders.items()}
