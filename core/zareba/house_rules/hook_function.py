"""Calls of the functions of house rules, and a watchdog that stops a function that runs too long."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature, unwrap
from threading import Event, Lock, Thread, get_ident
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pydantic import ValidationError

from zareba.base.errors import Impossible, RuleBroken, ZarebaError, first_misfit
from zareba.base.state import CopyOnWrite, Record, canonical_json, digest
from zareba.house_rules import source_check
from zareba.table.table import MOST_QUESTIONS_BY_RULE, Endless

if TYPE_CHECKING:
    from zareba.table import Table


# --- A watchdog for house rules: a function that runs too long is stopped with an error that names the house rule -----
#
# It can stop Python code only; a call that never returns from a C library cannot be interrupted. If a function catches
# every attempt to stop it, the process prints an error and exits.


LONGEST_RUN = 60.0
"""Longest time that a function of a house rule may take, in seconds, including everything it calls."""
CHECK_INTERVAL = 0.5
"""Time between two checks, in seconds."""
MOST_STOPS = 10
"""The number of attempts to stop a function before the process exits."""

_running: dict[int, float] = {}
"""The start time of the outermost house-rule function, by thread."""
_lock = Lock()
_has_watchdog = Event()


class RuleTimeout(BaseException):
    """Raised inside a function that takes too long. It is not an Exception, so that a house rule cannot swallow it."""


def start_watch() -> bool:
    """Start to time a house-rule function.

    Return True if it is the outermost of its thread. Only then must the caller call `stop_watch`.
    """
    thread = get_ident()
    if thread in _running:
        return False
    _running[thread] = monotonic()
    if not _has_watchdog.is_set():
        _start_watchdog()
    return True


def stop_watch() -> None:
    """Stop timing: the outermost function has returned."""
    _running.pop(get_ident(), None)


def _start_watchdog() -> None:
    """Start the watchdog's thread, once per process."""
    with _lock:
        if not _has_watchdog.is_set():
            _has_watchdog.set()
            source_check.watch_imports(_running)
            Thread(target=_stop_slow_functions, name="zareba watchdog", daemon=True).start()


def _stop_slow_functions() -> None:
    """Raise RuleTimeout in every thread whose house-rule function takes too long. Runs until the process ends."""
    pause, stops = Event(), dict[tuple[int, float], int]()
    while not pause.wait(CHECK_INTERVAL):
        for thread, since in list(_running.items()):
            if monotonic() - since > LONGEST_RUN and _running.get(thread) == since:
                stops[thread, since] = stops.get((thread, since), 0) + 1
                if stops[thread, since] > MOST_STOPS:
                    _exit_process(thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(RuleTimeout))


def _exit_process(thread: int) -> NoReturn:
    """Exit the process with an error that names the house rule in a thread. Earlier answers are already in the
    journal.
    """
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None and not str(frame.f_globals.get("__name__", "")).startswith(source_check.MODULES):
        frame = frame.f_back
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "a house rule"
    sys.stderr.write(
        f"{where}: the house rule does not return, and catches every attempt to stop it ('except BaseException' or a bare "
        "'except'); zareba exits now; the game is saved up to its last answer. Write 'except Exception' in the rule, or "
        "leave out its --house-rule.\n"
    )
    sys.stderr.flush()
    os._exit(1)


# --- Call a hook of a house rule: it gets the arguments it asks for, and an error names the house rule at fault -------
#
# Every call of every hook goes through `HookFunction`.


_CHECKED_CALLS = 20
"""The number of calls in which a hook that must not change the state is checked."""
R = TypeVar("R")

_HOOKS_WITHOUT_RESULT = frozenset({"zareba_begin", "zareba_event", "zareba_step", "zareba_turn", "zareba_view"})
"""The hooks that change the state and return nothing."""


def _fault_text(error: BaseException) -> str:
    """Return the text of an error; of a validation error, its first fault."""
    return first_misfit(error) if isinstance(error, ValidationError) else str(error)


