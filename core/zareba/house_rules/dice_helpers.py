"""Dice and the battle, for house rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.chance import at_least, random_draw, rows
from zareba.house_rules.contextual_modifiers import unit_named
from zareba.scenario import Scenario
from zareba.scenario.victory import Outcome

# --- Helpers for common rolls and draws in house rules; each describes its results for "why?" and the odds ------------


def roll_at_least(table: Any, least: int, then: str, otherwise: str, *, why: str, rule: str, actor: str = "") -> bool:
    """Roll a D6 and return True if it shows `least` or more; `then` and `otherwise` describe the two results."""
    means = at_least(least, then, otherwise)
    face: int = table.roll(1, 6, why=why, rule=rule, actor=actor, means=means)
    return face >= least


def roll_on_chart(table: Any, lines: Mapping[int, str], *, why: str, rule: str, actor: str = "") -> str:
    """Roll a D6 on a chart and return the text of the row. The chart maps the lowest result of each row to its text,
    starting with 1.
    """
    if not isinstance(lines, Mapping) or min(lines, default=0) != 1:
        raise ZarebaError(f"{lines!r} is not a chart for a D6; write {{1: TEXT, 4: TEXT}}, starting with 1")
    face: int = table.roll(1, 6, why=why, rule=rule, actor=actor, means=rows(lines))
    return lines[max(least for least in lines if least <= face)]


def draw_one(table: Any, names: Iterable[str], purpose: str, *, why: str, rule: str) -> str:
    """Return one of several names at random; a name listed twice is twice as likely. A single name is returned without
    a draw.
    """
    pile = Counter(names)
    if len(pile) == 1:
        return next(iter(pile))
    drawn: str = table.draw(pile, why=why, rule=rule, means=random_draw(purpose))
    return drawn


def add_points(outcome: Outcome, gained: Mapping[str, float]) -> Outcome:
    """Return the outcome with extra points added. The side with the most points wins; a tie has no winner."""
    points = {side: scored + gained.get(side, 0) for side, scored in outcome.points.items()}
    first = [side for side, scored in points.items() if scored == max(points.values())]
    return replace(outcome, points=points, winner=first[0] if len(first) == 1 else None)


# --- Functions with which a house rule reads and changes the battle; they work the same under every ruleset -----------


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
    found = game_of(table).umpire_editor().figures_left(table.state, _id(table, unit))
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
    """Return the id of a unit of the battle; raise ZarebaError, with the most similar name, if there is no such
    unit.
    """
    name = unit if isinstance(unit, str) else getattr(getattr(unit, "spec", None), "id", None)
    if not isinstance(name, str):
        raise ZarebaError(f"{unit!r} is not a unit; give one of units(table), or its id")
    if name not in table.state.units:
        raise unknown_name("unit", name, table.state.units)
    return name
