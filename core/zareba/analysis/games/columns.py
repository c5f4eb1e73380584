"""Flatten the record of a game into one row of `games.csv`, and select games by conditions on its columns."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from zareba.analysis.games.activity import ACTS
from zareba.analysis.games.records import CAUSES, Effort, GameRecord
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import join_with_and

__all__ = ["as_columns", "check_conditions", "matching_games"]

_CONDITION = re.compile(r"(\w+)\s*(<=|>=|!=|=|<|>)\s*([^<>=!].*)")
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def as_columns(record: GameRecord) -> dict[str, Any]:
    """Return a record as flat columns. `strength_<side>` is a list of the shares at the end of each turn."""
    row: dict[str, Any] = {
        "variant": record.variant,
        "scenario": record.scenario,
        "game": record.game,
        "pair": record.pair,
        "seed": record.seed,
        "swapped": record.swapped,
        "listed": record.listed,
        "winner": record.winner,
        "ground": record.ground,
        "own_winner": record.own_winner,
        "own_ground": record.own_ground,
        "in_play": record.in_play,
        "ending": record.ending,
        "turns": record.turns,
        "first_loss": record.first_loss,
        "dice": record.dice,
        "rolls": record.rolls,
        "draws": record.draws,
        "lookups": record.lookups,
    }
    row |= {"stake": float(record.stake), "weighed": record.weighed}
    row |= {"unit_turns": record.unit_turns, "idle": record.idle, "denied": record.denied}
    row |= {f"acts_{act.replace(' ', '_').replace('-', '_')}": number for act, number in record.acts.items()}
    for side, agent in record.agents.items():
        row[f"agent_{side}"] = agent
        row[f"points_{side}"] = float(record.points[side])
        for name, count in record.effort[side].to_dict().items():
            row[f"{name}_{side}"] = count
        for cause, share in record.losses[side].items():
            row[f"lost_{side}_{cause}"] = float(share)
        row[f"strength_{side}"] = [float(share) for share in record.strength[side]]
        row[f"score_{side}"] = [float(scored) for scored in record.score[side]]
    row["chances"] = [float(chance) for chance in record.chances]
    return row


def matching_games(records: Sequence[GameRecord], written: Sequence[str]) -> tuple[GameRecord, ...]:
    """Return the games that meet all conditions, such as `ending=collapse` or `turns<=6`. `none` matches a missing value.

    Raises ZarebaError if the column is unknown, if a list or text is compared by order, and if no game is left.
    """
    found = tuple(records)
    for one in written:
        holds, rows = _condition(one), [as_columns(record) for record in found]
        found = tuple(record for record, row in zip(found, rows, strict=True) if holds(row))
        if rows and not found:
            raise ZarebaError(f"no game has {' and '.join(written)}; {_what_there_is(one, rows)}")
    return found


def _what_there_is(written: str, rows: Sequence[dict[str, Any]]) -> str:
    """Describe the values of a condition's column in these games: its words, the most frequent first, or its range."""
    column = _parts(written)[0]
    there = [row[column] for row in rows]
    if numbers := [value for value in there if isinstance(value, (int, float)) and not isinstance(value, bool)]:
        return f"{column} is from {min(numbers):g} to {max(numbers):g}"
    words = Counter("none" if value is None else str(value).lower() or "empty" for value in there)
    return f"{column} is {join_with_and(f'{word} in {number}' for word, number in words.most_common())}"


def check_conditions(written: Sequence[str], sides: Sequence[str]) -> None:
    """Raise ZarebaError for an invalid condition on games between these sides, before any game is played."""
    some = as_columns(_unplayed(sides))
    for one in written:
        _condition(one)(some)


def _unplayed(sides: Sequence[str]) -> GameRecord:
    """Return the record of an empty game, whose columns have the same types as those of real games."""
    none = dict.fromkeys(sides, 0.0)
    return GameRecord(
        variant="", scenario="", game=0, pair=0, seed=0, swapped=False, listed=sides[0], agents=dict.fromkeys(sides, ""),
        winner=sides[0], ground="", own_winner=sides[0], own_ground="", points=none, in_play=0, ending="", turns=0,
        acts=dict.fromkeys(ACTS, 0), stake=0.0, weighed=0, unit_turns=0, idle=0, denied=0, effort=dict.fromkeys(sides, Effort(0, 0, 0)),
        dice=0, rolls=0, draws=0, lookups=0, losses=dict.fromkeys(sides, dict.fromkeys(CAUSES, 0.0)),
        strength=dict.fromkeys(sides, (1.0,)), score=dict.fromkeys(sides, (0.0,)), first_loss=0,
    )  # fmt: skip


def _parts(written: str) -> tuple[str, str, str]:
    match = _CONDITION.fullmatch(written.strip())
    if match is None:
        raise ZarebaError(f"'{written}' is not a condition; write COLUMN=VALUE, or use !=, <, <=, > or >=")
    column, sign, value = match.groups()
    return column, sign, value


def _condition(written: str) -> Callable[[dict[str, Any]], bool]:
    column, sign, value = _parts(written)
    compared = _COMPARISONS[sign]

    def holds(row: dict[str, Any]) -> bool:
        if column not in row:
            raise unknown_name("column of games.csv", column, row)
        there = row[column]
        if isinstance(there, list):
            raise ZarebaError(f"{column} is a list with one number per turn; conditions need a single value")
        if isinstance(there, (int, float)) and not isinstance(there, bool):
            if value.lower() == "none" and sign in ("=", "!="):
                return sign == "!="
            try:
                return compared(there, float(value))
            except ValueError:
                raise ZarebaError(f"{column} is a number, but '{value}' is not") from None
        if sign not in ("=", "!="):
            if there is None:
                return False
            raise ZarebaError(f"{column} is a word and can only be compared with = or !=")
        return compared("none" if there is None else str(there).lower(), value.lower())

    return holds
