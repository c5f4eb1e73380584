"""What installed packages bring, by entry points: rulesets, house rules, players, metrics, tables of reports and sheets, commands.

A package that is broken costs only what it brings: the rest goes on, and a line of warning names its distribution. What
packages bring is called `distribution:name`, and by the name alone while only one of them brings it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from zareba.base.errors import ZarebaError, unknown_name
from zareba.plugins import hooks
from zareba.plugins.content_digest import GROUPS
from zareba.scenario.load import GROUP as SCENARIOS
from zareba.scenario.load import scenario_packs

__all__ = [
    "PLUGINS",
    "RULESETS",
    "SCENARIOS",
    "Plugin",
    "broken_entry_points",
    "distribution_of",
    "entries",
    "find_by_name",
    "house_rule_files",
    "implemented",
    "installed_agents",
    "installed_commands",
    "installed_metrics",
    "installed_sections",
    "installed_sheets",
    "plugins",
    "provider_of",
    "warn",
]

RULESETS, PLUGINS, *_ = GROUPS

NAME_OF_COMMAND = re.compile(r"[a-z][a-z0-9-]*")

T = TypeVar("T")
_log = logging.getLogger("zareba")


@dataclass(frozen=True)
class Plugin:
    """An installed package, for listing, with what it brings by name. `error` says why it could not be loaded."""

    name: str
    group: str
    distribution: str
    version: str
    hooks: tuple[str, ...]
    house_rules: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    error: str = ""


def entries(group: str) -> list[EntryPoint]:
    """The entry points of a group, each once, in the order of their names."""
    ordered = sorted(entry_points(group=group), key=lambda entry: (entry.name, distribution_of(entry), entry.value))
    return list({(entry.name, entry.value): entry for entry in reversed(ordered)}.values())[::-1]


def distribution_of(entry: EntryPoint) -> str:
    """The distribution that an entry point belongs to, as it was installed; the entry's own name where none is known."""
    return entry.dist.name if entry.dist else entry.name


def implemented(module: Any) -> tuple[str, ...]:
    """The hooks that a module implements."""
    return tuple(
        spec
        for spec in sorted(dir(hooks))
        if spec.startswith("zareba_") and hasattr(getattr(module, spec, None), "zareba_impl")
    )


def plugins() -> list[Plugin]:
    """Every installed package of rulesets, house rules and the like, or scenarios, with its version and hooks."""
    found = []
    for group in (RULESETS, PLUGINS):
        for entry in entries(group):
            known = entry.name, group, distribution_of(entry), entry.dist.version if entry.dist else ""
            try:
                module = entry.load()
                rules = tuple(_name_of(path) for path in _files(module))
                commands = tuple(_given(module, "zareba_commands", ()))
                found.append(Plugin(*known, implemented(module), rules, commands=commands))
            except (Exception, SystemExit) as error:  # noqa: BLE001  # a broken package is listed, not fatal
                found.append(Plugin(*known, (), error=f"{type(error).__name__}: {error}"))
    for pack in scenario_packs():
        names = tuple(file.stem for file in pack.files)
        found.append(
            Plugin(pack.name, SCENARIOS, pack.distribution, pack.version, (), scenarios=names, error=pack.error)
        )
    return found


def house_rule_files() -> Mapping[str, Path]:
    """The house rules that installed packages ship, by name."""
    return _by_name("house rules", _files, lambda files: ((_name_of(file), file) for file in files))


@cache
def installed_agents() -> Mapping[str, Callable[..., Any]]:
    """The program players that installed packages bring, by name."""
    return _by_name("players", lambda module: dict(_given(module, "zareba_agents", {})), lambda given: given.items())


@cache
def installed_metrics() -> tuple[tuple[str, Any], ...]:
    """The metrics that installed packages bring, each after the distribution that brings it."""
    return _all_of("metrics", "zareba_metrics")


@cache
def installed_sections() -> tuple[tuple[str, Any], ...]:
    """The sections of reports that installed packages bring, each after the distribution that brings it."""
    return _all_of("report sections", "zareba_sections")


