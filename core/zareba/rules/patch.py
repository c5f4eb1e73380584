"""House rules in YAML: a file of checked changes to a ruleset.

    house_rule: gatling_never_jams
    title: The Gatling never jams
    ruleset: vcc
    changes:
      - {set: mg_overheat, to: "off", why: our gunners carry oil}
      - {at: weapons.rifle.long, was: 3, to: 4, why: long desert ranges}
      - {add: tallies.fire_dice.modifiers.smoke, entry: {...}, why: ...}
      - {remove: tallies.fire_dice.modifiers.target_prone, why: ...}
      - {at: hits_per_base.hits, was: 4, to: 3, when: {game.turn: {at_least: 8}}, why: they are tired}

A change names a path of keys. `at` must state the old value (`was`). Adding an existing entry, removing a missing one,
a wrong `was` and two changes of one value are errors with file, line and column. A change with `when` applies only
while its condition holds (`zareba.house_rules.conditional_values`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictStr, field_validator, model_validator

from zareba.base.errors import FileError, Problem, nearest
from zareba.base.yamlfile import Document, KeyPath, Name, Text, copy_of
from zareba.renamed import renamed_section
from zareba.rules.schema import Conditions
from zareba.rules.settings import Setting

_CONDITIONAL_VALUES = "conditional_values"
"""The section of a ruleset that holds conditional values."""
_VERBS = ("at", "add", "remove", "set")
"""The keys of a change of a house rule, one for each kind of change."""


class _Change(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    at: StrictStr | None = None
    add: StrictStr | None = None
    remove: StrictStr | None = None
    set: StrictStr | None = None
    was: Any = None
    to: Any = None
    entry: Any = None
    when: Conditions = {}
    why: Text = ""

    @model_validator(mode="after")
    def _one_verb(self) -> _Change:
        verbs = [verb for verb in _VERBS if getattr(self, verb) is not None]
        if len(verbs) != 1:
            raise ValueError("a change has exactly one of 'at', 'add', 'remove', 'set'")
        (verb,) = verbs
        needed = {"at": {"was", "to"}, "add": {"entry"}, "remove": set(), "set": {"to"}}[verb]
        optional = {"why", "when"} if verb == "at" else {"why"}
        given = self.model_fields_set - {verb} - optional
        if missing := needed - given:
            raise ValueError(f"'{verb}' also needs {' and '.join(repr(key) for key in sorted(missing))}")
        if spare := given - needed:
            raise ValueError(f"'{verb}' does not take {' or '.join(repr(key) for key in sorted(spare))}")
        return self

    @property
    def verb(self) -> str:
        """The kind of change: "at" changes a value, "add" and "remove" are for entries, "set" is for a setting."""
        return next(verb for verb in _VERBS if getattr(self, verb) is not None)


class RuleFile(BaseModel):
    """The YAML of a house rule: a single file, or `rule.yaml` next to `rule.py` in a folder.

    `rulesets` (or one `ruleset`) lists the systems it is for. `changes` apply to all of them, `patches` to one.
    `zareba` gives the versions it was written for, as `>=0.1,<2`. `requires` lists house rules that must come before
    it, `conflicts` those that it cannot be combined with. `scenarios` limits it to some scenarios. Its own `settings`
    are set as `NAME.SETTING`; `words` has the same form as in the hook `zareba_words`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    house_rule: Name
    title: Name = ""
    why: Text = ""
    ruleset: StrictStr | None = None
    rulesets: list[StrictStr] = []
    zareba: StrictStr = ""
    requires: list[StrictStr] = []
    conflicts: list[StrictStr] = []
    scenarios: list[StrictStr] = []
    settings: dict[StrictStr, Setting] = {}
    words: dict[StrictStr, StrictStr] = {}
    changes: list[_Change] = []
    patches: dict[StrictStr, list[_Change]] = {}

    @model_validator(mode="after")
    def _for_systems(self) -> RuleFile:
        if self.ruleset is not None and self.rulesets:
            raise ValueError("give 'ruleset' for one system, or 'rulesets' for several")
        if self.changes and not self.systems:
            raise ValueError("'changes' need a 'ruleset', or 'rulesets'")
        for name in self.patches:
            if self.systems and name not in self.systems:
                raise ValueError(f"'patches' are for {name}, which is not among its rulesets")
        return self

    @field_validator("house_rule")
    @classmethod
    def _in_names(cls, name: str) -> str:
        """Reject a name that cannot be part of the names of settings, state variables and files."""
        if not name.replace("-", "_").replace(" ", "_").isidentifier():
            raise ValueError(f"'{name}' is not a name for a house rule; use letters, digits, '_' and '-'")
        return name

    @field_validator("settings")
    @classmethod
    def _admits(cls, settings: dict[str, Setting]) -> dict[str, Setting]:
        for name, setting in settings.items():
            if not name.isidentifier() or setting.default is None or not setting.admits(setting.default):
                raise ValueError(f"the setting '{name}' needs a name in one word, and a default that it admits")
        return settings

    @property
    def systems(self) -> tuple[str, ...]:
        """The rulesets that it names; if it names none, its Python code decides."""
        return (self.ruleset,) if self.ruleset is not None else tuple(self.rulesets)


