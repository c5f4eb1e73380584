"""Finding rulesets and house rules, and resolving the rules of a session.

Rulesets come from the entry points `zareba.rulesets`, house rules from `zareba.plugins` or from loose files. There is
no global plugin manager: each session has its own, in the order in which the session lists its house rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from zareba.base.errors import FileError, Problem, ZarebaError, first_misfit, unknown_name
from zareba.base.references import dangling
from zareba.base.state import digest
from zareba.base.yamlfile import Document, KeyPath, misfits, parse_yaml, read_yaml
from zareba.house.sometimes import Unasked, as_at_times, compiled
from zareba.journal import RulePlayed
from zareba.plugins.brought import RULESETS, called, distribution_of, entries, house_rule_files
from zareba.plugins.collecting import Brought, check_hooks, manager_of_hooks
from zareba.plugins.heard import unheard
from zareba.plugins.marked import unmarked
from zareba.plugins.rulefiles import (
    SUFFIXES,
    HouseRule,
    fits_version,
    house_rule_in,
    is_rule_folder,
    name_in_file,
    source_of,
)
from zareba.plugins.ruleset import Ruleset
from zareba.rules.catalogue import check_cited
from zareba.rules.lines import read_book, unsound_lines
from zareba.rules.patch import Patch, Source, apply_patches, change_below, change_of, manifest_in
from zareba.rules.resolved import Rules
from zareba.rules.schema import RulesetFile
from zareba.rules.settings import Setting, read_settings
from zareba.rules.tallies import UnknownWord, compile_tallies

__all__ = [
    "ChangesNothing",
    "HouseRule",
    "NotAtHand",
    "find_house_rule",
    "house_rule_of",
    "house_rules_played",
    "load_rules",
    "rules_from_record",
    "ruleset",
    "ruleset_names",
]


class ChangesNothing(ZarebaError):
    """A Python house rule has nothing for the ruleset with which it was asked for."""


class NotAtHand(ZarebaError):
    """A game was played with a Python house rule that is not installed, and whose file nobody named."""


def ruleset_names() -> list[str]:
    """The ids of all installed rulesets."""
    return sorted({entry.name for entry in entries(RULESETS)})


@cache
def ruleset(name: str) -> Ruleset:
    """The installed ruleset called `name`; raises ZarebaError with the nearest name, or naming what is wrong with it."""
    bring = [entry for entry in entries(RULESETS) if entry.name == name]
    if not bring:
        raise unknown_name("ruleset", name, ruleset_names())
    if len(bring) > 1:
        both = " and ".join(f"{distribution_of(entry)} ({entry.value})" for entry in bring)
        raise ZarebaError(f"several installed packages provide the ruleset '{name}': {both}; uninstall all but one")
    (entry,) = bring
    whose = f"{entry.value} of the package {distribution_of(entry)}"
    manager = manager_of_hooks()
    try:
        manager.register(entry.load(), name)
        found = manager.hook.zareba_ruleset()
    except (Exception, SystemExit) as error:
        raise ZarebaError(
            f"the ruleset '{name}' ({whose}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    check_hooks(manager, f"the ruleset '{name}' ({whose})")
    if not isinstance(found, Ruleset):
        raise ZarebaError(f"the ruleset '{name}' ({whose}) implements no zareba_ruleset hook")
    return found


def find_house_rule(name_or_path: str) -> HouseRule:
    """Load a house rule by the name of an installed one, or by the path of a `.yaml` or `.py` file or of a folder with both.

    What is Python is run.
    """
    path = Path(name_or_path)
    if path.suffix not in SUFFIXES and not is_rule_folder(path) and not (path.is_dir() and len(path.parts) > 1):
        installed = house_rule_files()
        try:
            path = called("house rule", name_or_path, installed)
        except ZarebaError as error:
            raise ZarebaError(
                f"{error} (a loose one is given by its path, ending in .yaml or .py, or by its folder)"
            ) from error
        if name_or_path.rpartition(":")[2] not in installed:  # its name alone would not tell it from another
            return replace(_read(path), name=name_or_path)
    return _read(path)


def _read(path: Path) -> HouseRule:
    if not path.is_file() and not path.is_dir():
        raise ZarebaError(f"there is no house rule file {path}; give a path, or a name from 'zareba plugins'")
    return house_rule_in(path, source_of(path))


def house_rule_of(text: str, name: str) -> HouseRule:
    """A house rule in YAML out of a text that somebody typed; `name` stands for its file where its faults are told.

    Raises FileError with every fault in it. It is read and never run: no text becomes a house rule in Python.
    """
    manifest = manifest_in(parse_yaml(text, name))
    return HouseRule(manifest.file.house_rule, Path(name), text, manifest)


def house_rules_played(
    played: Sequence[RulePlayed], named: Sequence[Path] = (), *, as_recorded: bool = False
) -> list[HouseRule]:
    """The Python house rules of an old game: from the files that a person `named`, else from installed packages.

    A journal vouches for a text, never for a file: what it says of files is not looked at, and a text other than the one
    that was played is refused before any of it runs. Only when somebody says that it be played `as_recorded`, the texts in
    the journal itself are run. Raises NotAtHand for a rule that is in none of those places.
    """
    wanted = [rule for rule in played if rule.python]
    sources: dict[str, tuple[Path, str]] = {}
    for path in named:
        text = source_of(path)
        if digest(text) not in [rule.digest for rule in wanted]:
            if any(rule.name == name_in_file(path) for rule in wanted):
                raise ZarebaError(
                    f"the house rule '{name_in_file(path)}' ({path}) has changed since this game was played; "
                    "put the old file back to go on with it"
                )
            raise ZarebaError(f"this game was not played with {path}; name only the house rules in Python that it has")
        sources[digest(text)] = path, text
    if any(rule.digest not in sources for rule in wanted):
        installed = [path for path in house_rule_files().values() if path.suffix not in (".yaml", ".yml")]
        texts = [(path, source_of(path)) for path in installed]
        sources = {digest(text): (path, text) for path, text in texts} | sources
    if as_recorded:
        recorded = {rule.digest: (Path(rule.file), rule.text) for rule in wanted if digest(rule.text) == rule.digest}
        sources = recorded | sources
    for rule in wanted:
        if rule.digest not in sources:
            other = next((path for path, _ in sources.values() if name_in_file(path) == rule.name), None)
            raise NotAtHand(
                f"this game was played with the house rule '{rule.name}' in Python, and a journal cannot have a file run; "
                f"name its file with --house-rule, or have its text in the journal run with --as-recorded"
                f"{f' (what is installed as {other} has another text)' if other else ''}"
            )
    return [replace(house_rule_in(*sources[rule.digest]), name=rule.name) for rule in wanted]


@cache
def _document(folder: Path) -> Document:
    document = read_yaml(folder / "ruleset.yaml")
    check_cited(document, folder)
    return document


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
    for rule in house_rules:
        _check_fits(rule, name, names)
    patches = [patch for rule in house_rules for patch in rule.patches(name)]
    brought = Brought(definition, _fresh(house_rules))
    unpatched = document.validate(definition.file)
    own = _own_settings(brought, unpatched)
    patched, problems = _patched_settings({**unpatched.settings, **own}, patches, name)
    try:
        data, changed = apply_patches(document.data, patches)
    except FileError as error:
        raise FileError([*error.problems, *problems]) from None
    if problems:
        raise FileError(problems)
    book = _validated(definition, document, data, changed)
    given = patched | dict(settings or {})
    values = read_settings({**book.settings, **own}, given, name)
    brought.given(values)
    kept = brought.kept()

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
        tallies={},
        kept=kept,
        own_settings=own,
        only_for={rule.name: scenarios for rule in house_rules if (scenarios := _scenarios(rule))},
        told_by={id: rule.about for rule in house_rules for id in rule.ids},
    )
    try:
        rules.tallies, rules.situated = compile_tallies(book, values, source, kept)
    except UnknownWord as error:
        raise FileError(
            [_blamed(changed, error.path, error.said)] if changed else [document.error(error.path, error.said)]
        ) from error
    _hang_sometimes(rules, partial(_at_times, document, changed))
    for one in rules.sometimes:
        try:
            _validated(definition, document, as_at_times(data, (one.active,)), changed)
        except FileError as error:
            told = [problem.message for problem in error.problems]
            raise _at_times(document, changed, one.name, "; ".join(told)) from error
    active = brought.hang(rules)
    for rule in house_rules:
        if rule.name not in active:
            raise ChangesNothing(f"house rule '{rule.name}' ({rule.file}) changes nothing of {name}; leave it out")
        meant = [partial(ruleset, one) for one in dict.fromkeys([name, *(rule.systems or ruleset_names())])]
        if faults := [*unheard(rule, meant, house_rules), *unmarked(rule, meant, house_rules)]:
            raise FileError(faults)
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
    data = _with_new_settings(definition, _with_new_tallies(definition, data))
    try:
        book = definition.file.model_validate(data)
    except ValidationError as error:
        raise ZarebaError(
            f"the journal's rules of {name} do not fit this version of zareba; {first_misfit(error)}"
        ) from error
    brought = Brought(definition, _fresh(house_rules))
    own = _own_settings(brought, book)
    settings = read_settings({**book.settings, **own}, settings, name)
    brought.given(settings)
    kept = brought.kept()
    rules = Rules(
        ruleset=definition,
        book=book,
        data=data,
        settings=settings,
        sources={},
        house_rules=listed,
        digest=digest([data, settings, [rule.text for rule in house_rules]]),
        tallies={},
        kept=kept,
        own_settings=own,
        told_by={id: rule.about for rule in house_rules for id in rule.ids},
    )
    rules.tallies, rules.situated = compile_tallies(
        book, settings, lambda path: f"journal: {'.'.join(map(str, path))}", kept
    )
    _hang_sometimes(rules, lambda name, said: ZarebaError(f"journal: sometimes.{name}: {said}"))
    brought.hang(rules)
    return rules


def _hang_sometimes(rules: Rules, refusal: Callable[[str, str], ZarebaError]) -> None:
    """Make the numbers ready that are others at times."""
    try:
        rules.sometimes = compiled(rules.book.sometimes, rules.kept)
    except Unasked as error:
        raise refusal(error.name, error.said) from error


def _with_new_tallies(definition: Ruleset, data: dict[str, Any]) -> dict[str, Any]:
    """The data of an old session with the tallies for which the rules have come to ask since, as they are printed.

    A number that has become a tally begins as it stands in the rest of `data`, so that nothing else is played.
    """
    had: Mapping[str, Any] = data.get("tallies", {})
    shipped: dict[str, Any] = _document(definition.folder).data
    printed: Mapping[str, Any] = shipped.get("tallies", {})
    new = {name: printed[name] for name in definition.facts if name not in had and name in printed}
    return {**data, "tallies": {**had, **new}} if new else data


def _with_new_settings(definition: Ruleset, data: dict[str, Any]) -> dict[str, Any]:
    """The data of an old session with the settings that the rules have got since, whose defaults play as before."""
    had: Mapping[str, Any] = data.get("settings", {})
    shipped: dict[str, Any] = _document(definition.folder).data
    new = {name: entry for name, entry in shipped.get("settings", {}).items() if name not in had}
    return {**data, "settings": {**had, **new}} if new else data


def _fresh(house_rules: Sequence[HouseRule]) -> list[HouseRule]:
    """The house rules with modules that no other rules have hung: what one remembers of its settings is one session's."""
    found = []
    for rule in house_rules:
        module = rule.module
        if module is not None and getattr(module, "__zareba_hung__", False) and module.__name__ in sys.modules:
            rule = replace(house_rule_in(rule.file, rule.text), name=rule.name)
            module = rule.module
        if module is not None:
            module.__dict__["__zareba_hung__"] = True
        found.append(rule)
    return found


