"""A scenario in these rules' terms."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba.space.outlines import Area
from zareba_rulesets.risk_factor.forces.battle import UnitSpec
from zareba_rulesets.risk_factor.ground.field import Field

__all__ = ["Plan"]


@dataclass
class Plan:
    """A scenario in cm. `bodies`: where units on the table stand; `entries`: where the others come on.

    `hidden`: units that the scenario hides, by their unit there; `markers`: those of them that begin as markers
    (RSK-186). `places`: the ground of each objective as a point and
    a radius or as an area. `notes`: what these rules cannot express.
    """

    field: Field
    specs: dict[str, UnitSpec]
    facing: dict[str, float]
    bodies: dict[str, Body]
    entries: dict[str, Point]
    arrivals: dict[str, int]
    hidden: dict[str, list[str]]
    markers: frozenset[str]
    commanders: dict[str, list[str]]
    home: dict[str, float]
    places: dict[str, tuple[Point, float, Area | None]]
    notes: list[str]
