"""A function of a house rule: called with what it asks for, and blamed for what it does wrong."""

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
"""How often it is looked whether a house rule that only looks leaves the state as it is."""
R = TypeVar("R")

ACTS = frozenset({"zareba_begin", "zareba_event", "zareba_step", "zareba_turn", "zareba_view"})
"""The hooks that do something, and have nothing to give."""


def _said(error: BaseException) -> str:
    return first_misfit(error) if isinstance(error, ValidationError) else str(error)


@dataclass(frozen=True)
class HookFunction:
    """One implementation of a hook: whose it is, where it stands, and the arguments that it takes."""

    hook: str
    house_rule: str
    file: str
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    own: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What every hook of its house rule may ask for: the id of the ruleset, and the settings that are its own."""
    asked: list[str] = field(default_factory=list, compare=False, repr=False)
    """For what it was asked while it was looked whether it leaves the state alone."""
    checked: list[str] = field(default_factory=list, compare=False, repr=False)
    """One entry for each call after which the state was looked at (`check_written`)."""

    def __call__(self, **available: Any) -> Any:
        """Call it with those of `available` that it takes; a failure names the house rule, the hook and the file."""
        given = {name: available[name] if name in available else self.own[name] for name in self.arguments}
        result = self.run(self.function, available.get("table"), **given)
        if result is not None and self.hook in ACTS:
            raise self.blame(
                TypeError(f"it gave {repr(result)[:60]}, where nothing is asked for; change the state instead")
            )
        if self.hook in ACTS:
            self.check_written(available.get("state", getattr(available.get("table"), "state", None)))
        return result

    def check_written(self, state: Any) -> None:
        """Raises RuleBroken where the state cannot be written any more after a call; the first calls are looked at."""
        if len(self.checked) >= LOOKED_AFTER or not isinstance(state, Record):
            return
        self.checked.append(self.hook)
        try:
            canonical_json(state.to_data())
        except (AttributeError, TypeError, ValueError) as error:
            raise self.blame(
                TypeError(f"it left something in the state that cannot be written ({error}); keep numbers and words")
            ) from None

    def looks(self, state: Any, about: str, call: Callable[[], R]) -> R:
        """What a call gives that only looks; at first it is looked whether it leaves the state alone. RuleBroken if not."""
        if len(self.asked) >= LOOKED_AFTER or not isinstance(state, Record):
            return call()
        self.asked.append(about)
        before = digest(state.to_data())
        given = call()
        if digest(state.to_data()) != before:
            raise self.blame(ValueError(f"it changed the state when it was asked for {about}"))
        return given

    def run(self, function: Callable[..., Any], table: Table | None, /, *args: Any, **kwargs: Any) -> Any:
        """Call a function of this house rule; whatever it does wrong is blamed on it, a swallowed pause of `table` too."""
        outermost = watchdog.start_watch()
        asked = None if table is None else table.asked_by_rule
        if table is not None and asked is None:
            table.asked_by_rule = 0
        try:
            result = function(*args, **kwargs)
        except watchdog.RuleTimeout:
            raise self.blame(TimeoutError(f"it did not come back within {watchdog.LIMIT:g} seconds")) from None
        except Endless as error:
            if asked is not None and asked > MOST_ASKED_BY_RULE // 2:
                raise  # most of it was asked by the rules around this one
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
                f"house rule '{self.house_rule}' swallowed the question '{question.why}' in {self.hook} ({self.file}); "
                "'except BaseException' must let zareba.table.Pause through"
            )
        return result

    def _place(self, error: BaseException) -> str:
        """The file with the line on which it failed; of what it gave, the line on which the function begins."""
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
        """The error that names this house rule as the culprit."""
        if isinstance(error, RuleBroken) and not isinstance(error, Impossible):
            return error
        fault = str(error) if isinstance(error, ZarebaError) else f"{type(error).__name__}: {_said(error)}"
        return RuleBroken(
            f"house rule '{self.house_rule}' failed in {self.hook} ({self._place(error)}): {fault}; "
            "play goes on without it when its --house-rule is left out"
        )