def _scenarios(rule: HouseRule) -> tuple[str, ...]:
    return tuple(rule.manifest.file.scenarios) if rule.manifest is not None else ()


def _check_fits(rule: HouseRule, ruleset: str, names: Sequence[str]) -> None:
    """Raises ZarebaError where a house rule says that it is not for this session."""
    manifest = rule.manifest
    if ruleset not in (rule.systems or (ruleset,)) and (manifest is None or not manifest.file.systems):
        systems = " and ".join(rule.systems)
        raise ZarebaError(f"house rule '{rule.name}' ({rule.file}) is for {systems}, not for {ruleset}")
    if manifest is None:
        return
    file = manifest.file
    if file.systems and ruleset not in file.systems:
        key = "ruleset" if file.ruleset is not None else "rulesets"
        systems = " and ".join(file.systems)
        raise manifest.refusal((key,), f"house rule '{file.house_rule}' is for {systems}, not for {ruleset}")
    try:
        fits = not file.zareba or fits_version(zareba_version(), file.zareba)
    except ZarebaError as error:
        raise manifest.refusal(("zareba",), str(error)) from error
    if not fits:
        said = f"house rule '{rule.name}' was written for zareba {file.zareba}, and this is {zareba_version()}"
        raise manifest.refusal(("zareba",), said)
    before = [one.rpartition(":")[2] for one in names[: names.index(rule.name)]]
    for needed in file.requires:
        if needed not in before:
            said = f"house rule '{rule.name}' requires '{needed}'; list it before: --house-rule {needed} --house-rule {rule.name}"
            raise manifest.refusal(("requires",), said)
    for other in file.conflicts:
        if other in [one.rpartition(":")[2] for one in names]:
            raise manifest.refusal(
                ("conflicts",), f"house rule '{rule.name}' does not go with '{other}'; leave one out"
            )


