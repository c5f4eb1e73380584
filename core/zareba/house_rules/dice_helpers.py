"""Helpers for common rolls and draws in house rules; each describes its results for "why?" and the odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.chance import at_least, lot, rows
from zareba.scenario.victory import Outcome

__all__ = ["add_points", "draw_one", "roll_at_least", "roll_on_chart"]


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
    """Return one of several names at random; a name listed twice is twice as likely. A single name is returned without a
    draw.
    """
    pile = Counter(names)
    if len(pile) == 1:
        return next(iter(pile))
    drawn: str = table.draw(pile, why=why, rule=rule, means=lot(purpose))
    return drawn


def add_points(outcome: Outcome, gained: Mapping[str, float]) -> Outcome:
    """Return the outcome with extra points added. The side with the most points wins; a tie has no winner."""
    points = {side: scored + gained.get(side, 0) for side, scored in outcome.points.items()}
    first = [side for side, scored in points.items() if scored == max(points.values())]
    return replace(outcome, points=points, winner=first[0] if len(first) == 1 else None)
