"""What a scenario means under these rules, ready for play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as made
from functools import cached_property

from zareba.scenario.model import Exit
from zareba_rulesets.afriboria.forces.pieces import CommanderSpec, FlierSpec, UnitSpec
from zareba_rulesets.afriboria.forces.roster import Roster
from zareba_rulesets.afriboria.ground.field import Field

__all__ = ["Hunted", "Plan"]

Hunted = tuple[str, str, tuple[str, ...]]
"""An objective, a side that it rewards, and the units of the scenario that this side is to destroy."""


@dataclass
class Plan:
    """What a scenario means under these rules.

    `placed` and `chiefs` are hexes at the start, `zones` the hexes in which the owner of a unit or commander sets it out,
    `entries` where it arrives; `attached` the unit with which a commander starts unless his owner has other plans;
    `places` the hexes of each objective that is held, `areas` the hexes of those to be reached;
    `notes` what these rules cannot express.
    """

    field: Field
    units: dict[str, UnitSpec]
    commanders: dict[str, CommanderSpec]
    fliers: dict[str, FlierSpec]
    placed: dict[str, int] = made(default_factory=dict)
    chiefs: dict[str, int] = made(default_factory=dict)
    zones: dict[str, list[int]] = made(default_factory=dict)
    entries: dict[str, list[int]] = made(default_factory=dict)
    arrivals: dict[str, int] = made(default_factory=dict)
    attached: dict[str, str] = made(default_factory=dict)
    places: dict[str, tuple[int, ...]] = made(default_factory=dict)
    areas: dict[str, frozenset[int]] = made(default_factory=dict)
    prizes: dict[str, tuple[int, str]] = made(default_factory=dict)
    hunted: list[Hunted] = made(default_factory=list)
    exits: Mapping[str, tuple[Exit, ...]] = made(default_factory=dict)
    edges: dict[str, frozenset[int]] = made(default_factory=dict)
    ladders: frozenset[str] = frozenset()
    strengths: dict[str, int] = made(default_factory=dict)
    quotas: dict[str, int | None] = made(default_factory=dict)
    first: str = ""
    turn_limit: int = 0
    events: bool = False
    without: frozenset[str] = frozenset()
    notes: list[str] = made(default_factory=list)

    @cached_property
    def parts(self) -> dict[str, list[str]]:
        """The units that each unit of the scenario has become."""
        found: dict[str, list[str]] = {}
        for name, spec in self.units.items():
            found.setdefault(spec.source, []).append(name)
        return found

    @cached_property
    def roster(self) -> Roster:
        """The names of each side's pieces."""
        return Roster(self.field.home, self.units, self.commanders)
