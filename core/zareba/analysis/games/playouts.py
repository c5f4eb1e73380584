"""How open a game was: at the end of each turn it is played on many times between commanders with sense, with other dice.

The share that a side wins of these is its chance to win from there, as an oracle has it who knows the whole table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.agents import make_agent
from zareba.analysis.games.records import game_seed
from zareba.base.exact import total
from zareba.game import Game
from zareba.table import SeededTable

__all__ = ["PLAYOUTS", "uncertainty", "win_chances"]

PLAYOUTS = 20
"""Times that a game is played on from the end of a turn."""


def win_chances(game: Game[Any], seed: int, side: str, ends: Sequence[Any], limit: int) -> tuple[float, ...]:
    """The chance of a side to win, a draw being half a win, from each of these states; `limit`: steps that are played on at most."""
    return tuple(
        total(_won(game, game_seed(seed, f"turn {turn}", number), side, state, limit) for number in range(PLAYOUTS))
        / PLAYOUTS
        for turn, state in enumerate(ends, start=1)
    )


def _won(game: Game[Any], seed: int, side: str, begun: Any, limit: int) -> float:
    state = begun.copy()
    players = {seat: make_agent("doctrine", game, seat, seed) for seat in game.seats if seat not in game.solo}
    table = SeededTable(game.rules, state, seed, players)
    for _ in range(limit):
        step = game.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.perform(table, state, step)
    winner = game.common_outcome(state).winner
    return 0.5 if winner is None else float(winner == side)


def uncertainty(found: Sequence[float]) -> float | None:
    """4 W (1 - W) averaged over the turns: 1 while all is open, 0 when it is certain; None for no turn.

    Some of it would be lost because W is told by few games; that is put back, so that it is right on average.
    """
    if not found:
        return None
    put_back = PLAYOUTS / (PLAYOUTS - 1)
    return min(1.0, put_back * total(4 * chance * (1 - chance) for chance in found) / len(found))
