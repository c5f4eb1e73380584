"""Load the extensions of installed packages by entry point: rulesets, house rules, AI players, metrics, tables,
commands.

A broken package loses only its own extensions: everything else works, and a warning names the distribution. An
extension is called `distribution:name`, or just `name` if only one package has one of that name.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.installed import GROUPS, entry_points
from zareba.plugins import hook_specs
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
    "implemented_hooks",
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
    """An installed package and the names of its extensions, for listing. `error` says why it could not be loaded."""

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
    """Return the entry points of a group, without duplicates, sorted by name."""
    found = entry_points(group=group)
    counts = Counter(entry.name for entry in found)  # the name of a distribution is in a file that takes long to read

    def order(entry: EntryPoint) -> tuple[str, str, str]:
        return entry.name, distribution_of(entry) if counts[entry.name] > 1 else "", entry.value

    ordered = sorted(found, key=order)
    return list({(entry.name, entry.value): entry for entry in reversed(ordered)}.values())[::-1]


def distribution_of(entry: EntryPoint) -> str:
    """Return the name of the distribution of an entry point, or the entry's own name if it is unknown."""
    return entry.dist.name if entry.dist else entry.name


def implemented_hooks(module: Any) -> tuple[str, ...]:
    """Return the names of the hooks that a module implements."""
    return tuple(
        spec
        for spec in sorted(dir(hook_specs))
        if spec.startswith("zareba_") and hasattr(getattr(module, spec, None), "zareba_impl")
    )


def plugins() -> list[Plugin]:
    """Return all installed packages of rulesets, house rules or scenarios, with their versions and hooks."""
    packages = []
    for group in (RULESETS, PLUGINS):
        for entry in entries(group):
            known = entry.name, group, distribution_of(entry), entry.dist.version if entry.dist else ""
            try:
                module = entry.load()
                rules = tuple(_name_of(path) for path in _files(module))
                commands = tuple(_result_of(module, "zareba_commands", ()))
                packages.append(Plugin(*known, implemented_hooks(module), rules, commands=commands))
            except (Exception, SystemExit) as error:  # noqa: BLE001  # list a broken package instead of failing
                packages.append(Plugin(*known, (), error=f"{type(error).__name__}: {error}"))
    for pack in scenario_packs():
        names = tuple(file.stem for file in pack.files)
        packages.append(
            Plugin(pack.name, SCENARIOS, pack.distribution, pack.version, (), scenarios=names, error=pack.error)
        )
    return packages


def house_rule_files() -> Mapping[str, Path]:
    """Return the house rules of installed packages, by name."""
    return _by_name("house rules", _files, lambda files: ((_name_of(file), file) for file in files))


@cache
def installed_agents() -> Mapping[str, Callable[..., Any]]:
    """Return the AI players of installed packages, by name."""
    return _by_name(
        "players", lambda module: dict(_result_of(module, "zareba_agents", {})), lambda given: given.items()
    )


@cache
def installed_metrics() -> tuple[tuple[str, Any], ...]:
    """Return the metrics of installed packages, each as (distribution, metric)."""
    return _collect("metrics", "zareba_metrics")


@cache
def installed_sections() -> tuple[tuple[str, Any], ...]:
    """Return the report sections of installed packages, each as (distribution, section)."""
    return _collect("report sections", "zareba_sections")


@cache
def installed_sheets() -> tuple[tuple[str, Any], ...]:
    """Return the quick-sheet tables of installed packages, each as (distribution, table)."""
    return _collect("sheets", "zareba_sheets")


@cache
def installed_commands() -> Mapping[str, tuple[str, Callable[..., Any]]]:
    """Return the commands of installed packages, by name, each as (distribution, function)."""
    functions: dict[str, tuple[str, Callable[..., Any]]] = {}
    for package, commands in _read_packages("commands", lambda module: dict(_result_of(module, "zareba_commands", {}))):
        for name, function in commands.items():
            if name in functions:
                broken_entry_points(
                    package, f"command '{name}'", f"'{functions[name][0]}' already has a command of this name"
                )
            elif not callable(function) or not NAME_OF_COMMAND.fullmatch(name):
                broken_entry_points(
                    package,
                    f"command '{name}'",
                    "a command must be a function whose name has only lower-case letters, digits and '-'",
                )
            else:
                functions[name] = package, function
    return functions


def find_by_name(what: str, name: str, extensions: Mapping[str, T]) -> T:
    """Return the extension with a name; raise ZarebaError with the most similar name, or with the full names if it is
    ambiguous.
    """
    if name in extensions:
        return extensions[name]
    if several := [known for known in extensions if known.endswith(f":{name}")]:
        raise ZarebaError(f"there are several {what}s '{name}'; say which: {' or '.join(sorted(several))}")
    raise unknown_name(what, name, extensions)


def broken_entry_points(package: str, what: str, why: object) -> None:
    """Warn, once per process, that an extension of a package is not available."""
    warn(f"the {what} of '{package}' are left out: {why}; fix or uninstall it ('zareba plugins' lists all)")


@cache
def warn(message: str) -> None:
    """Log a warning once per process."""
    _log.warning(message)


def _files(module: ModuleType) -> list[Path]:
    return sorted(Path(path) for path in _result_of(module, "zareba_house_rules", ()))


def provider_of(path: Path) -> str:
    """Return the distribution, with its version, that ships a house rule file or folder; "" for a loose one."""
    for entry in entries(PLUGINS):
        try:
            if path in _files(entry.load()):
                return f"{distribution_of(entry)} {entry.dist.version if entry.dist else ''}".strip()
        except (Exception, SystemExit):  # noqa: BLE001  # ignore a broken package
            continue
    return ""


def _name_of(path: Path) -> str:
    """Return the name of a house rule of a package: that of its file without the suffix, or of its folder."""
    return path.stem if path.suffix else path.name


def _result_of(module: ModuleType, hook: str, default: Any) -> Any:
    function = getattr(module, hook, None)
    return default if function is None else function()


def _read_packages(what: str, read: Callable[[ModuleType], T]) -> Iterator[tuple[str, T]]:
    """Yield what `read` returns for each installed package, after the name of its distribution; warn about broken
    packages.
    """
    for entry in entries(PLUGINS):
        package = distribution_of(entry)
        try:
            yield package, read(entry.load())
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a broken package loses only its own extensions
            broken_entry_points(package, what, f"{type(error).__name__}: {error}")


def _collect(what: str, hook: str) -> tuple[tuple[str, Any], ...]:
    """Return everything that packages provide through a hook, each after the name of its distribution."""
    packages = _read_packages(what, lambda module: tuple(_result_of(module, hook, ())))
    return tuple((package, extension) for package, extensions in packages for extension in extensions)


def _by_name(
    what: str, read: Callable[[ModuleType], Any], pairs: Callable[[Any], Iterable[tuple[str, T]]]
) -> dict[str, T]:
    """Return the extensions of packages by `distribution:name`, and by `name` alone if only one package has it."""
    by_full_name: dict[str, T] = {}
    packages_with: dict[str, list[str]] = {}
    for package, result in _read_packages(what, read):
        for name, extension in pairs(result):
            if by_full_name.setdefault(f"{package}:{name}", extension) is not extension:
                broken_entry_points(package, what, f"it has two called '{name}'")
                continue
            packages_with.setdefault(name, []).append(package)
    unique = {name: packages[0] for name, packages in packages_with.items() if len(packages) == 1}
    return by_full_name | {name: by_full_name[f"{package}:{name}"] for name, package in unique.items()}
