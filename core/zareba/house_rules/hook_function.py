"""Call a hook of a house rule: it gets the arguments it asks for, and an error names the house rule at fault.

Every call of every hook goes through `HookFunction`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from zareba.base.errors import Impossible, RuleBroken, ZarebaError, first_misfit
from zareba.base.state import Record, canonical_json, digest
from zareba.house_rules import watchdog
from zareba.table.table import MOST_ASKED_BY_RULE, Endless

if TYPE_CHECKING:
    from zareba.table import Table

__all__ = ["HookFunction"]


LOOKED_AFTER = 20
"""The number of calls in which a hook that must not change the state is checked."""
R = TypeVar("R")

ACTS = frozenset({"zareba_begin", "zareba_event", "zareba_step", "zareba_turn", "zareba_view"})
"""The hooks that change the state and return nothing."""


def _said(error: BaseException) -> str:
    return first_misfit(error) if isinstance(error, ValidationError) else str(error)


@dataclass(frozen=True)
class HookFunction:
    """One implementation of a hook: its house rule, its file and the arguments it takes."""

    hook: str
    house_rule: str
    file: str
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    own: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Arguments available to every hook of a house rule: the id of the ruleset and the rule's own settings."""
    asked: list[str] = field(default_factory=list, compare=False, repr=False)
    """The calls checked so far for changes to the state."""
    checked: list[str] = field(default_factory=list, compare=False, repr=False)
    """One entry for each call checked by `check_written`."""
    of_ruleset: bool = field(default=False, compare=False)
    """True if the hook belongs to a ruleset that extends another, and not to a house rule."""

    @property
    def whose(self) -> str:
        """The owner of the hook for error messages, such as `house rule 'cold_nights'`."""
        return f"{'the ruleset' if self.of_ruleset else 'house rule'} '{self.house_rule}'"

    def __call__(self, **available: Any) -> Any:
        """Call the function with those of `available` that it takes; an error names the house rule, the hook and the
        file.
        """
        given = {name: available[name] if name in available else self.own[name] for name in self.arguments}
        result = self.run(self.function, available.get("table"), **given)
        if result is not None and self.hook in ACTS:
            raise self.blame(
                TypeError(f"it returned {repr(result)[:60]}, but this hook returns nothing; change the state instead")
            )
        if self.hook in ACTS:
            self.check_written(available.get("state", getattr(available.get("table"), "state", None)))
        return result

    def check_written(self, state: Any) -> None:
        """Raise RuleBroken if a call has left data in the state that cannot be written to JSON; only the first calls are
        checked.
        """
        if len(self.checked) >= LOOKED_AFTER or not isinstance(state, Record):
            return
        self.checked.append(self.hook)
        try:
            canonical_json(state.to_data())
        except (AttributeError, TypeError, ValueError) as error:
            raise self.blame(
                TypeError(f"it left something in the state that cannot be saved ({error}); store numbers and texts")
            ) from None

    def looks(self, state: Any, about: str, call: Callable[[], R]) -> R:
        """Return the result of a call that must not change the state. The first calls are checked; raises RuleBroken if
        the state changed.
        """
        if len(self.asked) >= LOOKED_AFTER or not isinstance(state, Record):
            return call()
        self.asked.append(about)
        before = digest(state.to_data())
        given = call()
        if digest(state.to_data()) != before:
            raise self.blame(ValueError(f"it changed the state while it computed {about}"))
        return given

    def run(self, function: Callable[..., Any], table: Table | None, /, *args: Any, **kwargs: Any) -> Any:
        """Call a function of this house rule. Any error is attributed to the house rule, including a swallowed pause of
        `table`.
        """
        outermost = watchdog.start_watch()
        asked = None if table is None else table.asked_by_rule
        if table is not None and asked is None:
            table.asked_by_rule = 0
        try:
            result = function(*args, **kwargs)
        except watchdog.RuleTimeout:
            raise self.blame(TimeoutError(f"it did not return within {watchdog.LIMIT:g} seconds")) from None
        except Endless as error:
            if asked is not None and asked > MOST_ASKED_BY_RULE // 2:
                raise  # the rules around this one asked most of the questions
            said = f"it asked {MOST_ASKED_BY_RULE:,} questions and did not come to an end"
            raise self.blame(Impossible(said).with_traceback(error.__traceback__)) from None
        except (Exception, SystemExit) as error:
            raise self.blame(error) from error
        finally:
            if table is not None:
                table.asked_by_rule = asked
            if outermost:
                watchdog.stop_watch()
        if table is not None and (question := table.unanswered()) is not None:
            raise RuleBroken(
                f"{self.whose} swallowed the question '{question.why}' in {self.hook} ({self.file}); "
                "'except BaseException' must let zareba.table.Pause through"
            )
        return result

    def _place(self, error: BaseException) -> str:
        """Return the file and line of the failure; if the result was at fault, the first line of the function."""
        found, trace = "", error.__traceback__
        while trace is not None:
            where = trace.tb_frame.f_code.co_filename
            if where.startswith(self.file):
                found = f"{where}:{trace.tb_lineno}"
            trace = trace.tb_next
        if found:
            return found
        code = getattr(self.function, "__code__", None)
        known = code is not None and code.co_filename.startswith(self.file)
        return f"{code.co_filename}:{code.co_firstlineno}" if code is not None and known else self.file

    def blame(self, error: BaseException) -> RuleBroken:
        """Return the error that names this house rule as the cause."""
        if isinstance(error, RuleBroken) and not isinstance(error, Impossible):
            return error
        fault = str(error) if isinstance(error, ZarebaError) else f"{type(error).__name__}: {_said(error)}"
        remedy = "correct it" if self.of_ruleset else "leave out its --house-rule to play on without it"
        return RuleBroken(f"{self.whose} failed in {self.hook} ({self._place(error)}): {fault}; {remedy}")
