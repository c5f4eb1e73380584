"""Find rulesets and house rules, and resolve the rules of a session.

Rulesets come from the entry points `zareba.rulesets`, house rules from `zareba.plugins` or from loose files. There is
no global plugin manager: each session has its own, and house rules keep the order in which the session lists them.
"""

from __future__ import annotations

import re
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
from zareba.base.yamlfile import Document, KeyPath, misfits, parse_yaml, read_shared_yaml, read_yaml
from zareba.house_rules.conditional_values import (
    UnreadableCondition,
    compile_conditional_values,
    with_conditional_values,
)
from zareba.journal import RulePlayed
from zareba.plugins.entry_points import (
    RULESETS,
    distribution_of,
    entries,
    find_by_name,
    house_rule_files,
    implemented_hooks,
)
from zareba.plugins.event_check import events_never_emitted
from zareba.plugins.hook_collection import HookCollection, check_hooks, new_hook_manager
from zareba.plugins.placeholder_check import unfilled_placeholders
from zareba.plugins.rule_files import (
    SUFFIXES,
    HouseRule,
    fits_version,
    house_rule_in,
    is_rule_folder,
    name_in_file,
    source_of,
    title_from_name,
)
from zareba.plugins.ruleset import Ruleset
from zareba.plugins.status_marks import marks_never_set
from zareba.renamed import RULESET_KEYS, warn_renamed, with_new_keys, with_old_keys
from zareba.rules.catalogue import check_cited, load_catalogue
from zareba.rules.inherit import EXTENDS, changes_of, extend
from zareba.rules.patch import Patch, Source, apply_patches, change_below, change_of, manifest_in
from zareba.rules.resolved import Rules
from zareba.rules.schema import RulesetFile
from zareba.rules.settings import Setting, read_settings
from zareba.rules.tallies import UnknownWord, compile_tallies, invalid_lines, read_book

__all__ = [
    "HOOKS",
    "HouseRule",
    "NoEffect",
    "NotInstalled",
    "check_ruleset",
    "extension_in",
    "find_house_rule",
    "house_rule_of",
    "house_rules_played",
    "load_rules",
    "rules_from_record",
    "rules_of",
    "ruleset",
    "ruleset_document",
    "ruleset_names",
]


class NoEffect(ZarebaError):
    """A house rule has no effect on the ruleset it is used with."""


class NotInstalled(ZarebaError):
    """A game was played with a Python house rule that is not installed and whose file was not given."""


def ruleset_names() -> list[str]:
    """Return the ids of all installed rulesets."""
    return sorted({entry.name for entry in entries(RULESETS)})


@cache
def ruleset(name: str) -> Ruleset:
    """Return the installed ruleset called `name`; raise ZarebaError with the most similar name, or with the fault of
    the ruleset.
    """
    return _installed(name, ())


