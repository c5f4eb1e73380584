"""What a scenario comes to in these rules: figures, their units, where they stand, and what cannot be said."""

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
    """A scenario in figures. `said`: for these rules alone. `parts`: scenario unit -> units here; `placed`: unit -> point.

    `zones`: unit -> polygon for those set out by players; `entries`: unit -> edge point on arrival. `leaders`:
    scenario leader -> figure. `commanders`: side -> figure. `notes`: what these rules cannot express.
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
        """Unit here -> unit of the scenario."""
        return {part: source for source, parts in self.parts.items() for part in parts}

    @cached_property
    def leading(self) -> dict[str, str]:
        """Figure -> leader of the scenario."""
        return {figure: leader for leader, figure in self.leaders.items()}
