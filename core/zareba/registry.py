"""Finding rulesets and house rules, and resolving the rules of a session.

Rulesets come from the entry points `zareba.rulesets`, house rules from `zareba.plugins` or from loose files. There is
no global plugin manager: each session has its own, in the order in which the session lists its house rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points, version
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy
from pydantic import ValidationError

from zareba import hooks
from zareba.errors import FileError, Problem, ZarebaError, first_misfit, nearest, unknown_name
from zareba.journal import RulePlayed
from zareba.rules.lines import read_book, unsound_lines
from zareba.rules.patch import Patch, Source, apply_patches, change_below, change_of, load_patch
from zareba.rules.references import dangling
from zareba.rules.resolved import HookFunction, Rules, add_modifiers, compile_tallies, nest_wraps
from zareba.rules.returned import returned_kind
from zareba.rules.schema import RulesetFile
from zareba.rules.settings import read_settings
from zareba.ruleset import Ruleset
from zareba.state import digest
from zareba.yamlfile import Document, KeyPath, misfits, read_yaml

__all__ = [
    "ChangesNothing",
    "HouseRule",
    "NotAtHand",
    "Plugin",
    "find_house_rule",
    "house_rules_played",
    "installed_agents",
    "installed_metrics",
    "load_rules",
    "plugins",
    "rules_from_record",
    "ruleset",
    "ruleset_names",
]

RULESETS = "zareba.rulesets"
PLUGINS = "zareba.plugins"
PER_RULESET = ("zareba_modifiers", "zareba_procedures", "zareba_steps", "zareba_policy")
"""The hooks that are asked once for each ruleset, and may have nothing for it."""


class ChangesNothing(ZarebaError):
    """A Python house rule has nothing for the ruleset with which it was asked for."""


class NotAtHand(ZarebaError):
    """A game was played with a Python house rule that is not installed, and whose file nobody named."""


@dataclass(frozen=True)
class HouseRule:
    """A house rule of a session: a patch, or a Python module with hook functions. `text` is its content."""

    name: str
    file: Path
    text: str
    patch: Patch | None = None
    module: ModuleType | None = None


@dataclass(frozen=True)
class Plugin:
    """An installed package of rulesets or house rules, for listing. `error` says why it could not be loaded."""

    name: str
    group: str
    distribution: str
    version: str
    hooks: tuple[str, ...]
    house_rules: tuple[str, ...] = ()
    error: str = ""


def _manager() -> pluggy.PluginManager:
    manager = pluggy.PluginManager("zareba")
    manager.add_hookspecs(hooks)
    return manager


def _entries(group: str) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value)):
        other = found.setdefault(entry.name, entry)
        if other.value != entry.value:
            raise ZarebaError(
                f"two installed packages both provide '{entry.name}' ({other.value} and {entry.value}); uninstall one"
            )
    return found


def ruleset_names() -> list[str]:
    """The ids of all installed rulesets."""
    return sorted(_entries(RULESETS))


@cache
def ruleset(name: str) -> Ruleset:
    """The installed ruleset called `name`; raises ZarebaError with the nearest name."""
    entries = _entries(RULESETS)
    if name not in entries:
        raise unknown_name("ruleset", name, entries)
    manager = _manager()
    try:
        manager.register(entries[name].load(), name)
        found = manager.hook.zareba_ruleset()
    except (Exception, SystemExit) as error:
        raise ZarebaError(
            f"the ruleset '{name}' ({entries[name].value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    _check(manager, name, entries[name].value)
    if not isinstance(found, Ruleset):
        raise ZarebaError(f"the package of '{name}' ({entries[name].value}) implements no zareba_ruleset hook")
    return found


def _check(manager: pluggy.PluginManager, name: str, file: str) -> None:
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        known = [spec for spec in dir(hooks) if spec.startswith("zareba_")]
        wrong = str(error).split("'")[1] if "'" in str(error) else ""
        guess = nearest(wrong, known)
        hint = f"; did you mean '{guess}'?" if guess else ""
        raise ZarebaError(f"'{name}' ({file}) implements a hook that does not exist: {wrong or error}{hint}") from error


def _implemented(module: Any) -> tuple[str, ...]:
    return tuple(
        spec
        for spec in sorted(dir(hooks))
        if spec.startswith("zareba_") and hasattr(getattr(module, spec, None), "zareba_impl")
    )


def plugins() -> list[Plugin]:
    """Every installed ruleset and house rule package with its version and hooks."""
    found = []
    for group in (RULESETS, PLUGINS):
        for name, entry in _entries(group).items():
            dist = entry.dist
            known = (dist.name, dist.version) if dist else ("", "")
            try:
                module = entry.load()
                shipped = tuple(path.stem for path in _shipped(module))
                found.append(Plugin(name, group, *known, _implemented(module), shipped))
            except (Exception, SystemExit) as error:  # noqa: BLE001  # a broken package is listed, not fatal
                found.append(Plugin(name, group, *known, (), error=f"{type(error).__name__}: {error}"))
    return found


def _shipped(module: ModuleType) -> list[Path]:
    give = getattr(module, "zareba_house_rules", None)
    return sorted(Path(path) for path in give()) if give is not None else []


def house_rule_files() -> dict[str, Path]:
    """The house rules that installed packages ship, by name; raises ZarebaError naming a package that is broken."""
    found: dict[str, Path] = {}
    for name, entry in _entries(PLUGINS).items():
        try:
            files = _shipped(entry.load())
        except (Exception, SystemExit) as error:
            raise ZarebaError(
                f"the house rules of '{name}' ({entry.value}) cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        for file in files:
            other = found.setdefault(file.stem, file)
            if other != file:
                raise ZarebaError(f"there are two house rules '{file.stem}': {other} and {file}; rename or remove one")
    return found


@cache
def installed_agents() -> dict[str, Callable[..., Any]]:
    """The program players that installed packages bring, by name; raises ZarebaError naming a package that is broken."""
    found: dict[str, Callable[..., Any]] = {}
    for agents in _brought("zareba_agents", "players", dict):
        if twice := next((agent for agent in agents if agent in found), None):
            raise ZarebaError(f"two installed packages bring a player called '{twice}'; uninstall one")
        found.update(agents)
    return found


@cache
def installed_metrics() -> tuple[Any, ...]:
    """The metrics that installed packages bring; raises ZarebaError naming a package that is broken."""
    return tuple(metric for metrics in _brought("zareba_metrics", "metrics", tuple) for metric in metrics)


def _brought(hook: str, what: str, read: Callable[[Any], Any]) -> Iterator[Any]:
    """What each installed package gives for a hook, read into a collection; a package that is broken is named."""
    for name, entry in _entries(PLUGINS).items():
        try:
            give = getattr(entry.load(), hook, None)
            given = read(give()) if give is not None else None
        except (Exception, SystemExit) as error:
            raise ZarebaError(
                f"the {what} of '{name}' ({entry.value}) cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        if given is not None:
            yield given


def find_house_rule(name_or_path: str) -> HouseRule:
    """Load a house rule by the name of an installed one or by the path of a `.yaml` or `.py` file; the latter is run."""
    path = Path(name_or_path)
    if path.suffix not in (".yaml", ".yml", ".py"):
        installed = house_rule_files()
        if name_or_path not in installed:
            error = unknown_name("house rule", name_or_path, installed)
            raise ZarebaError(f"{error} (a loose one is given by its path, ending in .yaml or .py)")
        path = installed[name_or_path]
    if not path.is_file():
        raise ZarebaError(f"there is no house rule file {path}; give a path, or a name from 'zareba plugins'")
    if path.suffix == ".py":
        return _load_module(path, _source(path))
    patch = load_patch(path)
    return HouseRule(patch.name, path, path.read_text(encoding="utf-8"), patch=patch)


def house_rules_played(played: Sequence[RulePlayed], named: Sequence[Path] = ()) -> list[HouseRule]:
    """The Python house rules of an old game: from the files that a person `named`, else from installed packages.

    A journal vouches for a text, never for a file: what it says of files is not looked at, and a text other than the one
    that was played is refused before any of it runs. Raises NotAtHand for a rule that is in none of those places.
    """
    wanted = [rule for rule in played if rule.python]
    sources: dict[str, tuple[Path, str]] = {}
    for path in named:
        text = _source(path)
        if digest(text) not in [rule.digest for rule in wanted]:
            if any(rule.name == path.stem for rule in wanted):
                raise ZarebaError(
                    f"the house rule '{path.stem}' ({path}) has changed since this game was played; "
                    "put the old file back to go on with it"
                )
            raise ZarebaError(f"this game was not played with {path}; name only the house rules in Python that it has")
        sources[digest(text)] = path, text
    if any(rule.digest not in sources for rule in wanted):
        installed = [path for path in house_rule_files().values() if path.suffix == ".py"]
        texts = [(path, _source(path)) for path in installed]
        sources = {digest(text): (path, text) for path, text in texts} | sources
    for rule in wanted:
        if rule.digest not in sources:
            other = next((path for path, _ in sources.values() if path.stem == rule.name), None)
            raise NotAtHand(
                f"this game was played with the house rule '{rule.name}' in Python, and a journal cannot have a file run; "
                f"name its file with --house-rule{f' (what is installed as {other} has another text)' if other else ''}"
            )
    return [_load_module(*sources[rule.digest]) for rule in wanted]


def _source(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ZarebaError(f"house rule '{path.stem}' ({path}) is not UTF-8 text; save it as UTF-8") from error
    except OSError as error:
        raise ZarebaError(f"house rule '{path.stem}' ({path}) cannot be read: {error.strerror}") from error


def _load_module(path: Path, text: str) -> HouseRule:
    """Run a house rule: the very text that was read, not what a cache or another process has put in its place."""
    module = ModuleType(f"zareba_house_rule_{digest([str(path), text])[:12]}_{path.stem}")
    module.__file__ = str(path.resolve())
    sys.modules[module.__name__] = module  # where dataclasses and postponed annotations look for their names
    try:
        exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        raise ZarebaError(
            f"house rule '{path.stem}' ({path}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    return HouseRule(path.stem, path, text, module=module)


@cache
def _document(folder: Path) -> Document:
    return read_yaml(folder / "ruleset.yaml")


def load_rules(
    name: str,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[HouseRule] = (),
) -> Rules:
    """Resolve a ruleset with its house rules, in order, and its settings (which win over those of house rules).

    Raises ZarebaError or FileError when any of them is wrong; nothing is half-applied.
    """
    definition = ruleset(name)
    document = _document(definition.folder)
    names = [rule.name for rule in house_rules]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ZarebaError(f"the house rule '{twice}' is listed twice; keep one")
    patches = [rule.patch for rule in house_rules if rule.patch is not None]
    for patch in patches:
        if patch.ruleset != name:
            at = patch.document.error(("ruleset",), f"house rule '{patch.name}' is for {patch.ruleset}, not for {name}")
            raise FileError([at])
    patched, problems = _patched_settings(document.validate(definition.file), patches, name)
    try:
        data, changed = apply_patches(document.data, patches)
    except FileError as error:
        raise FileError([*error.problems, *problems]) from None
    if problems:
        raise FileError(problems)
    book = _validated(definition, document, data, changed)
    given = patched | dict(settings or {})
    values = read_settings(book.settings, given, name)

    def source(path: KeyPath) -> str:
        source = change_of(changed, path) or change_below(changed, path)
        return f"{name}/ruleset.yaml:{document.place(path)[0]}" if source is None else str(source)

    rules = Rules(
        ruleset=definition,
        book=book,
        data=data,
        settings=values,
        sources=changed,
        house_rules=tuple(rule.name for rule in house_rules),
        digest=digest([data, values, [rule.text for rule in house_rules]]),
        tallies=compile_tallies(book, values, source),
    )
    modules = [rule for rule in house_rules if rule.module is not None]
    active = _collect_hooks(rules, modules)
    for rule in modules:
        if rule.name not in active:
            raise ChangesNothing(f"house rule '{rule.name}' ({rule.file}) changes nothing of {name}; leave it out")
    return rules


def rules_from_record(
    name: str,
    data: dict[str, Any],
    settings: dict[str, Any],
    house_rules: Sequence[HouseRule],
    listed: tuple[str, ...],
) -> Rules:
    """The rules of an old session as its journal holds them: `data` after all patches, every setting, Python house rules.

    `listed` are the names of all its house rules. Raises ZarebaError when this version cannot read such data.
    """
    definition = ruleset(name)
    try:
        book = definition.file.model_validate(data)
    except ValidationError as error:
        raise ZarebaError(
            f"the journal's rules of {name} do not fit this version of zareba; {first_misfit(error)}"
        ) from error
    settings = read_settings(book.settings, settings, name)
    rules = Rules(
        ruleset=definition,
        book=book,
        data=data,
        settings=settings,
        sources={},
        house_rules=listed,
        digest=digest([data, settings, [rule.text for rule in house_rules]]),
        tallies=compile_tallies(book, settings, lambda path: f"journal: {'.'.join(map(str, path))}"),
    )
    _collect_hooks(rules, house_rules)
    return rules


def _validated(
    definition: Ruleset, document: Document, data: dict[str, Any], changed: Mapping[KeyPath, Source]
) -> RulesetFile:
    """The book of the patched data; raises FileError that blames the changes behind whatever does not fit."""
    if not changed:
        return read_book(document, definition.file, definition.facts)
    try:
        book = definition.file.model_validate(data)
    except ValidationError as error:
        wrong = misfits(definition.file, data, error)
        raise FileError([_blamed(changed, path, message) for path, message in wrong]) from error
    unsound = [*dangling(book), *unsound_lines(book, definition.facts)]
    if faults := [_blamed(changed, found.path, found.message, found.missing) for found in unsound]:
        raise FileError(faults)
    return book


def _blamed(changed: Mapping[KeyPath, Source], path: KeyPath, message: str, missing: Sequence[KeyPath] = ()) -> Problem:
    """A fault at `path`, blamed on the change of it, of something in it, or of one of the `missing` paths.

    On the first of all if on none: the fault lies between things that stand apart.
    """
    suspects = (change(changed, suspect) for suspect in (path, *missing) for change in (change_of, change_below))
    source = next((source for source in suspects if source is not None), next(iter(changed.values())))
    return Problem(source.file, source.line, source.column, "", f"{'.'.join(map(str, path))}: {message}")


def _patched_settings(book: RulesetFile, patches: Sequence[Patch], name: str) -> tuple[dict[str, Any], list[Problem]]:
    """The settings that house rules make, and what is wrong with them."""
    given: dict[str, Any] = {}
    problems: list[Problem] = []
    for patch in patches:
        for setting, (value, index) in patch.settings.items():
            try:
                read_settings(book.settings, {setting: value}, name)
            except ZarebaError as error:
                problems.append(patch.document.error(("changes", index, "set"), str(error)))
            given[setting] = value
    return given, problems


def _refuse_rank(manager: pluggy.PluginManager, rule: HouseRule) -> None:
    """A house rule cannot move itself before or around others: the order is the session's (`zareba.hooks`)."""
    for caller in manager.get_hookcallers(rule.module) or ():
        for one in caller.get_hookimpls():
            for asked in ("wrapper", "hookwrapper", "tryfirst", "trylast"):
                if one.plugin is rule.module and getattr(one, asked):
                    raise ZarebaError(
                        f"house rule '{rule.name}' ({rule.file}): {caller.name} is marked {asked}=True; house rules act in "
                        "the order in which the session lists them, and around a rule by a wrap of its procedure or step "
                        "(zareba_procedures, zareba_steps); write @zareba.hookimpl without it"
                    )


