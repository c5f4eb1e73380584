"""The command line. A command's module, and all that it needs, is imported when that command runs and not before."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from keyword import iskeyword
from traceback import walk_tb
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from zareba.base.errors import ZarebaError, unknown_name
from zareba.cli.errors import INTERRUPTED, report, report_bug
from zareba.cli.plain import clean, without_absurd_size

__all__ = ["COMMANDS", "app", "command_function", "main"]


class _Command(NamedTuple):
    module: str
    summary: str


COMMANDS = {
    "play": _Command("play.play", "Play a scenario: people, programs, or both."),
    "tutorial": _Command("play.tutorial", "Learn a system and the prompt in ten minutes, on a small battle."),
    "games": _Command(
        "play.games", "List the games that are kept: scenario, system, seats, how far they have come, and when."
    ),
    "continue": _Command("play.games", "Go on with the last game that is not over, or with the one named."),
    "resume": _Command("play.play", "Go on with a game from its journal."),
    "serve": _Command("play.serve", "Serve the table to browsers."),
    "replay": _Command("play.journals", "Play a journal again and verify it."),
    "log": _Command("play.journals", "Tell what happened in a journal, step by step."),
    "odds": _Command("study.odds", "Give the exact odds of a procedure in a situation."),
    "compare": _Command("study.compare", "Play many whole games under several rules and compare them."),
    "balance": _Command("study.balance", "Find what makes a battle even under a system."),
    "sensitivity": _Command("study.sensitivity", "Rank the numbers of a ruleset by how much they matter."),
    "tournament": _Command("study.tournament", "Have commanders play each against each, and rate them."),
    "rulesets": _Command("author.rulesets", "List the installed rulesets."),
    "rules": _Command("author.rulesets", "List the rules of a ruleset, or show one of them."),
    "settings": _Command("author.rulesets", "List the settings of a ruleset."),
    "explain": _Command("author.explain", "Show a value of a ruleset and where it comes from."),
    "scenarios": _Command(
        "author.scenarios", "List the scenarios that come with zareba, and those of installed packages."
    ),
    "briefing": _Command("play.briefing", "Tell what a battle is about."),
    "sheet": _Command("play.sheet", "Show or print a quick sheet of a ruleset: sequence, sums and tables."),
    "roster": _Command("play.roster", "Show or print who fights in a scenario, figure by figure."),
    "check": _Command("author.check", "Check scenarios, house rules and rulesets for faults."),
    "plugins": _Command("author.plugins", "List the installed packages of rulesets, house rules, scenarios and more."),
    "hooks": _Command(
        "author.hooks", "List what a house rule can reach: hooks, steps, procedures, tallies, questions, events, marks."
    ),
    "generate": _Command("author.generate", "Make a battle from a seed: ground, forces, aims, roughly balanced."),
    "new": _Command("author.new", "Begin a house rule, a scenario, an evening or a ruleset of your own."),
}


def command_function(name: str) -> Any:
    """The function of a command; one whose name is a word of Python has an underscore behind it."""
    module = import_module(f"zareba.cli.{COMMANDS[name].module}")
    return getattr(module, f"{name}_" if iskeyword(name) else name)


def brought_commands() -> Mapping[str, Callable[..., Any]]:
    """The commands of installed packages by name; what goes wrong in one is blamed on its package."""
    from zareba.plugins.brought import installed_commands, left_out

    found = {}
    for name, (package, function) in installed_commands().items():
        if name in COMMANDS:
            left_out(package, f"command '{name}'", "zareba has one of this name")
        else:
            found[name] = _blamed(name, package, function)
    return found


def _blamed(name: str, package: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (ZarebaError, OSError, typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:
            *_, (frame, line) = walk_tb(error.__traceback__)
            place = f"{frame.f_code.co_filename}:{line}"
            raise ZarebaError(
                f"the command '{name}' of the package '{package}' failed ({place}): {type(error).__name__}: {error}"
            ) from error

    return command


class _Commands(TyperGroup):
    """The commands of the table above, and those of installed packages; each is built from the function of its name when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS:
            function = command_function(cmd_name)
        elif cmd_name in (brought := brought_commands()):
            function = brought[cmd_name]
        elif ctx.resilient_parsing:
            return None
        else:
            raise unknown_name("command", cmd_name, [*COMMANDS, *brought])
        single = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=_CONTEXT)
        single.command(cmd_name)(function)
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items()])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # --debug belongs to zareba itself, and people write it behind the command that failed.
        if "--debug" in args:
            args = ["--debug", *(arg for arg in args if arg != "--debug")]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (ZarebaError, OSError) as error:
            raise typer.Exit(report(error, debug=ctx.params["debug"])) from error
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None


_CONTEXT = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="zareba",
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_CONTEXT,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"zareba {version('zareba')}")
        raise typer.Exit


@app.callback()
def _zareba(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Colonial-era miniature skirmish games under several rule systems.

    Begin with: zareba play patrol_clash --ruleset vcc --seat tribesmen=doctrine

    House rules: zareba new house-rule NAME, zareba hooks RULESET, and docs/tutorial/first_house_rule.md in ten minutes.

    Installed packages may bring more commands: zareba plugins
    """


class _Told(logging.Handler):
    """Says what the engine warns of, as of a package that is broken."""

    def emit(self, record: logging.LogRecord) -> None:
        print(clean(f"Warning: {record.getMessage()}"), file=sys.stderr)


_log = logging.getLogger("zareba")
_log.addHandler(_Told())
_log.propagate = False


def main() -> None:
    """Run the command line; the console script `zareba`."""
    _open_closed_streams()
    sane = without_absurd_size(os.environ)
    for name in os.environ.keys() - sane.keys():
        del os.environ[name]
    os.environ.update(sane)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a symbol gets a question mark, not an error.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # both are text files here
    try:
        app()
    except Exception as error:  # noqa: BLE001  # the last resort: no fault of ours ends in a bare traceback
        sys.exit(report_bug(error, debug="--debug" in sys.argv))


def _open_closed_streams() -> None:
    """Have silence where a standard stream is closed; the next file to be opened would take its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
