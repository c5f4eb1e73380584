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

    `said` holds its overrides. `parts` maps scenario unit to the units made of it, `placed` unit to point, `zones`
    unit to the polygon in which a player sets it up, `entries` unit to its arrival point on the edge, `leaders`
    scenario leader to figure, `commanders` side to figure. `notes` lists what these rules cannot express.
    """

    field: Field
    said: Overrides
    units: dict[str, UnitSpec]
    figures: dict[str, FigureSpec]
    parts: dict[str, tuple[str, ...]]
    placed: dict[str, Point]
    zones: dict[str, Points]
    ahead: dict[str, Point]
    entries: dict[str, Point]
    arrivals: dict[str, Arrival]
    engines: dict[str, Engine]
    things: dict[str, Thing]
    leaders: dict[str, str]
    commanders: dict[str, str]
    notes: list[str] = dataclasses.field(default_factory=list)

    @cached_property
    def sources(self) -> dict[str, str]:
        """The scenario unit that each unit comes from."""
        return {part: source for source, parts in self.parts.items() for part in parts}

    @cached_property
    def leading(self) -> dict[str, str]:
        """The scenario leader that each leader figure represents."""
        return {figure: leader for leader, figure in self.leaders.items()}
