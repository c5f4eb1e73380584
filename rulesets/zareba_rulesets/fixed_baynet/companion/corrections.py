"""Corrections in the companion's book under Fixed Bay'net, with glory, AC and wounds of the men of a unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.morale import unit_glory
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.presentation.umpire_editor import FbnUmpireEditor

GLORY, AC, WOUNDS = "glory", "ac", "wounds"
_MOST_AC = 9


class RealTableEditor(FbnUmpireEditor):
    """Corrections of a unit: `glory` and `ac` of all its steady men, and `wounds`, the wound effects of its heroes.

    People can take wound effects away, the last ones first. A new one needs a hit location, so an act gives it.
    """

    def editable_fields(self, state: Battle, piece: str) -> Iterator[tuple[str, Any]]:
        yield from super().editable_fields(state, piece)
        unit = state.units.get(piece)
        if unit is not None and unit.figures:
            yield GLORY, unit_glory(state, unit)
            yield AC, max(man.ac for man in unit.figures.values())
            yield WOUNDS, _wounds(unit)

    def set(self, table: Table, state: Battle, piece: str, field: str, value: Any) -> Any:
        if field not in (GLORY, AC, WOUNDS) or piece not in state.units:
            return super().set(table, state, piece, field, value)
        unit = state.units.change(piece)
        was = dict(self.editable_fields(state, piece))[field]
        least, most = {GLORY: (1, state.book.panics_at - 1), AC: (0, _MOST_AC), WOUNDS: (0, _wounds(unit))}[field]
        if type(value) is not int or not least <= value <= most:
            raise ZarebaError(f"{field} must be a whole number from {least} to {most}, not {value!r}")
        if field == WOUNDS:
            _heal(unit, value)
        for man in unit.figures.values():
            if field == GLORY and man.steady:
                man.gl = value
            elif field == AC and man.able:
                man.ac = value
        return was


def _wounds(unit: Unit) -> int:
    return sum(len(man.locations) for man in unit.figures.values())


def _heal(unit: Unit, left: int) -> None:
    """Take wound effects away until only so many are left."""
    for man in reversed([*unit.figures.values()]):
        for location in sorted(man.locations, reverse=True)[: max(0, _wounds(unit) - left)]:
            man.locations = man.locations - {location}
            if location == "head_light":
                man.unmark("stunned")