def _collect_hooks(rules: Rules, house_rules: Sequence[HouseRule]) -> set[str]:
    """Hang what house rules do into the rules; the names of those that do anything."""
    manager = _manager()
    by_plugin: dict[Any, HouseRule] = {}
    for rule in house_rules:
        try:
            manager.register(rule.module, rule.name)
        except (pluggy.PluginValidationError, ValueError) as error:
            raise ZarebaError(f"house rule '{rule.name}' ({rule.file}): {' '.join(str(error).split())}") from error
        _check(manager, rule.name, str(rule.file))
        if not _implemented(rule.module):
            raise ZarebaError(
                f"house rule '{rule.name}' ({rule.file}) implements no hook; mark its functions with @zareba.hookimpl"
            )
        _refuse_rank(manager, rule)
        by_plugin[rule.module] = rule

    def functions(hook: str) -> list[HookFunction]:
        found = []
        order = [rule.module for rule in house_rules]
        implementations = getattr(manager.hook, hook).get_hookimpls()
        for implementation in sorted(implementations, key=lambda impl: order.index(impl.plugin)):
            rule = by_plugin[implementation.plugin]
            found.append(
                HookFunction(hook, rule.name, str(rule.file), implementation.function, tuple(implementation.argnames))
            )
        return found

    name = rules.ruleset.id
    given = {kind: [(hook, hook(ruleset=name)) for hook in functions(kind)] for kind in PER_RULESET}
    for hook, modifiers in given["zareba_modifiers"]:
        rules.tallies = add_modifiers(rules.tallies, hook, modifiers)
    known = rules.ruleset.wrappable if given["zareba_procedures"] else {}
    rules.wraps = nest_wraps(given["zareba_procedures"], {wrapped: returned_kind(known[wrapped]) for wrapped in known})
    for hook, wraps in given["zareba_procedures"]:
        for wrapped in wraps:
            if wrapped not in known:
                raise hook.blame(unknown_name(f"procedure of {name} called", wrapped, known))
    rules.step_wraps = nest_wraps(given["zareba_steps"])
    rules.step_hooks = {step: hook for hook, wraps in given["zareba_steps"] for step in wraps}
    for hook, make in given["zareba_policy"]:
        if make is not None:
            if rules.policy_hook is not None:
                other = rules.policy_hook[0].house_rule
                raise ZarebaError(
                    f"the house rules '{other}' and '{hook.house_rule}' both bring an activation policy; keep one"
                )
            if not callable(make):
                raise hook.blame(TypeError(f"it gave {make!r}, which makes no policy"))
            rules.policy_hook = hook, make
    rules.option_hooks = tuple(functions("zareba_options"))
    rules.event_hooks = tuple(functions("zareba_event"))
    return {hook.house_rule for hook in (*rules.option_hooks, *rules.event_hooks)} | {
        hook.house_rule for found in given.values() for hook, changes in found if changes
    }


def zareba_version() -> str:
    """The installed version of zareba."""
    return version("zareba")
