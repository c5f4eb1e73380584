"""Nightfall: from the sixth turn on, a die is rolled at the end of every turn, and a 6 ends the game.

The hook `zareba_steps` wraps steps of the order of play by name, as `zareba_procedures` wraps rule functions. Changes
made by a wrap before or after the step belong to the step: they are saved, undone and replayed with it. A wrong name
is rejected with the most similar name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.api import Table, Wrap, hookimpl, roll_at_least

RULE = "HOUSE-NIGHT"
FIRST_TURN = 6
DARK = "night falls", "there is light for another turn"
END_OF_TURN = {"fixed_baynet": "housekeeping.turn", "paychest": "turn.end", "vcc": "end.turn"}


def nightfall(end_of_turn: Callable[..., None], table: Table, battle: Any) -> None:
    """End the turn; from the sixth turn on, roll a die and end the game on a 6."""
    turn = battle.turn
    end_of_turn(table, battle)
    if battle.over or turn < FIRST_TURN:
        return
    if roll_at_least(table, 6, *DARK, why="nightfall", rule=RULE, actor="night"):
        battle.over, battle.ending = True, "nightfall"
        table.emit("nightfall", RULE, text="night fell, and the fighting ended")


@hookimpl
def zareba_steps(ruleset: str) -> Mapping[str, Wrap]:
    """Wrap the end of a turn."""
    return {END_OF_TURN[ruleset]: nightfall} if ruleset in END_OF_TURN else {}
