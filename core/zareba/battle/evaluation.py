"""The evaluation of options for AI players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal

from zareba.base.grammar import amount
from zareba.base.state import facts
from zareba.table.questions import Option


@facts
class Evaluation:
    """The value of one option to the side that chooses, in shares of a unit's strength; used by AI players.

    `inflicts` and `suffers` are the expected losses dealt and taken. `ground` is progress towards the objective;
    ground given up is negative. `steadies` is order restored. `reason` explains the value in at most 80 characters,
    with the rule if there is one. Its numbers come from the battle and the rules, never from the source. It may be a
    function that returns the text, because only the reason for the best option is needed.
    """

    inflicts: float = 0.0
    suffers: float = 0.0
    ground: float = 0.0
    steadies: float = 0.0
    reason: str | Callable[[], str] = ""

    @property
    def total(self) -> float:
        """The total value to a steady officer (all weights 1)."""
        return self.inflicts - self.suffers + self.ground + self.steadies


Part = Literal["inflicts", "suffers", "ground", "steadies"]
Judge = Callable[..., list[Evaluation]]
"""A function that evaluates the options of a choice, which is its last argument."""


def evaluate_each(judge: Callable[..., Evaluation]) -> Judge:
    """Return a function that evaluates options one by one; `judge` gets the option last, after the choice."""

    @wraps(judge)
    def weigh(*about: Any) -> list[Evaluation]:
        return [judge(*about, option) for option in about[-1].options]

    return weigh


def about_men(number: float) -> str:
    """Return an expected number of men in words, for reasons."""
    men = round(number)
    return f"about {amount(men, 'man', 'men')}" if men else "hardly a man"


def habit(part: Part, likes: Mapping[Option, float], reason: str, other: float = 0.0) -> Judge:
    """Return a function with fixed values for options: `likes` has those of some, `other` is that of the rest."""
    worths = {option: _in_part(part, worth, reason) for option, worth in likes.items()}
    rest = _in_part(part, other, reason)

    def weigh(*about: Any) -> list[Evaluation]:
        return [worths.get(option, rest) for option in about[-1].options]

    return weigh


def first_does(part: Part, worth: float, reason: str) -> Judge:
    """Return a function that gives the first option the value `worth`, whatever it is, and all later ones 0."""
    first, rest = _in_part(part, worth, reason), Evaluation(reason=reason)

    def weigh(*about: Any) -> list[Evaluation]:
        return [first, *[rest] * (len(about[-1].options) - 1)]

    return weigh


def _in_part(part: Part, worth: float, reason: str) -> Evaluation:
    parts: dict[str, Any] = {part: worth}
    return Evaluation(reason=reason, **parts)