def _installed(name: str, extensions: tuple[str, ...]) -> Ruleset:
    """Return an installed ruleset; `extensions` are the rulesets that extend it, as found so far."""
    providing = [entry for entry in entries(RULESETS) if entry.name == name]
    if not providing:
        raise unknown_name("ruleset", name, ruleset_names())
    if len(providing) > 1:
        both = " and ".join(f"{distribution_of(entry)} ({entry.value})" for entry in providing)
        raise ZarebaError(f"several installed packages provide the ruleset '{name}': {both}; uninstall all but one")
    (entry,) = providing
    origin = f"{entry.value} of the package {distribution_of(entry)}"
    manager = new_hook_manager()
    try:
        module = entry.load()
        manager.register(module, name)
        defined = manager.hook.zareba_ruleset()
    except (Exception, SystemExit) as error:
        raise ZarebaError(
            f"the ruleset '{name}' ({origin}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    check_hooks(manager, f"the ruleset '{name}' ({origin})")
    if isinstance(defined, Ruleset):
        return defined
    file = Path(module.__file__ or "").parent / "ruleset.yaml"
    if defined is not None or not file.is_file():
        raise ZarebaError(
            f"the ruleset '{name}' ({origin}) has neither a zareba_ruleset hook nor a ruleset.yaml that extends another"
        )
    if hooks := implemented_hooks(module):
        raise ZarebaError(
            f"the ruleset '{name}' ({origin}) extends another: move its hook {hooks[0]} to {file.with_name(HOOKS)}"
        )
    document = read_yaml(file)
    if document.data.get("ruleset") != name:
        fault = f"the package installs this ruleset as '{name}'; write 'ruleset: {name}'"
        raise FileError([document.error(("ruleset",), fault)])
    return extension_in(document, extensions)


HOOKS = "hooks.py"
"""The file with the hooks of a ruleset that extends another, next to its `ruleset.yaml`."""


def extension_in(document: Document, extensions: tuple[str, ...] = ()) -> Ruleset:
    """Return the ruleset of a file that extends another, installed or not; `extensions` are rulesets that extend it.

    Raises FileError if the head of the file is incomplete or names a ruleset that it cannot extend.
    """
    name, extended = document.data.get("ruleset"), document.data.get(EXTENDS)
    if not isinstance(name, str) or not isinstance(document.data.get("title"), str):
        raise FileError(
            [document.error((), "a ruleset that extends another needs a 'ruleset' and a 'title' of its own")]
        )
    if not isinstance(extended, str):
        raise FileError([document.error((EXTENDS,), "name the ruleset that this one extends, as in 'extends: vcc'")])
    lineage = (*extensions, name)
    if extended in lineage:
        fault = f"a ruleset cannot extend itself: {' extends '.join((*lineage[lineage.index(extended) :], extended))}"
        raise FileError([document.error((EXTENDS,), fault)])
    if extended not in ruleset_names():
        fault = f"{unknown_name('installed ruleset', extended, ruleset_names())} Install the package that provides it."
        raise FileError([document.error((EXTENDS,), fault)])
    return _installed(extended, lineage).extended_by(name, Path(document.file).parent)


def check_ruleset(definition: Ruleset) -> None:
    """Raise FileError with all faults in the YAML files of a ruleset."""
    document = ruleset_document(definition)
    _validated(definition, document, document.data, changes_of(document))
    load_catalogue(*definition.folders)


def find_house_rule(name_or_path: str) -> HouseRule:
    """Load a house rule by the name of an installed one, or by the path of a `.yaml` or `.py` file or of a folder with
    both.

    Python code in it is run.
    """
    path = Path(name_or_path)
    if path.suffix not in SUFFIXES and not is_rule_folder(path) and not (path.is_dir() and len(path.parts) > 1):
        installed = house_rule_files()
        try:
            path = find_by_name("house rule", name_or_path, installed)
        except ZarebaError as error:
            raise ZarebaError(
                f"{error} (give a loose house rule by its path, ending in .yaml or .py, or by its folder)"
            ) from error
        if name_or_path.rpartition(":")[2] not in installed:  # its name alone would be ambiguous
            return replace(_load_file(path), name=name_or_path)
    return _load_file(path)


def _load_file(path: Path) -> HouseRule:
    if not path.is_file() and not path.is_dir():
        raise ZarebaError(f"there is no house rule file {path}; give a path, or a name from 'zareba plugins'")
    return house_rule_in(path, source_of(path))


def house_rule_of(text: str, name: str) -> HouseRule:
    """Return a house rule from YAML text that a user typed; `name` stands for the file in error messages.

    Raises FileError with all faults. The text is parsed and never run: it cannot become a Python house rule.
    """
    manifest = manifest_in(parse_yaml(text, name))
    return HouseRule(manifest.file.house_rule, Path(name), text, manifest)


def house_rules_played(
    played: Sequence[RulePlayed], named: Sequence[Path] = (), *, as_recorded: bool = False
) -> list[HouseRule]:
    """Return the Python house rules of an old game, from the `named` files or else from installed packages.

    A journal identifies the text of a rule, not a file: file names in it are ignored, and a text that differs from the
    one played is rejected before any of it runs. The texts in the journal itself run only if the caller asks for it
    with `as_recorded`. Raises NotInstalled for a rule that is in none of these places.
    """
    wanted = [rule for rule in played if rule.python]
    sources: dict[str, tuple[Path, str]] = {}
    for path in named:
        text = source_of(path)
        if digest(text) not in [rule.digest for rule in wanted]:
            if any(rule.name == name_in_file(path) for rule in wanted):
                raise ZarebaError(
                    f"the house rule '{name_in_file(path)}' ({path}) has changed since this game was played; "
                    "restore the old file to continue the game"
                )
            raise ZarebaError(
                f"this game was not played with {path}; name only the Python house rules that it was played with"
            )
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
            raise NotInstalled(
                f"this game was played with the house rule '{rule.name}' in Python, and a journal cannot run a file; "
                f"name its file with --house-rule in a command, after which the page opens the game too, "
                f"or run the text in the journal with --as-recorded"
                f"{f' (the installed file {other} has another text)' if other else ''}"
            )
    return [replace(house_rule_in(*sources[rule.digest]), name=rule.name) for rule in wanted]


def _with_new_sections(document: Document) -> Document:
    """Return a `ruleset.yaml` with today's names of its sections, with a warning for each old one."""
    old = {name: new for name, new in RULESET_KEYS.items() if name in document.data and new not in document.data}
    if not old:
        return document
    for name, new in old.items():
        warn_renamed(f"the section {name} of {document.file}", new)
    data = {old.get(name, name): section for name, section in document.data.items()}
    places = {(old.get(str(path[0]), path[0]), *path[1:]) if path else path: at for path, at in document.places.items()}
    return replace(document, data=data, places=places)


def ruleset_document(definition: Ruleset) -> Document:
    """Return the `ruleset.yaml` of a ruleset, merged into those of the rulesets that it extends.

    Raises FileError with all entries that do not fit, and all citations of unknown rules.
    """
    return _document(definition.folders, definition.file)


@cache
def _document(folders: tuple[Path, ...], model: type[RulesetFile]) -> Document:
    document = _with_new_sections(read_shared_yaml(folders[0] / "ruleset.yaml"))
    if len(folders) > 1:
        document = extend(document, _document(folders[1:], model), model)
    check_cited(document, *folders)
    return document


def _hooks_of_lineage(definition: Ruleset) -> list[HouseRule]:
    """Return the hooks of a ruleset that extends others and those of the others, in the order in which they act."""
    hook_files: list[HouseRule] = []
    ancestor: Ruleset | None = definition
    while ancestor is not None and ancestor.parent is not None:
        file = ancestor.folder / HOOKS
        if file.is_file():
            hook_files.insert(0, replace(house_rule_in(file, source_of(file)), name=ancestor.id))
        ancestor = ancestor.parent
    return hook_files


def load_rules(
    name: str,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[HouseRule] = (),
) -> Rules:
    """Resolve a ruleset with its house rules, in order, and its settings (which override those of house rules).

    Raises ZarebaError or FileError if any of them is faulty; nothing is applied in part.
    """
    return rules_of(ruleset(name), settings, house_rules)


def rules_of(
    definition: Ruleset, settings: Mapping[str, Any] | None = None, house_rules: Sequence[HouseRule] = ()
) -> Rules:
    """Resolve a ruleset that may not be installed; see `load_rules`."""
    name, document = definition.id, ruleset_document(definition)
    names = [rule.name for rule in house_rules]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ZarebaError(f"the house rule '{twice}' is listed twice; keep one")
    for rule in house_rules:
        _check_fits(rule, definition.lineage, names)
    patches = [patch for rule in house_rules for patch in rule.patches(rule.ruleset_id_in(definition.lineage))]
    own_hooks = _hooks_of_lineage(definition)
    hooks = HookCollection(definition, _with_own_modules([*own_hooks, *house_rules]))
    inherited = changes_of(document)
    unpatched = _validated(definition, document, document.data, inherited)
    own = _settings_of_house_rules(hooks, unpatched)
    patched, problems = _patched_settings({**unpatched.settings, **own}, patches, name)
    try:
        data, changed = apply_patches(document.data, patches)
    except FileError as error:
        raise FileError([*error.problems, *problems]) from None
    if problems:
        raise FileError(problems)
    book = _validated(definition, document, data, changed) if changed else unpatched
    chosen = patched | dict(settings or {})
    values = read_settings({**book.settings, **own}, chosen, name)
    hooks.assign_settings(values)
    variables = hooks.state_variables()

    def source(path: KeyPath) -> str:
        source = change_of(changed, path) or change_below(changed, path)
        owner = document.owner(path)
        return f"{owner.data['ruleset']}/ruleset.yaml:{owner.place(path)[0]}" if source is None else str(source)

    rules = Rules(
        ruleset=definition,
        book=book,
        data=data,
        settings=values,
        sources={**inherited, **changed},
        house_rules=tuple(rule.name for rule in house_rules),
        digest=digest([with_old_keys(data), values, [rule.text for rule in (*own_hooks, *house_rules)]]),
        tallies={},
        state_variables=variables,
        own_settings=own,
        only_for={rule.name: scenarios for rule in house_rules if (scenarios := _scenarios(rule))},
        rule_descriptions={id: rule.description for rule in (*own_hooks, *house_rules) for id in rule.ids},
        house_rule_titles=tuple(rule.title for rule in house_rules),
    )
    try:
        rules.tallies, rules.situated = compile_tallies(book, values, source, variables)
    except UnknownWord as error:
        raise FileError(
            [_attributed(changed, error.path, error.said)] if changed else [document.error(error.path, error.said)]
        ) from error
    _attach_conditional_values(rules, partial(_conditional_value_error, document, changed))
    for value in rules.conditional_values:
        try:
            _validated(definition, document, with_conditional_values(data, (value.active,)), changed)
        except FileError as error:
            messages = [problem.message for problem in error.problems]
            raise _conditional_value_error(document, changed, value.name, "; ".join(messages)) from error
    active = hooks.attach(rules)
    for rule in (*own_hooks, *house_rules):
        if rule.name not in active and rule.name != name:
            raise NoEffect(f"house rule '{rule.name}' ({rule.file}) changes nothing in {name}; leave it out")
        _check_texts(rule, definition, house_rules)
    return rules


def _check_texts(rule: HouseRule, definition: Ruleset, house_rules: Sequence[HouseRule]) -> None:
    """Raise FileError if a house rule names events, marks or placeholders that no rules provide."""
    others = [partial(ruleset, value) for value in rule.systems or ruleset_names() if value != definition.id]
    rulesets: list[Callable[[], Ruleset]] = [lambda: definition, *others]
    if faults := [
        *events_never_emitted(rule, rulesets, house_rules),
        *marks_never_set(rule, rulesets, house_rules),
        *unfilled_placeholders(rule, rulesets[:1], house_rules),
    ]:
        raise FileError(faults)


def rules_from_record(
    name: str,
    data: dict[str, Any],
    settings: dict[str, Any],
    house_rules: Sequence[HouseRule],
    listed: tuple[str, ...],
) -> Rules:
    """Rebuild the rules of an old session from its journal: `data` after all patches, all settings, and the Python
    house rules.

    `listed` are the names of all its house rules. Raises ZarebaError if this version cannot read the data.
    """
    definition = ruleset(name)
    data = _with_new_settings(definition, _with_new_tallies(definition, with_new_keys(data)))
    own_hooks = _hooks_of_lineage(definition)
    try:
        book = definition.file.model_validate(data)
    except ValidationError as error:
        raise ZarebaError(
            f"the journal's rules of {name} do not fit this version of zareba; {first_misfit(error)}"
        ) from error
    hooks = HookCollection(definition, _with_own_modules([*own_hooks, *house_rules]))
    own = _settings_of_house_rules(hooks, book)
    try:
        settings = read_settings({**book.settings, **own}, settings, name)
    except ZarebaError as error:
        raise ZarebaError(
            f"the saved game does not fit the rules that are installed: {error} Install the version of zareba, and the"
            " packages, that it was played with"
        ) from error
    hooks.assign_settings(settings)
    variables = hooks.state_variables()
    titles = {rule.name: rule.title for rule in house_rules}
    rules = Rules(
        ruleset=definition,
        book=book,
        data=data,
        settings=settings,
        sources={},
        house_rules=listed,
        digest=digest([with_old_keys(data), settings, [rule.text for rule in (*own_hooks, *house_rules)]]),
        tallies={},
        state_variables=variables,
        own_settings=own,
        rule_descriptions={id: rule.description for rule in (*own_hooks, *house_rules) for id in rule.ids},
        house_rule_titles=tuple(titles.get(name) or title_from_name(name) for name in listed),
    )
    rules.tallies, rules.situated = compile_tallies(
        book, settings, lambda path: f"journal: {'.'.join(map(str, path))}", variables
    )
    _attach_conditional_values(
        rules, lambda name, message: ZarebaError(f"journal: conditional_values.{name}: {message}")
    )
    hooks.attach(rules)
    return rules


def _attach_conditional_values(rules: Rules, error_for: Callable[[str, str], ZarebaError]) -> None:
    """Prepare the conditional values."""
    try:
        rules.conditional_values = compile_conditional_values(rules.book.conditional_values, rules.state_variables)
    except UnreadableCondition as error:
        raise error_for(error.name, error.said) from error


def _with_new_tallies(definition: Ruleset, data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of an old session, plus the printed tallies that the rules have needed since then.

    A number that has become a tally starts from its value in the rest of `data`, so that play does not change.
    """
    recorded: Mapping[str, Any] = data.get("tallies", {})
    shipped: dict[str, Any] = ruleset_document(definition).data
    printed: Mapping[str, Any] = shipped.get("tallies", {})
    new = {name: printed[name] for name in definition.facts if name not in recorded and name in printed}
    return {**data, "tallies": {**recorded, **new}} if new else data


def _with_new_settings(definition: Ruleset, data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of an old session, plus the settings added since then; their defaults keep play unchanged."""
    recorded: Mapping[str, Any] = data.get("settings", {})
    shipped: dict[str, Any] = ruleset_document(definition).data
    new = {name: entry for name, entry in shipped.get("settings", {}).items() if name not in recorded}
    return {**data, "settings": {**recorded, **new}} if new else data


def _with_own_modules(house_rules: Sequence[HouseRule]) -> list[HouseRule]:
    """Return the house rules with modules that no other rules use, so that each session has its own module state."""
    fresh = []
    for rule in house_rules:
        module = rule.module
        if module is not None and getattr(module, "__zareba_hung__", False) and module.__name__ in sys.modules:
            rule = replace(house_rule_in(rule.file, rule.text), name=rule.name)
            module = rule.module
        if module is not None:
            module.__dict__["__zareba_hung__"] = True
        fresh.append(rule)
    return fresh


def _scenarios(rule: HouseRule) -> tuple[str, ...]:
    return tuple(rule.manifest.file.scenarios) if rule.manifest is not None else ()


def _check_fits(rule: HouseRule, lineage: Sequence[str], names: Sequence[str]) -> None:
    """Raise ZarebaError if a house rule declares that it is not for this session.

    `lineage` is the ruleset of the session and those it extends: a house rule for one of them fits.
    """
    manifest, known_as = rule.manifest, rule.ruleset_id_in(lineage)
    if known_as not in (rule.systems or (known_as,)) and (manifest is None or not manifest.file.systems):
        systems = " and ".join(rule.systems)
        raise ZarebaError(f"house rule '{rule.name}' ({rule.file}) is for {systems}, not for {known_as}")
    if manifest is None:
        return
    file = manifest.file
    if file.systems and known_as not in file.systems:
        key = "ruleset" if file.ruleset is not None else "rulesets"
        systems = " and ".join(file.systems)
        raise manifest.refusal((key,), f"house rule '{file.house_rule}' is for {systems}, not for {known_as}")
    try:
        fits = not file.zareba or fits_version(zareba_version(), file.zareba)
    except ZarebaError as error:
        raise manifest.refusal(("zareba",), str(error)) from error
    if not fits:
        fault = f"house rule '{rule.name}' was written for zareba {file.zareba}, and this is {zareba_version()}"
        raise manifest.refusal(("zareba",), fault)
    before = [name.rpartition(":")[2] for name in names[: names.index(rule.name)]]
    for needed in file.requires:
        if needed not in before:
            fault = f"house rule '{rule.name}' requires '{needed}'; list it before: --house-rule {needed} --house-rule {rule.name}"
            raise manifest.refusal(("requires",), fault)
    for other in file.conflicts:
        if other in [name.rpartition(":")[2] for name in names]:
            raise manifest.refusal(
                ("conflicts",), f"house rule '{rule.name}' cannot be combined with '{other}'; leave one out"
            )


def _settings_of_house_rules(hooks: HookCollection, book: RulesetFile) -> dict[str, Setting]:
    """Return the settings of house rules; raise ZarebaError if one could be mistaken for a setting of the ruleset."""
    own = hooks.settings()
    for name in own:
        rule = name.partition(".")[0]
        if rule in book.settings:
            raise ZarebaError(
                f"the house rule '{rule}' has the name of a setting of {book.ruleset}; give it another name"
            )
    return own


def _validated(
    definition: Ruleset, document: Document, data: dict[str, Any], changed: Mapping[KeyPath, Source]
) -> RulesetFile:
    """Return the book of the patched data; raise FileError that names the changes behind each fault."""
    if not changed:
        _check_unchanged(definition.folders, definition.file, tuple(definition.facts.items()))
        return document.validate(definition.file)
    try:
        book = definition.file.model_validate(data)
    except ValidationError as error:
        wrong = misfits(definition.file, data, error)
        raise FileError([_attributed(changed, path, message) for path, message in wrong]) from error
    faulty = [*dangling(book), *invalid_lines(book, definition.facts)]
    if faults := [_attributed(changed, fault.path, fault.message, fault.missing) for fault in faulty]:
        raise FileError(faults)
    return book


@cache
def _check_unchanged(folders: tuple[Path, ...], model: type[RulesetFile], facts: tuple[tuple[str, type], ...]) -> None:
    """Check a `ruleset.yaml` with its references and tallies, once; raise FileError with all faults."""
    read_book(_document(folders, model), model, dict(facts))


def _attributed(
    changed: Mapping[KeyPath, Source], path: KeyPath, message: str, missing: Sequence[KeyPath] = ()
) -> Problem:
    """Return a fault at `path`, attributed to the change of it, of something in it, or of one of the `missing` paths.

    A fault of the whole file, which has no path, belongs to the first change in a section that the message names. If no
    change matches, it is attributed to the first change: the fault then lies in the combination of separate values.
    """
    suspects = (change(changed, suspect) for suspect in (path, *missing) for change in (change_of, change_below))
    words = () if path else re.findall(r"\w+", message)
    named = (source for changed_path, source in changed.items() if changed_path[0] in words)
    source = next((source for source in (*named, *suspects) if source is not None), next(iter(changed.values())))
    where = ".".join(map(str, path))
    return Problem(source.file, source.line, source.column, "", f"{where}: {message}" if where else message)


def _conditional_value_error(
    document: Document, changed: Mapping[KeyPath, Source], name: str, message: str
) -> FileError:
    """Return the error for a conditional value, located at the change that defines it."""
    source = changed.get(("conditional_values", name))
    if source is None:
        return FileError([document.error(("conditional_values", name), message)])
    return FileError([Problem(source.file, source.line, source.column, "", message)])


def _patched_settings(
    known: Mapping[str, Setting], patches: Sequence[Patch], name: str
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the settings that house rules set, and the faults in them."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for patch in patches:
        for setting, (value, index) in patch.settings.items():
            try:
                read_settings(known, {setting: value}, name)
            except ZarebaError as error:
                problems.append(patch.document.error((*patch.root, index, "set"), str(error)))
            values[setting] = value
    return values, problems


def zareba_version() -> str:
    """Return the installed version of zareba."""
    return version("zareba")
