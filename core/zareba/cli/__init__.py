"""The command line. Each command's module is imported only when the command runs, to keep startup fast."""

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
from zareba.cli.sanitize import sanitize, without_absurd_size
from zareba.cli.usage import UsageError, usage_sentence
from zareba.renamed import OPTIONS, RENAMED_COMMANDS, warn_renamed

__all__ = ["COMMANDS", "app", "command_function", "main"]


class _Command(NamedTuple):
    module: str
    summary: str


COMMANDS = {
    "play": _Command("play.play", "Play a scenario: people, AI players, or both."),
    "tutorial": _Command("play.tutorial", "Learn a ruleset and the prompt in ten minutes, on a small battle."),
    "games": _Command("play.journals", "List your saved games: scenario, ruleset, seats, progress and date."),
    "continue": _Command("play.play", "Continue the last unfinished game, or the one named."),
    "serve": _Command("play.serve", "Play in the browser, alone or with friends."),
    "companion": _Command("play.companion", "Keep the book of a battle with figures on a real table."),
    "replay": _Command("play.journals", "Replay a saved game from its journal and verify it."),
    "log": _Command("play.journals", "Print what happened in a saved game, step by step."),
    "odds": _Command("study.odds", "Show the odds of a shot, a morale check or another procedure."),
    "compare": _Command("study.compare", "Play many whole games under several rules and compare them."),
    "balance": _Command("study.balance", "Find what makes a battle even under a ruleset."),
    "sensitivity": _Command("study.sensitivity", "Rank the numbers of a ruleset by how much they matter."),
    "tournament": _Command("study.tournament", "Play AI players against each other and rate them."),
    "tactics": _Command("study.tactics", "Test an AI player on tactical positions."),
    "rulesets": _Command("author.rulesets", "List the installed rulesets."),
    "rules": _Command("author.rulesets", "List the rules of a ruleset, show one of them, or search their text."),
    "settings": _Command("author.rulesets", "List the settings of a ruleset."),
    "explain": _Command("author.explain", "Show a value of a ruleset and where it comes from."),
    "scenarios": _Command("author.scenarios", "List the scenarios of zareba and of installed plugins."),
    "briefing": _Command("play.roster", "Show the briefing of a battle."),
    "sheet": _Command(
        "play.roster", "Show or print a quick sheet of a ruleset: sequence of play, modifiers and charts."
    ),
    "roster": _Command("play.roster", "Show or print the roster of a scenario, figure by figure."),
    "check": _Command("author.check", "Check scenarios, house rules and rulesets for errors."),
    "plugins": _Command("author.plugins", "List the installed plugins: rulesets, house rules, scenarios and more."),
    "hooks": _Command(
        "author.hooks",
        "List what a house rule can use: hooks, steps, procedures, tallies, questions, actions, events, marks, fields.",
    ),
    "generate": _Command(
        "author.scenarios", "Generate a roughly balanced battle from a seed: terrain, forces and objectives."
    ),
    "new": _Command("author.new", "Create a house rule, a scenario, an evening or a ruleset of your own."),
}


def command_function(name: str) -> Any:
    """Return the function of a command. If the command's name is a Python keyword, the function's name ends in an
    underscore.
    """
    module = import_module(f"zareba.cli.{COMMANDS[name].module}")
    return getattr(module, f"{name}_" if iskeyword(name) else name)


def brought_commands() -> Mapping[str, Callable[..., Any]]:
    """Return the commands of installed plugins by name. Errors in a plugin's command name its package."""
    from zareba.plugins.entry_points import broken_entry_points, installed_commands

    found = {}
    for name, (package, function) in installed_commands().items():
        if name in COMMANDS:
            broken_entry_points(package, f"command '{name}'", "zareba has a command with this name")
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
    """The commands of `COMMANDS` and of installed plugins. Each is built from its function on first use."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in RENAMED_COMMANDS:
            warn_renamed(cmd_name, RENAMED_COMMANDS[cmd_name])
            cmd_name = RENAMED_COMMANDS[cmd_name]
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
        return _without_argument_types(typer.main.get_command(single))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items()])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # --debug is an option of zareba itself, but people add it after the command that failed.
        if "--debug" in args:
            args = ["--debug", *(arg for arg in args if arg != "--debug")]
        self._args = args = [_todays_option(arg, args) for arg in args]
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            raise self._exit_for(error) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise self._exit_for(error) from None
        except (ZarebaError, OSError) as error:
            raise typer.Exit(report(error, debug=ctx.params["debug"])) from error
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None

    def _exit_for(self, error: Any) -> Exception:
        """Report a wrong option or argument, and return the exception that ends the program."""
        if type(error).__name__ == "NoArgsIsHelpError":  # not a mistake: Typer prints the help
            return error  # type: ignore[no-any-return]
        return typer.Exit(report(usage_sentence(error, self._args), debug=False))


def _without_argument_types(command: Any) -> Any:
    """Return a command whose help shows `SCENARIO` where new versions of Typer would show `SCENARIO <str>`."""
    for param in command.params:
        if param.param_type_name == "argument" and hasattr(param, "display_type_rich"):
            param.display_type_rich = lambda ctx: None
    return command


def _todays_option(arg: str, args: list[str]) -> str:
    """Return an argument with today's name of its option, with a warning if the name has changed."""
    name, equals, value = arg.partition("=")
    for command, renamed in OPTIONS.items():
        if name in renamed and command in args:
            warn_renamed(f"{command} {name}", renamed[name])
            return f"{renamed[name]}{equals}{value}"
    return arg


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

    A first game: zareba tutorial, or zareba serve for the browser. A battle against an AI player:
    zareba play patrol_clash --ruleset vcc --seat tribesmen=doctrine

    House rules: zareba new house-rule NAME, zareba hooks RULESET, and the ten-minute tutorial
    docs/tutorial/first_house_rule.md.

    Installed plugins may add more commands: zareba plugins
    """


class _Told(logging.Handler):
    """Prints warnings of the engine, such as those about broken plugins."""

    def emit(self, record: logging.LogRecord) -> None:
        print(sanitize(f"Warning: {record.getMessage()}"), file=sys.stderr)


_log = logging.getLogger("zareba")
_log.addHandler(_Told())
_log.propagate = False


def main() -> None:
    """Run the command line. This is the console script `zareba`."""
    _open_closed_streams()
    sane = without_absurd_size(os.environ)
    for name in os.environ.keys() - sane.keys():
        del os.environ[name]
    os.environ.update(sane)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a symbol shows a question mark instead of failing.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # both are text files here
    try:
        app()
    except Exception as error:  # noqa: BLE001  # last resort: an internal error never ends in a bare traceback
        sys.exit(report_bug(error, debug="--debug" in sys.argv))


def _open_closed_streams() -> None:
    """Replace closed standard streams with the null device; otherwise the next file to be opened would take their
    place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