@dataclass(frozen=True)
class Source:
    """The origin of a value: `vcc/ruleset.yaml:12`, or the house rule that set it, with the value before."""

    name: str
    file: str
    line: int
    column: int
    was: Any = None

    def __str__(self) -> str:
        return f"{self.name} ({self.file}:{self.line}:{self.column})"


@dataclass(frozen=True)
class Patch:
    """The changes of a house rule to one ruleset; `root` is their path in its file."""

    name: str
    title: str
    ruleset: str
    document: Document
    changes: tuple[_Change, ...]
    root: KeyPath = ("changes",)

    @property
    def settings(self) -> dict[str, tuple[Any, int]]:
        """The `set` changes: name -> (value, index of the change)."""
        return {change.set: (change.to, index) for index, change in enumerate(self.changes) if change.set}


@dataclass(frozen=True)
class Manifest:
    """The YAML file of a house rule, as read."""

    file: RuleFile
    document: Document

    def refusal(self, path: KeyPath, message: str) -> FileError:
        """Return the error for a fault at a path of the file."""
        return FileError([self.document.error(path, message)])

    def patches(self, ruleset: str) -> list[Patch]:
        """Return its changes to a ruleset."""
        file, found = self.file, []
        if file.changes and ruleset in file.systems:
            found.append(Patch(file.house_rule, file.title, ruleset, self.document, tuple(file.changes)))
        if changes := file.patches.get(ruleset):
            root = ("patches", ruleset)
            found.append(Patch(file.house_rule, file.title, ruleset, self.document, tuple(changes), root))
        return found


def manifest_in(document: Document) -> Manifest:
    """Validate the YAML of a house rule; raise FileError with all faults."""
    return Manifest(document.validate(RuleFile), document)


def apply_patches(base: dict[str, Any], patches: Sequence[Patch]) -> tuple[dict[str, Any], dict[KeyPath, Source]]:
    """Return the data with all patches applied in order, and the source of each changed path.

    `base` is not changed. Raises FileError with all problems of all patches. Settings (`set`) are only checked for
    being set once; `zareba.registry` reads their values.
    """
    data: dict[str, Any] = copy_of(base)
    changed: dict[KeyPath, Source] = {}
    set_by: dict[str, str] = {}
    problems: list[Problem] = []
    for patch in patches:
        for index, change in enumerate(patch.changes):
            if change.set is not None:
                first = set_by.setdefault(change.set, patch.name)
                if first != patch.name or sum(other.set == change.set for other in patch.changes) > 1:
                    path = (*patch.root, index, "set")
                    problems.append(patch.document.error(path, f"'{change.set}' is already set by {first}; keep one"))
                continue
            problem = _apply_change(data, changed, patch, index)
            if problem is not None:
                problems.append(problem)
    if problems:
        raise FileError(problems)
    return data, changed


def change_of(changed: Mapping[KeyPath, Source], path: KeyPath) -> Source | None:
    """Return the change of the value at a path, or of something that contains it; None if there is none."""
    return next((changed[path[:length]] for length in range(len(path), 0, -1) if path[:length] in changed), None)


def change_below(changed: Mapping[KeyPath, Source], path: KeyPath) -> Source | None:
    """Return the first change of something inside the value at a path; None if there is none."""
    return next((source for other, source in changed.items() if other[: len(path)] == path), None)


