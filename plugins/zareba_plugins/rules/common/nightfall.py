"""Nightfall: from the sixth turn on nobody knows which turn is the last.

The hook `zareba_steps` wraps steps of the order of play by name, as `zareba_procedures` wraps rule functions. What a
wrap does before or after the step belongs to it: it is saved, taken back and replayed with it. A wrong name is refused
with the nearest one.

When the last step of a turn is over, a die is thrown; on a 6 it is dark, and the game ends where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.api import Table, Wrap, hookimpl, roll_at_least

RULE = "HOUSE-NIGHT"
FIRST_TURN = 6
DARK = "it is dark", "there is light for another turn"
END_OF_TURN = {"fixed_baynet": "housekeeping.turn", "paychest": "turn.end", "vcc": "end.turn"}


def nightfall(end_of_turn: Callable[..., None], table: Table, battle: Any) -> None:
    """End the turn; then, in the sixth and later ones, throw a die, and end the game on a 6."""
    turn = battle.turn
    end_of_turn(table, battle)
    if battle.over or turn < FIRST_TURN:
        return
    if roll_at_least(table, 6, *DARK, why="nightfall", rule=RULE, actor="night"):
        battle.over, battle.ending = True, "nightfall"
        table.tell("nightfall", RULE, text="night fell, and the fighting ended")


@hookimpl
def zareba_steps(ruleset: str) -> Mapping[str, Wrap]:
    """The end of a turn, wrapped."""
    return {END_OF_TURN[ruleset]: nightfall} if ruleset in END_OF_TURN else {}
