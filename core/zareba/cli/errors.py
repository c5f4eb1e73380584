"""How a command that failed says so: sentences on stderr, an exit code, a traceback only on request."""

from __future__ import annotations

import errno
import traceback

import typer

from zareba.base.culprits import package_at_fault
from zareba.base.errors import ZarebaError
from zareba.cli.sanitize import sanitize

__all__ = ["INTERRUPTED", "report", "report_bug"]

INTERRUPTED = 130


def report(error: ZarebaError | OSError, *, debug: bool) -> int:
    """Tell a mistake that a person can put right; gives the exit code. A closed pipe is passed on."""
    if isinstance(error, OSError):
        if error.errno == errno.EPIPE:
            raise error
        told = f"{error.filename or 'reading or writing failed'}: {error.strerror or error}"
    else:
        told = str(error)
    _trace(error, debug)
    for line in told.splitlines():
        typer.echo(sanitize(line), err=True)
    return error.exit_code if isinstance(error, ZarebaError) else ZarebaError.exit_code


def report_bug(error: Exception, *, debug: bool) -> int:
    """Tell an error that nobody foresaw; gives the exit code."""
    _trace(error, debug)
    package = package_at_fault(error)
    who = f"the {package}" if package else "zareba itself"
    typer.echo(sanitize(f"{who} failed with {type(error).__name__}: {error}"), err=True)
    if package:
        return 1
    if not debug:
        typer.echo("run the command again with --debug to see where; please report it", err=True)
    return 1


def _trace(error: Exception, debug: bool) -> None:
    if debug:
        typer.echo("".join(traceback.format_exception(error)), err=True)
