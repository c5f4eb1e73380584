"""Report a failed command: sentences on stderr, an exit code, and a traceback only on request."""

from __future__ import annotations

import errno
import traceback

import typer

from zareba.base.errors import ZarebaError
from zareba.base.installed import package_at_fault
from zareba.cli.sanitize import sanitize

INTERRUPTED = 130


def report(error: ZarebaError | OSError, *, debug: bool) -> int:
    """Report an error that the user can fix and return the exit code. A closed pipe is raised again."""
    if isinstance(error, OSError):
        if error.errno == errno.EPIPE:
            raise error
        message = f"{error.filename or 'reading or writing failed'}: {error.strerror or error}"
    else:
        message = str(error)
    _trace(error, debug)
    for line in message.splitlines():
        typer.echo(sanitize(line), err=True)
    return error.exit_code if isinstance(error, ZarebaError) else ZarebaError.exit_code


def report_bug(error: Exception, *, debug: bool) -> int:
    """Report an unexpected error and return the exit code."""
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
