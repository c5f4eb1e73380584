"""Three games small enough to calculate by hand: a draw, a walkover and a reversal in the last turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.analysis.games.activity import ACTS
from zareba.analysis.games.records import CAUSES, Effort, GameRecord


def record(
    game: int,
    winner: str | None,
    ending: str,
    strength: Mapping[str, tuple[float, ...]],
    losses: Mapping[str, Mapping[str, float]],
    **changes: Any,
) -> GameRecord:
    """Return a record of red against blue; `changes` replace any other field."""
    turns = len(strength["red"]) - 1
    fields: dict[str, Any] = {
        "variant": "v",
        "scenario": "s",
        "game": game,
        "pair": game,
        "seed": game,
        "swapped": False,
        "listed": "red",
        "agents": {"red": "doctrine", "blue": "doctrine"},
        "winner": winner,
        "ground": "strength",
        "own_winner": winner,
        "own_ground": "",
        "in_play": 0,
        "points": {"red": 0, "blue": 0},
        "ending": ending,
        "turns": turns,
        "acts": dict(zip(ACTS, (6, 12, 2, 3, 8, 5, 4, 1, 3), strict=True)),
        "stake": 1.5,
        "weighed": 3,
        "unit_turns": 8,
        "idle": 4,
        "denied": 2,
        "effort": {"red": Effort(4, 3, 10), "blue": Effort(2, 0, 2)},
        "dice": 12,
        "rolls": 6,
        "draws": 2,
        "lookups": 4,
        "losses": {side: {**dict.fromkeys(CAUSES, 0.0), **losses[side]} for side in ("red", "blue")},
        "strength": strength,
        "score": dict.fromkeys(("red", "blue"), (0.0,) * (turns + 1)),
        "first_loss": next((t for t in range(1, turns + 1) if any(s[t] < 1 for s in strength.values())), None),
    }
    return GameRecord(**{**fields, **changes})


def draw() -> GameRecord:
    """Four turns: red 10 points ahead, level, blue 10 ahead, level at the end."""
    return record(
        0,
        None,
        "turn_limit",
        {"red": (1.0, 1.0, 0.9, 0.8, 0.8), "blue": (1.0, 0.9, 0.9, 0.9, 0.8)},
        {"red": {"fire": 0.2}, "blue": {"fire": 0.1, "morale": 0.1}},
    )


def walkover() -> GameRecord:
    """Two turns: red has no losses and breaks blue, although blue has filled a quota defined by its ruleset."""
    return record(
        1,
        "red",
        "collapse",
        {"red": (1.0, 1.0, 1.0), "blue": (1.0, 0.5, 0.2)},
        {"red": {}, "blue": {"melee": 0.6, "other": 0.2}},
        own_winner="blue",
        own_ground="quota",
        chances=(1.0,),
    )


def reversal() -> GameRecord:
    """Four turns: blue 20, 20 and 10 points ahead, then red 40 ahead; blue is listed first."""
    return record(
        2,
        "red",
        "objectives",
        {"red": (1.0, 0.8, 0.7, 0.6, 0.6), "blue": (1.0, 1.0, 0.9, 0.7, 0.2)},
        {"red": {"fire": 0.4}, "blue": {"fire": 0.4, "melee": 0.4}},
        listed="blue",
        own_ground="quota",
        chances=(0.5, 0.2, 0.9),
    )
