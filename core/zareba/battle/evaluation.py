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


Component = Literal["inflicts", "suffers", "ground", "steadies"]
"""A component of an evaluation."""
OptionsEvaluator = Callable[..., list[Evaluation]]
"""A function that evaluates all options of a choice, which is its last argument."""


def evaluate_each(evaluate_option: Callable[..., Evaluation]) -> OptionsEvaluator:
    """Make a function that evaluates all options of a choice out of one that evaluates a single option.

    `evaluate_option` gets the same arguments, and the option last, after the choice.
    """

    @wraps(evaluate_option)
    def evaluate(*arguments: Any) -> list[Evaluation]:
        return [evaluate_option(*arguments, option) for option in arguments[-1].options]

    return evaluate


def about_men(number: float) -> str:
    """Return an expected number of men in words, for reasons."""
    men = round(number)
    return f"about {amount(men, 'man', 'men')}" if men else "hardly a man"


def fixed_values(
    component: Component, values: Mapping[Option, float], reason: str, other: float = 0.0
) -> OptionsEvaluator:
    """Return an evaluator that gives each option a fixed value: that in `values`, or else `other`."""
    evaluations = {option: _with_component(component, value, reason) for option, value in values.items()}
    for_others = _with_component(component, other, reason)

    def evaluate(*arguments: Any) -> list[Evaluation]:
        return [evaluations.get(option, for_others) for option in arguments[-1].options]

    return evaluate


def prefer_first(component: Component, value: float, reason: str) -> OptionsEvaluator:
    """Return an evaluator that gives the first option `value`, whatever it is, and all later ones 0."""
    first, later = _with_component(component, value, reason), Evaluation(reason=reason)

    def evaluate(*arguments: Any) -> list[Evaluation]:
        return [first, *[later] * (len(arguments[-1].options) - 1)]

    return evaluate


def _with_component(component: Component, value: float, reason: str) -> Evaluation:
    components: dict[str, Any] = {component: value}
    return Evaluation(reason=reason, **components)
