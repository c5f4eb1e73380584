"""What an option is worth to a commander with sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal

from zareba.base.state import facts
from zareba.table.questions import Option

__all__ = ["Evaluation", "each", "first_does", "fixed", "habit"]


@facts
class Evaluation:
    """What one option is worth to the side that chooses, in shares of a unit's strength; for commanders with sense.

    `inflicts` and `suffers`: expected losses dealt and taken. `ground`: progress towards the objective, or ground
    given up (negative). `steadies`: order restored. `reason` says it in at most 80 characters, with a number or rule;
    it may be a function that does, for only the best option is ever asked for its reason.
    """

    inflicts: float = 0.0
    suffers: float = 0.0
    ground: float = 0.0
    steadies: float = 0.0
    reason: str | Callable[[], str] = ""

    @property
    def total(self) -> float:
        """What it all comes to for a steady officer."""
        return self.inflicts - self.suffers + self.ground + self.steadies


Part = Literal["inflicts", "suffers", "ground", "steadies"]
Judge = Callable[..., list[Evaluation]]
"""Weighs the options of a choice, which is its last argument."""


def each(judge: Callable[..., Evaluation]) -> Judge:
    """Weighs the options of a choice one by one; the judge of one is given it last, after the choice."""

    @wraps(judge)
    def weigh(*about: Any) -> list[Evaluation]:
        return [judge(*about, option) for option in about[-1].options]

    return weigh


def habit(part: Part, likes: Mapping[Option, float], reason: str, other: float = 0.0) -> Judge:
    """A choice that is made in the same way whatever the situation: what some options are worth, and all others."""
    worths = {option: _in_part(part, worth, reason) for option, worth in likes.items()}
    rest = _in_part(part, other, reason)

    def weigh(*about: Any) -> list[Evaluation]:
        return [worths.get(option, rest) for option in about[-1].options]

    return weigh


def first_does(part: Part, worth: float, reason: str) -> Judge:
    """A choice of which the first option does, whatever it is."""
    first, rest = _in_part(part, worth, reason), Evaluation(reason=reason)

    def weigh(*about: Any) -> list[Evaluation]:
        return [first, *[rest] * (len(about[-1].options) - 1)]

    return weigh


def fixed(part: Part, worths: Mapping[str, tuple[float, str]]) -> dict[str, Evaluation]:
    """What is worth the same whatever the situation: of each the worth, and the reason."""
    return {name: _in_part(part, worth, reason) for name, (worth, reason) in worths.items()}


def _in_part(part: Part, worth: float, reason: str) -> Evaluation:
    parts: dict[str, Any] = {part: worth}
    return Evaluation(reason=reason, **parts)
