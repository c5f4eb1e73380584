"""What house rules throw and draw for again and again, said once: the number that is needed is also what the throw tells."""

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
    """Throw a D6: whether it shows `least` or more; `then` and `otherwise` say what comes of it."""
    means = at_least(least, then, otherwise)
    face: int = table.roll(1, 6, why=why, rule=rule, actor=actor, means=means)
    return face >= least


def roll_on_chart(table: Any, lines: Mapping[int, str], *, why: str, rule: str, actor: str = "") -> str:
    """Throw a D6 on a table of words by the least number for which they hold, beginning with 1; gives the words."""
    if not isinstance(lines, Mapping) or min(lines, default=0) != 1:
        raise ZarebaError(f"{lines!r} are no lines for a D6; write {{1: WORDS, 4: WORDS}}, beginning with 1")
    face: int = table.roll(1, 6, why=why, rule=rule, actor=actor, means=rows(lines))
    return lines[max(least for least in lines if least <= face)]


def draw_one(table: Any, names: Iterable[str], purpose: str, *, why: str, rule: str) -> str:
    """One of several by lot, a name that comes twice with twice the chance; of one alone no lot is drawn."""
    pile = Counter(names)
    if len(pile) == 1:
        return next(iter(pile))
    drawn: str = table.draw(pile, why=why, rule=rule, means=lot(purpose))
    return drawn


def add_points(outcome: Outcome, gained: Mapping[str, float]) -> Outcome:
    """An outcome with points that sides have gained besides: who leads then has won, and nobody if several do."""
    points = {side: scored + gained.get(side, 0) for side, scored in outcome.points.items()}
    first = [side for side, scored in points.items() if scored == max(points.values())]
    return replace(outcome, points=points, winner=first[0] if len(first) == 1 else None)
