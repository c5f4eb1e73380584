"""Hooks on questions: house rules can change dice rolls, refuse points and answer for a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from zareba.base.state import facts
from zareba.base.tally import Modifier, Tally, TallyRule
from zareba.house_rules.hook_function import HookFunction
from zareba.table.questions import Answer, Confirm, LazyOptions, Place, Point, Roll, outcomes


def roll_with_hooks(hooks: Sequence[HookFunction], table: Any, roll: Roll, throw: Callable[[Roll], Answer]) -> Answer:
    """Return the result of a roll with all hooks applied: the last house rule listed is the outermost, and the
    innermost rolls the dice.
    """
    for hook in hooks:
        throw = _HookedRoll(hook, table, throw)
    return throw(roll)


class _HookedRoll:
    """A roll as one house rule changes it, built on the roll of the rules before it."""

    __slots__ = ("_hook", "_inner", "_table")

    def __init__(self, hook: HookFunction, table: Any, inner: Callable[[Roll], Answer]) -> None:
        self._hook = hook
        self._table = table
        self._inner = inner

    def __call__(self, roll: Roll) -> Answer:
        purposes: list[str] = []
        rolled: list[Answer] = []

        def throw(dice: Roll) -> Answer:
            """Roll the dice. Repeated rolls get their own purpose, so that all other dice of the game are unchanged."""
            if not isinstance(dice, Roll):
                raise self._hook.blame(
                    TypeError(f"it called throw({dice!r}); write throw(roll), or throw(roll._replace(...))")
                )
            earlier_rolls = purposes.count(dice.why)
            purposes.append(dice.why)
            rolled.append(self._inner(dice._replace(why=dice.why + ", again" * earlier_rolls)))
            return rolled[-1]

        result = self._hook(table=self._table, roll=roll, throw=throw)
        if result is None:
            if purposes:
                raise self._hook.blame(
                    ValueError(f"it rolled for '{roll.why}' and returned nothing; return the result of the dice")
                )
            return self._inner(roll)
        possible = type(next(iter(outcomes(roll)[0]))[0])
        if type(result) is not possible:
            wanted = possible.__name__
            raise self._hook.blame(
                TypeError(f"for '{roll.why}' it returned {result!r}, but the dice give a value of type {wanted}")
            )
        if rolled and result not in rolled:
            shown, read = _first(rolled[-1]), _first(result)
            if isinstance(shown, int) and isinstance(read, int):
                self._table.tallies.append(_changed_result(self._hook, roll, shown, read))
        return result


def _first(answer: Any) -> Any:
    """Return the main number of a result: of a sum with the highest die, the sum."""
    return answer[0] if isinstance(answer, tuple) and answer else answer


@facts
class _Shown:
    """The result that the dice show."""

    thrown: int


def _changed_result(hook: HookFunction, roll: Roll, shown: int, result: int) -> Tally:
    """Return a breakdown for "why?" with the result of the dice and the result that a house rule made of it."""
    source = f"house rule {hook.house_rule} ({hook.file})"
    read = Modifier(hook.hook, roll.rule, "set", result, summary=f"by {hook.house_rule}", source=source)
    return Tally(TallyRule(roll.why, roll.rule, "on the dice", "thrown", "none", (read,)), _Shown(shown), result)


def restrict_places(hooks: Sequence[HookFunction], state: Any, question: Place) -> Place:
    """Return a question for a point with the refusals of house rules added. Raises RuleBroken if they refuse all
    suggestions.
    """

    def legal(point: Point) -> str | None:
        reason = question.legal(point)
        if reason is not None:
            return reason
        for hook in hooks:
            call = partial(hook, state=state, question=question, point=point)
            result = hook.call_read_only(state, f"a point for '{question.why}'", call)
            if result is not None:
                if not isinstance(result, str) or not result:
                    raise hook.blame(
                        TypeError(
                            f"for {point} it returned {result!r}, not None or the sentence that says why it is refused"
                        )
                    )
                return result if result.endswith(")") else f"{result} ({hook.house_rule})"
        return None

    offered = question.suggestions
    if isinstance(offered, LazyOptions):
        remaining: Sequence[Point] = LazyOptions(
            offered.candidates, lambda number: _if_legal(offered.at(number), legal)
        )
    else:
        remaining = tuple([point for point in offered if legal(point) is None])
    if not remaining and offered:
        names = " and ".join(sorted({hook.house_rule for hook in hooks}))
        raise hooks[-1].blame(ValueError(f"{names} refuse every point for '{question.why}'; leave at least one"))
    return question._replace(suggestions=remaining, legal=legal)


def _if_legal(point: Point | None, legal: Callable[[Point], str | None]) -> Point | None:
    return None if point is None or legal(point) is not None else point


def confirm_with_hooks(hooks: Sequence[HookFunction], state: Any, question: Confirm) -> bool | None:
    """Return the answer that a house rule gives instead of the player, or None to ask the player."""
    for hook in hooks:
        result = hook.call_read_only(
            state, f"an answer to '{question.why}'", partial(hook, state=state, question=question)
        )
        if result is not None:
            if not isinstance(result, bool):
                raise hook.blame(
                    TypeError(f"for '{question.why}' it returned {result!r}, which is neither True, False nor None")
                )
            return result
    return None