@cache
def installed_sheets() -> tuple[tuple[str, Any], ...]:
    """The tables of quick sheets that installed packages bring, each after the distribution that brings it."""
    return _all_of("sheets", "zareba_sheets")


@cache
def installed_commands() -> Mapping[str, tuple[str, Callable[..., Any]]]:
    """The commands that installed packages bring, by name, each with the distribution that brings it."""
    found: dict[str, tuple[str, Callable[..., Any]]] = {}
    for package, commands in _brought("commands", lambda module: dict(_given(module, "zareba_commands", {}))):
        for name, function in commands.items():
            if name in found:
                broken_entry_points(package, f"command '{name}'", f"'{found[name][0]}' brings one of this name")
            elif not callable(function) or not NAME_OF_COMMAND.fullmatch(name):
                broken_entry_points(
                    package, f"command '{name}'", "a command is a function under a name of small letters and '-'"
                )
            else:
                found[name] = package, function
    return found


def find_by_name(what: str, name: str, found: Mapping[str, T]) -> T:
    """What packages bring under a name; raises ZarebaError with the nearest name, or with those it may mean."""
    if name in found:
        return found[name]
    if several := [known for known in found if known.endswith(f":{name}")]:
        raise ZarebaError(f"there are several {what}s '{name}'; say which: {' or '.join(sorted(several))}")
    raise unknown_name(what, name, found)


def broken_entry_points(package: str, what: str, why: object) -> None:
    """Warn, once in a process, that something of a package is not to be had."""
    warn(f"the {what} of '{package}' are left out: {why}; mend or uninstall it ('zareba plugins' lists all)")


@cache
def warn(message: str) -> None:
    """Say it once in a process."""
    _log.warning(message)


def _files(module: ModuleType) -> list[Path]:
    return sorted(Path(path) for path in _given(module, "zareba_house_rules", ()))


def provider_of(path: Path) -> str:
    """The distribution with its version that ships a house rule file or folder; "" for a loose one."""
    for entry in entries(PLUGINS):
        try:
            if path in _files(entry.load()):
                return f"{distribution_of(entry)} {entry.dist.version if entry.dist else ''}".strip()
        except (Exception, SystemExit):  # noqa: BLE001  # a broken package ships nothing
            continue
    return ""


def _name_of(path: Path) -> str:
    """By what name a house rule of a package is known: that of its file, or of its folder."""
    return path.stem if path.suffix else path.name


def _given(module: ModuleType, hook: str, nothing: Any) -> Any:
    give = getattr(module, hook, None)
    return nothing if give is None else give()


def _brought(what: str, read: Callable[[ModuleType], T]) -> Iterator[tuple[str, T]]:
    """What each installed package gives, after the name of its distribution; a broken one is warned of."""
    for entry in entries(PLUGINS):
        package = distribution_of(entry)
        try:
            yield package, read(entry.load())
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a package does, it costs only itself
            broken_entry_points(package, what, f"{type(error).__name__}: {error}")


def _all_of(what: str, hook: str) -> tuple[tuple[str, Any], ...]:
    """All that packages give by a hook, each after the distribution that brings it."""
    given = _brought(what, lambda module: tuple(_given(module, hook, ())))
    return tuple((package, one) for package, found in given for one in found)


def _by_name(
    what: str, read: Callable[[ModuleType], Any], pairs: Callable[[Any], Iterable[tuple[str, T]]]
) -> dict[str, T]:
    """What packages bring by `distribution:name`, and by the name alone where it is one package's only."""
    whole: dict[str, T] = {}
    owners: dict[str, list[str]] = {}
    for package, given in _brought(what, read):
        for name, thing in pairs(given):
            if whole.setdefault(f"{package}:{name}", thing) is not thing:
                broken_entry_points(package, what, f"it has two called '{name}'")
                continue
            owners.setdefault(name, []).append(package)
    return whole | {name: whole[f"{one[0]}:{name}"] for name, one in owners.items() if len(one) == 1}