def _own_settings(brought: Brought, book: RulesetFile) -> dict[str, Setting]:
    """The settings of house rules; raises ZarebaError where they would be taken for the ruleset's."""
    own = brought.settings()
    for name in own:
        rule = name.partition(".")[0]
        if rule in book.settings:
            raise ZarebaError(
                f"the house rule '{rule}' is called like a setting of {book.ruleset}; give it another name"
            )
    return own


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


def _at_times(document: Document, changed: Mapping[KeyPath, Source], name: str, said: str) -> FileError:
    """What is wrong with a number that is to be another at times, at the change that says so."""
    source = changed.get(("sometimes", name))
    if source is None:
        return FileError([document.error(("sometimes", name), said)])
    return FileError([Problem(source.file, source.line, source.column, "", said)])


def _patched_settings(
    known: Mapping[str, Setting], patches: Sequence[Patch], name: str
) -> tuple[dict[str, Any], list[Problem]]:
    """The settings that house rules make, and what is wrong with them."""
    given: dict[str, Any] = {}
    problems: list[Problem] = []
    for patch in patches:
        for setting, (value, index) in patch.settings.items():
            try:
                read_settings(known, {setting: value}, name)
            except ZarebaError as error:
                problems.append(patch.document.error(("changes", index, "set"), str(error)))
            given[setting] = value
    return given, problems


def zareba_version() -> str:
    """The installed version of zareba."""
    return version("zareba")
