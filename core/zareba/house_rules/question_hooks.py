"""How house rules have a part in what is asked: they throw dice in their own way, refuse points, answer for a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from zareba.base.state import facts
from zareba.base.tally import Modifier, Tally, TallyRule
from zareba.house_rules.hook_function import HookFunction
from zareba.table.questions import Answer, Confirm, LazyOptions, Place, Point, Roll, outcomes

__all__ = ["confirm_with_hooks", "restrict_places", "roll_with_hooks"]


def roll_with_hooks(hooks: Sequence[HookFunction], table: Any, roll: Roll, throw: Callable[[Roll], Answer]) -> Answer:
    """What a roll comes to: the last house rule listed is the outermost, and the innermost throws the dice."""
    for hook in hooks:
        throw = _Throws(hook, table, throw)
    return throw(roll)


class _Throws:
    """The throw as one house rule makes it of that of the rules before it."""

    __slots__ = ("_hook", "_inner", "_table")

    def __init__(self, hook: HookFunction, table: Any, inner: Callable[[Roll], Answer]) -> None:
        self._hook = hook
        self._table = table
        self._inner = inner

    def __call__(self, roll: Roll) -> Answer:
        purposes: list[str] = []
        roll_with_hooks: list[Answer] = []

        def throw(asked: Roll) -> Answer:
            """Throw: the second time for a purpose of its own, so that all other dice of the game fall as they would."""
            if not isinstance(asked, Roll):
                raise self._hook.blame(
                    TypeError(f"it threw {asked!r}; write throw(roll), or throw(roll._replace(...))")
                )
            again = purposes.count(asked.why)
            purposes.append(asked.why)
            roll_with_hooks.append(self._inner(asked._replace(why=asked.why + ", again" * again)))
            return roll_with_hooks[-1]

        result = self._hook(table=self._table, roll=roll, throw=throw)
        if result is None:
            if purposes:
                raise self._hook.blame(
                    ValueError(f"it threw for '{roll.why}' and gave nothing; give what the dice say")
                )
            return self._inner(roll)
        possible = type(next(iter(outcomes(roll)[0]))[0])
        if type(result) is not possible:
            wanted = possible.__name__
            raise self._hook.blame(TypeError(f"for '{roll.why}' it gave {result!r}, where the dice say a {wanted}"))
        if roll_with_hooks and result not in roll_with_hooks:
            shown, read = _first(roll_with_hooks[-1]), _first(result)
            if isinstance(shown, int) and isinstance(read, int):
                self._table.tallies.append(_as_read(self._hook, roll, shown, read))
        return result


def _first(answer: Any) -> Any:
    """What a throw comes to first of all: of a sum with the highest die the sum."""
    return answer[0] if isinstance(answer, tuple) and answer else answer


@facts
class _Shown:
    """What the dice show."""

    thrown: int


def _as_read(hook: HookFunction, roll: Roll, roll_with_hooks: Any, result: int) -> Tally:
    """For "why?": what a throw shows, and as what a house rule counts it."""
    source = f"house rule {hook.house_rule} ({hook.file})"
    read = Modifier(hook.hook, roll.rule, "set", result, summary=f"by {hook.house_rule}", source=source)
    return Tally(
        TallyRule(roll.why, roll.rule, "on the dice", "thrown", "none", (read,)), _Shown(roll_with_hooks), result
    )


def restrict_places(hooks: Sequence[HookFunction], state: Any, question: Place) -> Place:
    """The question for a point with all that house rules refuse; raises RuleBroken where they leave no suggestion of many."""

    def legal(point: Point) -> str | None:
        refused = question.legal(point)
        if refused is not None:
            return refused
        for hook in hooks:
            look = partial(hook, state=state, question=question, point=point)
            said = hook.looks(state, f"a point for '{question.why}'", look)
            if said is not None:
                if not isinstance(said, str) or not said:
                    raise hook.blame(
                        TypeError(f"for {point} it gave {said!r}, not the sentence why it is refused, or None")
                    )
                return said if said.endswith(")") else f"{said} ({hook.house_rule})"
        return None

    offered = question.suggestions
    if isinstance(offered, LazyOptions):
        kept: Sequence[Point] = LazyOptions(offered.places, lambda place: _if_legal(offered.at(place), legal))
    else:
        kept = tuple([point for point in offered if legal(point) is None])
    if not kept and offered:
        names = " and ".join(sorted({hook.house_rule for hook in hooks}))
        raise hooks[-1].blame(ValueError(f"{names} refuse every point for '{question.why}'; leave one at least"))
    return question._replace(suggestions=kept, legal=legal)


def _if_legal(point: Point | None, legal: Callable[[Point], str | None]) -> Point | None:
    return None if point is None or legal(point) is not None else point


def confirm_with_hooks(hooks: Sequence[HookFunction], state: Any, question: Confirm) -> bool | None:
    """The answer that a house rule gives in a player's place; None where the player is asked."""
    for hook in hooks:
        said = hook.looks(state, f"an answer to '{question.why}'", partial(hook, state=state, question=question))
        if said is not None:
            if not isinstance(said, bool):
                raise hook.blame(
                    TypeError(f"for '{question.why}' it gave {said!r}, which is neither True, False nor None")
                )
            return said
    return None
