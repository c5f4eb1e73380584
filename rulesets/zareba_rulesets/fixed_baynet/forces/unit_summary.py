"""A summary of a unit, computed once before its legal actions are listed: who can act, ride, is prone or is indoors."""

from __future__ import annotations

from typing import NamedTuple

from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["UnitSummary", "summarise_unit"]

WITH_ORDERS = frozenset({"officer", "nco", "hero", "medic"})  # roles with special orders or acts (FBN-037, FBN-137)


class UnitSummary(NamedTuple):
    """`men` are able and have AC left. All fields except `all_ready` describe only these men.

    `leaders` are the leaders and medics. `riders` and `lying` are counts. `standing` is True if a man is on foot and
    not prone, and `got_down` if such a man is a dismounted rider with a mark. `crossed` is True if a man has gone
    through a door (FBN-244). `sp` is the highest speed. `all_ready` is True if every able man of the unit has AC left.
    """

    men: list[Figure]
    leaders: list[Figure]
    riders: int
    lying: int
    indoors: bool
    standing: bool
    got_down: bool
    crossed: bool
    sp: int
    all_ready: bool


def summarise_unit(unit: Unit) -> UnitSummary:
    """Return the summary of a unit."""
    men: list[Figure] = []
    leaders: list[Figure] = []
    riders = lying = sp = 0
    indoors = standing = got_down = crossed = False
    all_ready = True
    for figure in unit.figures.values():
        marks = figure.marks
        if figure.reaction or (marks and "stunned" in marks):
            continue
        if figure.ac < 1:
            all_ready = False
            continue
        men.append(figure)
        spec = figure.spec
        if spec.sp > sp:
            sp = spec.sp
        if spec.role in WITH_ORDERS:
            leaders.append(figure)
        if figure.place:
            indoors = True
        if figure.mounted:
            riders += 1
        if not marks:
            standing = standing or not figure.mounted
            continue
        if "crossed" in marks:
            crossed = True
        if "prone" in marks:
            lying += 1
        elif not figure.mounted:
            standing, got_down = True, got_down or spec.rides
    return UnitSummary(men, leaders, riders, lying, indoors, standing, got_down, crossed, sp, all_ready)
