"""Scenario settings that apply to these rules only."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

from pydantic import Field

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.yamlfile import Id, YamlModel
from zareba.rules import RefersTo
from zareba.scenario import Scenario
from zareba.scenario.overrides import overrides_of
from zareba.scenario.vocabulary import CREWED
from zareba_rulesets.paychest.book.numbers import PaychestBook

__all__ = ["Overrides", "check_figures", "read_overrides"]

UnitId = Annotated[Id, RefersTo("units")]


class Overrides(YamlModel):
    """`legion`: units of the Legion (PAY-025); `emplaced`: units whose guns are in emplacements (PAY-083); `carriages`:
    wagons that are carriages; `armed`: wagons and carriages with the guns they carry, such as `machine_gun` (PAY-080).

    `skills`: for example `first_section.3 firearms` -> 0 to 6, for exceptional individuals (PAY-016, PAY-018).
    `ranks`: figure -> rank (PAY-035). `profiles`: figure -> profile, with its arms, for figures of another kind than
    their unit (PAY-210).
    """

    legion: list[UnitId] = Field(default_factory=list)
    emplaced: list[UnitId] = Field(default_factory=list)
    carriages: list[UnitId] = Field(default_factory=list)
    armed: dict[UnitId, list[Literal["machine_gun", "gun"]]] = Field(default_factory=dict)
    skills: dict[str, int] = Field(default_factory=dict)
    ranks: dict[str, Annotated[str, RefersTo("ranks")]] = Field(default_factory=dict)
    profiles: dict[str, Annotated[str, RefersTo("profiles")]] = Field(default_factory=dict)


def read_overrides(book: PaychestBook, scenario: Scenario) -> Overrides:
    """Return the overrides of a scenario.

    Raises ZarebaError for unknown names and for arms and skills that are not allowed.
    """
    overrides = overrides_of(scenario, "paychest", Overrides, book.file)
    for entry, units, arms in (
        ("emplaced", overrides.emplaced, CREWED),
        ("carriages", overrides.carriages, ("wagon",)),
        ("armed", overrides.armed, ("wagon",)),
    ):
        for name in units:
            if scenario.units[name].arm not in arms:
                raise ZarebaError(
                    f"{scenario.id}: overrides.paychest.{entry} is for the arms {', '.join(arms)}, not for {name}"
                )
    bounds = book.file.skill_bounds
    for name, skill in overrides.skills.items():
        if not bounds.least <= skill <= bounds.most:
            raise ZarebaError(
                f"{scenario.id}: overrides.paychest.skills.{name} is a whole number from {bounds.least} to {bounds.most} "
                "(PAY-016)"
            )
    return overrides


def check_figures(scenario: Scenario, overrides: Overrides, figures: Collection[str], absent: Collection[str]) -> None:
    """Raise ZarebaError for overrides of figures that the scenario does not have.

    `absent` holds units that the settings leave out, and leaders, who may or may not be units of one (PAY-032).
    """
    mentioned = [*overrides.ranks, *overrides.profiles]
    for name in overrides.skills:
        figure, _, skill = name.partition(" ")
        if skill not in ("firearms", "melee"):
            raise ZarebaError(f"{scenario.id}: overrides.paychest.skills.{name} is a figure with firearms or melee")
        mentioned.append(figure)
    for figure in mentioned:
        if figure not in figures and figure.rpartition(".")[0] not in absent:
            raise unknown_name(f"figure for overrides.paychest of {scenario.id} called", figure, figures)