@dataclass(frozen=True)
class HookFunction:
    """One implementation of a hook: its house rule, its file and the arguments it takes."""

    hook: str
    house_rule: str
    file: str
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    rule_arguments: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Arguments available to every hook of a house rule: the id of the ruleset and the rule's own settings."""
    checked_unchanged: list[str] = field(default_factory=list, compare=False, repr=False)
    """The calls checked so far by `call_read_only`."""
    checked_written: list[str] = field(default_factory=list, compare=False, repr=False)
    """The calls checked so far by `check_written`."""
    of_ruleset: bool = field(default=False, compare=False)
    """True if the hook belongs to a ruleset that extends another, and not to a house rule."""

    @property
    def owner(self) -> str:
        """The owner of the hook for error messages, such as `house rule 'cold_nights'`."""
        return f"{'the ruleset' if self.of_ruleset else 'house rule'} '{self.house_rule}'"

    def __call__(self, **available: Any) -> Any:
        """Call the function with the arguments of `available` that it takes.

        An error names the house rule, the hook and the file.
        """
        arguments = {
            name: available[name] if name in available else self.rule_arguments[name] for name in self.arguments
        }
        result = self.run(self.function, available.get("table"), **arguments)
        if result is not None and self.hook in _HOOKS_WITHOUT_RESULT:
            raise self.blame(
                TypeError(f"it returned {repr(result)[:60]}, but this hook returns nothing; change the state instead")
            )
        if self.hook in _HOOKS_WITHOUT_RESULT:
            self.check_written(available.get("state", getattr(available.get("table"), "state", None)))
        return result

    def check_written(self, state: Any) -> None:
        """Raise RuleBroken if a call has left data in the state that cannot be written to JSON.

        Only the first calls are checked, because the check is slow.
        """
        if len(self.checked_written) >= _CHECKED_CALLS or not isinstance(state, Record):
            return
        self.checked_written.append(self.hook)
        try:
            canonical_json(state.to_data())
        except (AttributeError, TypeError, ValueError) as error:
            raise self.blame(
                TypeError(f"it left something in the state that cannot be saved ({error}); store numbers and texts")
            ) from None

    def call_read_only(self, state: Any, about: str, call: Callable[[], R]) -> R:
        """Return the result of a call that must not change the state. Raises RuleBroken if the state changed.

        Only the first calls are checked, because the check is slow.
        """
        if len(self.checked_unchanged) >= _CHECKED_CALLS or not isinstance(state, Record):
            return call()
        self.checked_unchanged.append(about)
        before = digest(state.to_data())
        result = call()
        if digest(state.to_data()) != before:
            raise self.blame(ValueError(f"it changed the state while it computed {about}"))
        return result

    def run(self, function: Callable[..., Any], table: Table | None, /, *args: Any, **kwargs: Any) -> Any:
        """Call a function of this house rule. Any error names the house rule as its cause.

        It is also an error if the function catches the exception by which `table` asks a question.
        """
        outermost = start_watch()
        asked_before = None if table is None else table.questions_by_rule
        if table is not None and asked_before is None:
            table.questions_by_rule = 0
        try:
            result = function(*args, **kwargs)
        except RuleTimeout:
            raise self.blame(TimeoutError(f"it did not return within {LONGEST_RUN:g} seconds")) from None
        except Endless as error:
            if asked_before is not None and asked_before > MOST_QUESTIONS_BY_RULE // 2:
                raise  # the rules around this one asked most of the questions
            fault = f"it asked {MOST_QUESTIONS_BY_RULE:,} questions and did not come to an end"
            raise self.blame(Impossible(fault).with_traceback(error.__traceback__)) from None
        except (Exception, SystemExit) as error:
            raise self.blame(error) from error
        finally:
            if table is not None:
                table.questions_by_rule = asked_before
            if outermost:
                stop_watch()
        if table is not None and (question := table.unanswered()) is not None:
            raise RuleBroken(
                f"{self.owner} swallowed the question '{question.why}' in {self.hook} ({self.file}); "
                "'except BaseException' must let zareba.table.Pause through"
            )
        return result

    def _place(self, error: BaseException) -> str:
        """Return the file and line of the failure; if the result is at fault, the first line of the function."""
        location, trace = "", error.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if file.startswith(self.file):
                location = f"{file}:{trace.tb_lineno}"
            trace = trace.tb_next
        if location:
            return location
        code = getattr(self.function, "__code__", None)
        is_in_file = code is not None and code.co_filename.startswith(self.file)
        return f"{code.co_filename}:{code.co_firstlineno}" if code is not None and is_in_file else self.file

    def blame(self, error: BaseException) -> RuleBroken:
        """Return the error that names this house rule as the cause."""
        if isinstance(error, RuleBroken) and not isinstance(error, Impossible):
            return error
        fault = str(error) if isinstance(error, ZarebaError) else f"{type(error).__name__}: {_fault_text(error)}"
        remedy = "correct it" if self.of_ruleset else "leave out its --house-rule to play on without it"
        return RuleBroken(f"{self.owner} failed in {self.hook} ({self._place(error)}): {fault}; {remedy}")


