"""The errors of zareba: each says what is wrong, where, and what to do about it.

A command prints the message on one line and exits with `exit_code`. A user's mistake never ends in a traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class ZarebaError(Exception):
    """An error that the user can fix: a wrong name, value, file or action."""

    exit_code = 2


class RuleBroken(ZarebaError):
    """A house rule failed during play; the session keeps the state from before the step."""


class Impossible(RuleBroken):
    """A rule did something impossible and it is not known which one: a die without faces, a draw from an empty pile, a
    step that changes nothing.
    """


@dataclass(frozen=True, order=True)
class Problem:
    """One fault in a file. `line` and `column` count from 1; a fault of the whole file is placed at its start."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        path = f"{self.path}: " if self.path else ""
        return f"{self.file}:{self.line}:{self.column}: {path}{self.message}"


class FileError(ZarebaError):
    """All faults of one or more files, each as `file:line:column: path: message`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most similar to `name`, or one that starts with it; None if there is no close match."""
    names, wanted = list(known), name.casefold()
    found = difflib.get_close_matches(wanted, names, n=1, cutoff=0.5)
    if not found and len(wanted) > 2:
        found = [other for other in names if other.startswith(wanted)]
    return found[0] if found else None


def unknown_name(what: str, name: str, known: Iterable[str]) -> ZarebaError:
    """Return the error for a name that is not among `known`, with the most similar known name."""
    names = sorted(set(known))
    guess = nearest(name, names)
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    hint = f"did you mean '{guess}'?" if guess else f"known: {shown or 'none'}"
    return ZarebaError(f"there is no {what} '{name}'; {hint}")


def first_misfit(error: ValidationError) -> str:
    """Return the first validation error of a model: `seats: Input should be ...`."""
    fault = error.errors()[0]
    return f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
