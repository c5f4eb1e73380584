"""Wrong options and arguments of a command, each explained in one sentence instead of the wording of Typer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import typer

from zareba.base.errors import ZarebaError, nearest
from zareba.base.grammar import join_with_or

UsageError: Any = typer.BadParameter.__base__
"""The class of errors about the use of a command. Old versions of Typer take it from Click, new ones have their own."""

_CHOICES = re.compile(r"'(?P<value>.*)' is not one of (?P<choices>.*?)\.?$")
_NEEDED: Sequence[tuple[str, str]] = (
    (r"not in the range (\d+(?:\.\d+)?)<=x<=(\d+(?:\.\d+)?)", "{} to {}"),
    (r"greater than or equal to (\d+(?:\.\d+)?)|not in the range x>=(\d+(?:\.\d+)?)", "{} or more"),
    (r"less than or equal to (\d+(?:\.\d+)?)|not in the range x<=(\d+(?:\.\d+)?)", "{} or less"),
    (r"integer", "a whole number"),
    (r"number|float", "a number"),
)
"""The text of what an option needs, by a part of Typer's message. The first pattern that fits counts."""


def usage_sentence(error: Any, args: Sequence[str]) -> ZarebaError:
    """Return an error of Typer about these arguments of a command as one sentence.

    Typer does not say which value was wrong, so the sentence takes it from the arguments.
    """
    command = error.ctx.command_path if error.ctx is not None else "zareba"
    listed = f"'{command} --help' lists"
    option, param = getattr(error, "option_name", ""), getattr(error, "param", None)
    kind = type(error).__name__
    if kind == "NoSuchOption":
        params = error.ctx.command.params if error.ctx is not None else []
        known = [
            name.lstrip("-") for parameter in params if parameter.param_type_name == "option" for name in parameter.opts
        ]
        guess = nearest(option.lstrip("-"), known)
        hint = f"did you mean --{guess}?" if guess else f"{listed} them"
        return ZarebaError(f"{command} has no option {option}; {hint}")
    if kind == "MissingParameter" and param is not None:
        return ZarebaError(f"{command} needs {_name(param)}; {listed} what it takes")
    if kind == "BadOptionUsage":
        return ZarebaError(f"{option} {'takes no value' if 'does not take' in error.message else 'needs a value'}")
    if param is not None:
        return ZarebaError(_wrong_value(_name(param), error.message, _value(param, args)))
    extra = re.search(r"extra arguments?(?:\(s\))? \((.*)\)", error.format_message())
    if extra:
        return ZarebaError(f"{command} does not take '{extra[1]}'; {listed} what it takes")
    return ZarebaError(f"{command}: {error.format_message()}")


def _name(param: Any) -> str:
    """Return an option with its dashes, or an argument as the help shows it: `--seed`, `SCENARIO`."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return str(param.metavar or param.name.upper())


def _value(param: Any, args: Sequence[str]) -> str:
    """Return the last value of an option in the arguments; "" if it has none there."""
    found = ""
    for place, arg in enumerate(args):
        name, equals, value = arg.partition("=")
        if name in param.opts:
            found = value if equals else "".join(args[place + 1 : place + 2])
    return found


def _wrong_value(name: str, message: str, value: str) -> str:
    """Return a sentence about a value that an option or argument does not take."""
    choices = _CHOICES.search(message)
    if choices:
        known = join_with_or(re.findall(r"'([^']*)'", choices["choices"]))
        return f"{name} must be {known}, not '{choices['value']}'"
    for pattern, needed in _NEEDED:
        found = re.search(pattern, message)
        if found:
            limits = filter(None, found.groups())
            return f"{name} must be {needed.format(*limits)}" + (f", not '{value}'" if value else "")
    return f"{name}: {message}"