# --- Functions with which a house rule calls the ruleset: run a procedure, or let a unit shoot out of turn ------------


def call(table: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Run a procedure of the ruleset by name and return its result: `call(table, "morale.check", battle, unit)`.

    `zareba hooks RULESET` lists the procedures with the arguments that follow the table. Wraps of other house rules
    apply, and the procedure's dice and numbers are part of the odds and of "why?". Afterwards, read units again from
    the battle, because earlier references may be out of date. Raises ZarebaError for wrong arguments, and with the
    most similar name if there is no such procedure.
    """
    procedure = table.rules.ruleset.rule_function(name)
    parameters = signature(unwrap(procedure))
    try:
        parameters.bind(table, *args, **kwargs)
    except TypeError as error:
        argument_names = ", ".join(list(parameters.parameters)[1:])
        raise ZarebaError(f'{error}; write call(table, "{name}", {argument_names})') from error
    keyword_arguments = {key: _writable(table.state, argument) for key, argument in kwargs.items()}
    return procedure(table, *[_writable(table.state, argument) for argument in args], **keyword_arguments)


def targets(table: Any, unit: Any) -> list[Any]:
    """Return the enemy units that a unit can shoot at as it stands, on any side's turn.

    The list is empty if the rules do not let the unit shoot: broken, out of shots, in contact and so on. Raises
    ZarebaError if the ruleset has no fire out of turn.
    """
    return list(_out_of_turn_fire(table).targets(table.state, unit))


def shoot(table: Any, unit: Any, target: Any) -> bool:
    """Let a unit shoot out of turn at one of its `targets`; return True if it fired.

    Casualties are removed at once, and some rules add the morale check that the shots cause. Afterwards, read both
    units again from the battle. Raises ZarebaError for a target that the unit cannot shoot at.
    """
    fire, battle = _out_of_turn_fire(table), table.state
    if all(possible.spec.id != target.spec.id for possible in fire.targets(battle, unit)):
        raise ZarebaError(f"{unit.spec.id} may not shoot at {target.spec.id} now; ask targets(table, unit) first")
    return bool(fire.shoot(table, battle, _writable(battle, unit), _writable(battle, target)))


def _out_of_turn_fire(table: Any) -> Any:
    """Return the functions of the ruleset for fire out of turn. Raises ZarebaError if it has none."""
    ruleset = table.rules.ruleset
    if ruleset.out_of_turn is None:
        raise ZarebaError(
            f"the ruleset {ruleset.id} has no fire out of turn; call one of its procedures ('zareba hooks {ruleset.id}')"
        )
    return ruleset.out_of_turn


def _writable(battle: Any, value: Any) -> Any:
    """Return a unit of the battle in a writable form, and any other value unchanged.

    Copies of a battle share units until one of them changes a unit.
    """
    units = getattr(battle, "units", None)
    name = getattr(getattr(value, "spec", None), "id", None)
    if isinstance(units, CopyOnWrite) and isinstance(name, str) and name in units:
        return units.change(name)
    return value
