"""Second wind: a unit that breaks may pull itself together at once, on a 6.

The hook `zareba_procedures` wraps rule functions by name: those that a ruleset marks with `@procedure("name")`; a wrong
name is refused with the nearest one. A wrap is called in the place of the procedure: it gets the procedure itself, the
table, and whatever the procedure takes. It may call the procedure once, not at all, or look at what it gave and do
more, as here.

Dice come from the table, never from Python's `random`. Give the roll a purpose (`why`) of its own: then every other die
of the game falls as it would without this house rule, and games with and without it can be compared throw by throw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.api import Table, Wrap, at_least, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-WIND"
RECOVERS = at_least(6, "it holds", "it breaks")


def second_wind(check_morale: Callable[..., str], table: Table, battle: Any, unit: Any) -> str:
    """Check morale; on "breaks" throw a die, and a 6 undoes the breaking but not the retreat."""
    result = check_morale(table, battle, unit)
    if result != "breaks" or not unit.on_table:
        return result
    if table.roll(1, 6, why="second wind", rule=RULE, actor=unit.id, means=RECOVERS) == 6:
        unit.unmark("broken")
        table.tell("second wind", RULE, text=f"{unit.spec.name} got a second wind")
    return result


@hookimpl
def zareba_procedures() -> Mapping[str, Wrap]:
    """Morale checks, wrapped."""
    return {"morale.check": second_wind}
