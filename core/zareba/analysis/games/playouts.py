"""Measure how open a game was, by playing on from the end of each turn many times with new dice.

The players of these games are `doctrine`, see the whole table, and do not simulate the effects of house rules, because
20 games are played from each turn. A side's share of wins is its chance to win from that turn.
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
"""Number of games played on from the end of each turn."""


def win_chances(game: Game[Any], seed: int, side: str, ends: Sequence[Any], limit: int) -> tuple[float, ...]:
    """Return the chance that a side wins from each of the states, a draw counting as half. `limit` is the most steps
    played.
    """
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
    """Return 4 W (1 - W) averaged over the turns: 1 if even, 0 if certain; None without turns.

    Estimating W from few games biases this downwards. The result is corrected for that on average.
    """
    if not found:
        return None
    put_back = PLAYOUTS / (PLAYOUTS - 1)
    return min(1.0, put_back * total(4 * chance * (1 - chance) for chance in found) / len(found))
