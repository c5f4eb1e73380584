"""A unit looked over once before its acts are listed: who of it can do something, on horseback, lying, indoors."""

from __future__ import annotations

from typing import NamedTuple

from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["UnitSummary", "summarise_unit"]

WITH_ORDERS = frozenset(
    {"officer", "nco", "hero", "medic"}
)  # who may order or do what others cannot (FBN-037, FBN-137)


class UnitSummary(NamedTuple):
    """`men` are able and have AC left; all but `all_ready` speak of them.

    `leaders` and medics among them; `riders` and `lying` are counts; `standing`: somebody is on foot and not lying;
    `got_down`: one of those is a rider and has a mark; `crossed`: somebody has gone through a door (FBN-244); `sp` of the
    fastest; `all_ready`: every able man of the unit has AC left.
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
    """The unit as it stands."""
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
