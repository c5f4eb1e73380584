"""Corrections in the companion's book under Fixed Bay'net: glory, AC and wounds of the men of a unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from zareba.base.errors import ZarebaError, unknown_name
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.hits import FATAL, set_wounds
from zareba_rulesets.fixed_baynet.chapters.morale import unit_glory
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.presentation.umpire_editor import FbnUmpireEditor

GLORY, AC, WOUNDS = "glory", "ac", "wounds"
UNHURT = "unhurt"
_MOST_AC = 9


class RealTableEditor(FbnUmpireEditor):
    """Corrections of a unit: `glory` and `ac` of all its steady men, and the wounds of its heroes.

    A hero's name, such as `lt_ashby`, is a field with his wounds: `arm_light`, several with commas, or `unhurt`.
    `wounds` is their number, by which people take away the last ones.
    """

    meanings: ClassVar[Mapping[str, str]] = {
        "back": "ordered to fall back",
        "glory": "the number that its steady men need",
        "cluster": "charged in closed order or mass",
        "heartened": "has gained glory by a heroic deed this turn",
        "rallied": "has been rallied this turn",
        "unformed": "has lost its formation",
    }

    def editable_fields(self, state: Battle, piece: str) -> Iterator[tuple[str, Any]]:
        yield from super().editable_fields(state, piece)
        unit = state.units.get(piece)
        if unit is not None and unit.figures:
            yield GLORY, unit_glory(state, unit)
            yield AC, max(man.ac for man in unit.figures.values())
            yield WOUNDS, _wounds(unit)
            for name, man in _heroes(unit).items():
                yield name, ",".join(sorted(man.locations)) or UNHURT

    def set(self, table: Table, state: Battle, piece: str, field: str, value: Any) -> Any:
        heroes = _heroes(state.units[piece]) if piece in state.units else {}
        if piece not in state.units or field not in (GLORY, AC, WOUNDS, *heroes):
            return super().set(table, state, piece, field, value)
        unit = state.units.change(piece)
        was = dict(self.editable_fields(state, piece))[field]
        if field in heroes:
            set_wounds(state, unit.figures[heroes[field].id], _locations(state, str(value)))
            return was
        least, most = {GLORY: (1, state.book.panics_at - 1), AC: (0, _MOST_AC), WOUNDS: (0, _wounds(unit))}[field]
        if type(value) is not int or not least <= value <= most:
            hint = f"; name the man for a new one: {next(iter(heroes))} arm_light" if field == WOUNDS and heroes else ""
            raise ZarebaError(f"{field} must be a whole number from {least} to {most}, not {value!r}{hint}")
        if field == WOUNDS:
            _heal(state, unit, value)
        for man in unit.figures.values():
            if field == GLORY and man.steady:
                man.gl = value
            elif field == AC and man.able:
                man.ac = value
        return was


def _heroes(unit: Unit) -> dict[str, Figure]:
    """Return the men of a unit whose wounds have a location (FBN-125), by name in the form of a field."""
    return {man.spec.name.lower().replace(" ", "_"): man for man in unit.figures.values() if man.spec.leads}


def _locations(battle: Battle, typed: str) -> frozenset[str]:
    """Return the typed hit locations. Raises ZarebaError with the nearest one."""
    known = [location for location in battle.book.locations[0] if location not in FATAL]
    found = [word.strip() for word in typed.split(",")] if typed != UNHURT else []
    for location in found:
        if location not in known:
            raise unknown_name("wound", location, [*known, UNHURT])
    return frozenset(found)


def _wounds(unit: Unit) -> int:
    return sum(len(man.locations) for man in unit.figures.values())


def _heal(battle: Battle, unit: Unit, left: int) -> None:
    """Take wound effects away until only so many are left."""
    for man in reversed([*unit.figures.values()]):
        too_many = max(0, _wounds(unit) - left)
        set_wounds(battle, man, man.locations - {*sorted(man.locations, reverse=True)[:too_many]})
