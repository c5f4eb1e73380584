"""Second wind: a unit that breaks may recover at once, on a 6.

The hook `zareba_procedures` wraps rule functions by name: those that a ruleset marks with `@procedure("name")`. A
wrong name is rejected with the most similar name. A wrap is called in place of the procedure, with the procedure
itself, the table and the procedure's arguments. It may call the procedure once or not at all, or act on its result, as
here.

Dice come from the table, never from Python's `random`. Give the roll its own purpose (`why`). Then all other dice of
the game are the same as without this house rule, and games with and without it can be compared roll by roll.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.api import Table, Wrap, at_least, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-WIND"
RECOVERS = at_least(6, "it holds", "it breaks")


def second_wind(check_morale: Callable[..., str], table: Table, battle: Any, unit: Any) -> str:
    """Check morale; if the unit breaks, roll a die. On a 6 it is no longer broken, but it has still retreated."""
    result = check_morale(table, battle, unit)
    if result != "breaks" or not unit.on_table:
        return result
    if table.roll(1, 6, why="second wind", rule=RULE, actor=unit.id, means=RECOVERS) == 6:
        unit.unmark("broken")
        table.emit("second wind", RULE, text=f"{unit.spec.name} got a second wind")
    return result


@hookimpl
def zareba_procedures() -> Mapping[str, Wrap]:
    """Wrap the morale check."""
    return {"morale.check": second_wind}