def _apply_change(data: dict[str, Any], changed: dict[KeyPath, Source], patch: Patch, index: int) -> Problem | None:
    """Apply one change of a patch to the data and note it in `changed`. Return its fault instead if it has one."""
    change = patch.changes[index]
    verb = change.verb
    section, *keys = getattr(change, verb).split(".")
    path = (renamed_section(section), *keys)
    dotted = ".".join(path)
    place = (*patch.root, index, verb)
    if fault := _why_unchangeable(path, verb):
        return patch.document.error(place, fault)
    if change.when and path[0] in ("tallies", "sequence", _CONDITIONAL_VALUES):
        reason = f"{path[0]} does not change during a game"
        if path[0] == "tallies":
            reason = "a line of a tally has its own 'when'"
        return patch.document.error((*patch.root, index, "when"), f"{reason}; {dotted} cannot be conditional")
    if other := _earlier_change(data, changed, patch, change, path):
        return patch.document.error(
            place, f"{dotted} is already changed by {other}; two house rules may not change one value"
        )
    if fault := _why_no_entry(data, path, may_be_new=verb == "add"):
        return patch.document.error(place, fault)
    parent: Any = data
    for key in path[:-1]:
        parent = parent[key]
    key = path[-1]
    if verb == "add" and key in parent:
        return patch.document.error(place, f"{dotted} already exists; use 'at' with 'was' and 'to' to change it")
    before = parent.get(key)
    if verb == "at" and (before != change.was or type(before) is not type(change.was)):
        return patch.document.error(
            (*patch.root, index, "was"), f"{dotted} is {before!r}, not {change.was!r}; check it with 'zareba explain'"
        )
    line, column = patch.document.place(place)
    source = Source(f"house rule {patch.name}", patch.document.file, line, column, before)
    if change.when:
        name = f"{patch.name}, {dotted}, {index + 1}"
        entry = {"at": dotted, "to": change.to, "when": change.when, "by": patch.name}
        data[_CONDITIONAL_VALUES] = {**data.get(_CONDITIONAL_VALUES, {}), name: copy_of(entry)}
        changed[_CONDITIONAL_VALUES, name] = source
        return None
    changed[path] = source
    if verb == "remove":
        del parent[key]
    else:
        parent[key] = copy_of(change.to if verb == "at" else change.entry)
    return None


def _why_unchangeable(path: tuple[str, ...], verb: str) -> str:
    """Return why no house rule may change the entry at a path; "" if it may."""
    if path[0] == "settings":
        return "settings are changed with 'set: NAME, to: VALUE'"
    if path[0] == "ruleset":
        return "the id of a ruleset cannot be changed; its title and everything else can"
    if verb == "remove" and len(path) == 1:
        return f"{path[0]} cannot be removed as a whole; remove an entry, as in {path[0]}.NAME"
    return ""


def _earlier_change(
    data: Mapping[str, Any], changed: Mapping[KeyPath, Source], patch: Patch, change: _Change, path: tuple[str, ...]
) -> Source | None:
    """Return an earlier change of the same value, of one that contains it, or of one inside it; None if there is
    none.
    """
    for changed_path, source in changed.items():
        is_conditional = changed_path[0] == _CONDITIONAL_VALUES
        if is_conditional and change.when and source.name == f"house rule {patch.name}":
            continue  # one house rule may give a value under several conditions
        other = changed_path
        if is_conditional:
            other = tuple(data[_CONDITIONAL_VALUES][changed_path[1]]["at"].split("."))
        if other[: len(path)] == path or path[: len(other)] == other:
            return source
    return None


def _why_no_entry(data: Mapping[str, Any], path: tuple[str, ...], *, may_be_new: bool) -> str:
    """Return why the data have no entry at a path, with the most similar name; "" if they have.

    With `may_be_new` only the entries above it must exist.
    """
    parent: Any = data
    for depth, key in enumerate(path):
        is_last = depth == len(path) - 1
        if not isinstance(parent, dict):
            return f"{'.'.join(path[:depth])} is a value; it has no entries"
        if key not in parent:
            if is_last and may_be_new:
                return ""
            guess = nearest(key, parent)
            hint = f"; did you mean '{'.'.join([*path[:depth], guess])}'?" if guess else ""
            return f"there is no {'.'.join(path[: depth + 1])}{hint}"
        parent = parent[key]
    return ""
