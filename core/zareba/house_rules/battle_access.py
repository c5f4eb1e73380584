"""What a house rule asks of the battle under way and does to it, in the same words under every system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.house_rules.contextual_modifiers import unit_named
from zareba.scenario import Scenario

__all__ = ["figures", "game_of", "lose", "name_in", "name_of", "remove_unit", "scenario_name", "scenario_unit", "units"]


def game_of(table: Any) -> Any:
    """The game that is played (`zareba.game.Game`): its scenario, how things stand, the names of all."""
    game = table.rules.playing
    if game is None:
        raise ZarebaError("no game is played on this table, which has rules alone")
    return game


def units(table: Any, side: str = "") -> Iterator[Any]:
    """The units of the battle, of one side or of all; also those that have not come yet, or have gone."""
    state = getattr(table, "state", table)
    return (unit for unit in state.units.values() if not side or unit.spec.side == side)


def scenario_unit(table: Any, unit: Any) -> Any:
    """What the scenario says of the unit that a unit of the rules is, or is a part of: its arm, kind, quality, gun; None if nothing."""
    return game_of(table).scenario.units.get(scenario_name(table, unit))


def scenario_name(table: Any, unit: Any) -> str:
    """Its id in the scenario; "" if it is nobody's there."""
    return name_in(game_of(table).scenario, unit_named(table.state, unit))


def name_in(scenario: Scenario, unit: Any) -> str:
    """The id in a scenario of a unit of the rules, or of that of which it is a part; "" if it is nobody's there."""
    found, spec = scenario.units, getattr(unit, "spec", None)
    for name in (getattr(spec, "parent", ""), getattr(spec, "id", "")):
        while name:
            if name in found:
                return str(name)
            name = max(name.rpartition(mark)[0] for mark in "._ /")
    return ""


def name_of(table: Any, unit: Any) -> str:
    """The name of a unit or side, as people say it."""
    name: str = game_of(table).name_of(unit if isinstance(unit, str) else unit.spec.id)
    return name


def figures(table: Any, unit: Any) -> int:
    """How many a unit has left, as its rules count them: men, or bases."""
    found = game_of(table).umpire_editor().count(table.state, _id(table, unit))
    return found or 0


def lose(table: Any, unit: Any, count: int) -> None:
    """Take so many from a unit, as an umpire would; with none left it is off the table. ValueError for less than none."""
    if count < 0:
        raise ValueError(f"a unit does not lose {count}; to add men is not for lose()")
    left = max(0, figures(table, unit) - count)
    game_of(table).umpire_editor().set_figures(table, table.state, _id(table, unit), left)


def remove_unit(table: Any, unit: Any) -> None:
    """Take a unit off the table for good, as lost."""
    game_of(table).umpire_editor().remove(table, table.state, _id(table, unit))


def _id(table: Any, unit: Any) -> str:
    """The id of a unit of the battle; raises ZarebaError, with the nearest name, for what is none."""
    name = unit if isinstance(unit, str) else getattr(getattr(unit, "spec", None), "id", None)
    if not isinstance(name, str):
        raise ZarebaError(f"{unit!r} is no unit; give one of units(table), or its id")
    if name not in table.state.units:
        raise unknown_name("unit", name, table.state.units)
    return name
