"""Functions with which a house rule reads and changes the battle; they work the same under every ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.house_rules.contextual_modifiers import unit_named
from zareba.scenario import Scenario

__all__ = ["figures", "game_of", "lose", "name_in", "name_of", "remove_unit", "scenario_name", "scenario_unit", "units"]


def game_of(table: Any) -> Any:
    """Return the game being played (`zareba.game.Game`), with its scenario and the names of units and sides."""
    game = table.rules.playing
    if game is None:
        raise ZarebaError("this table has rules but no game")
    return game


def units(table: Any, side: str = "") -> Iterator[Any]:
    """Yield the units of the battle, of one side or of all; units that have not arrived or have left are included."""
    state = getattr(table, "state", table)
    return (unit for unit in state.units.values() if not side or unit.spec.side == side)


def scenario_unit(table: Any, unit: Any) -> Any:
    """Return the scenario entry (arm, kind, quality, gun) of a unit, or of the unit it is part of; None if there is
    none.
    """
    return game_of(table).scenario.units.get(scenario_name(table, unit))


def scenario_name(table: Any, unit: Any) -> str:
    """Return the id of a unit in the scenario, or "" if it has none."""
    return name_in(game_of(table).scenario, unit_named(table.state, unit))


def name_in(scenario: Scenario, unit: Any) -> str:
    """Return the scenario id of a unit, or of the unit it is part of; "" if there is none."""
    found, spec = scenario.units, getattr(unit, "spec", None)
    for name in (getattr(spec, "parent", ""), getattr(spec, "id", "")):
        while name:
            if name in found:
                return str(name)
            name = max(name.rpartition(mark)[0] for mark in "._ /")
    return ""


def name_of(table: Any, unit: Any) -> str:
    """Return the display name of a unit or side."""
    name: str = game_of(table).narrator.name_of(unit if isinstance(unit, str) else unit.spec.id)
    return name


def figures(table: Any, unit: Any) -> int:
    """Return the number of figures that a unit has left, counted as its rules do: men or bases."""
    found = game_of(table).umpire_editor().count(table.state, _id(table, unit))
    return found or 0


def lose(table: Any, unit: Any, count: int) -> None:
    """Remove `count` figures from a unit; a unit with none left is off the table. Raises ValueError for a negative
    count.
    """
    if count < 0:
        raise ValueError(f"a unit cannot lose {count}; lose() does not add figures")
    left = max(0, figures(table, unit) - count)
    game_of(table).umpire_editor().set_figures(table, table.state, _id(table, unit), left)


def remove_unit(table: Any, unit: Any) -> None:
    """Remove a unit from the table for good, as lost."""
    game_of(table).umpire_editor().remove(table, table.state, _id(table, unit))


def _id(table: Any, unit: Any) -> str:
    """Return the id of a unit of the battle; raise ZarebaError, with the most similar name, if there is no such unit."""
    name = unit if isinstance(unit, str) else getattr(getattr(unit, "spec", None), "id", None)
    if not isinstance(name, str):
        raise ZarebaError(f"{unit!r} is not a unit; give one of units(table), or its id")
    if name not in table.state.units:
        raise unknown_name("unit", name, table.state.units)
    return name
