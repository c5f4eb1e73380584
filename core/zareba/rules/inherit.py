"""Merge the YAML of a ruleset that extends another ruleset into the file that it extends, entry by entry.

    ruleset: vcc_club
    extends: vcc
    title: Victorian Colonial Combat, club edition
    weapons:
      rifle: {long: 4}            # changes one number of an existing entry
    obstacles:
      fence: null                 # removes an existing entry
    add:
      weapons:
        martini: {rule: ...}      # adds an entry that the other file does not have

Entries that the file does not mention are inherited. A key that the other file does not have is an error unless it is
below `add`, so that a misspelt name never goes unnoticed. A list is replaced as a whole.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from zareba.base.errors import FileError, Problem, nearest
from zareba.base.yamlfile import Document, KeyPath
from zareba.rules.patch import Source, change_below, change_of

EXTENDS, ADD = "extends", "add"
_HEAD = frozenset({"ruleset", "title", "version", "authors"})
"""Keys that an extending ruleset states for itself. They are not changes of the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedDocument(Document):
    """A ruleset file merged into the file that it extends. `data` holds the result, `places` the lines of this file.

    `changes` gives the origin of each value that this file changes, adds or removes, with its value before.
    """

    parent: Document
    changes: Mapping[KeyPath, Source]

    def owner(self, path: KeyPath) -> Document:
        """Return the file that gives the value at a path: this one, or one that it extends."""
        return self if change_of(self.changes, path) is not None else self.parent.owner(path)

    def error(self, path: KeyPath, message: str) -> Problem:
        """Return a problem at `path`, located at this file's change of the value or of something in it, if there is
        one.
        """
        source = change_of(self.changes, path) or change_below(self.changes, path)
        if source is None:
            return self.parent.error(path, message)
        return Problem(self.file, source.line, source.column, ".".join(map(str, path)), message)


def changes_of(document: Document) -> Mapping[KeyPath, Source]:
    """Return what a file changes in the file that it extends; nothing if it extends none."""
    return document.changes if isinstance(document, ExtendedDocument) else MappingProxyType({})


def extend(own: Document, parent: Document, model: type[BaseModel]) -> ExtendedDocument:
    """Return a file merged into the `parent` that it extends; raise FileError with all its faults.

    Optional fields of `model` may be given without `add`.
    """
    merging = _Merging(own, parent, model)
    entries: dict[str, Any] = {key: value for key, value in own.data.items() if key not in (EXTENDS, ADD)}
    data: dict[str, Any] = copy.deepcopy(parent.data)
    merging.change(entries, data, ())
    added = own.data.get(ADD, {})
    if isinstance(added, dict) and (added or ADD not in own.data):
        merging.add(added, data, ())
    else:
        merging.refuse((ADD,), (), "expected the new entries, each in its section; write 'add: {SECTION: {NAME: ...}}'")
    if merging.problems:
        raise FileError(merging.problems)
    places = {path[1:] if path[:1] == (ADD,) else path: place for path, place in own.places.items() if path != (ADD,)}
    return ExtendedDocument(own.file, data, places, own.odd_spaces, parent=parent, changes=merging.changes)


class _Merging:
    """Merges the entries of one file, and collects the changes and the faults."""

    def __init__(self, own: Document, parent: Document, model: type[BaseModel]) -> None:
        self.own = own
        self.base = str(parent.data.get("ruleset", parent.file))
        self.model = model
        self.problems: list[Problem] = []
        self.changes: dict[KeyPath, Source] = {}

    def refuse(self, path: KeyPath, root: KeyPath, message: str) -> None:
        """Add a fault at a path below `root` of the file, which is () or `add`."""
        self.problems.append(self.own.error((*root, *path), message))

    def change(self, entries: Mapping[str, Any], into: dict[str, Any], above: KeyPath) -> None:
        """Change and remove existing entries."""
        for key, value in entries.items():
            path = (*above, key)
            if key not in into and (value is None or key not in _fields_at(self.model, above)):
                self.refuse(path, (), self._unknown_key_message(key, into, above, value))
            elif value is None:
                self._note_change(path, (), into.pop(key))
            elif isinstance(value, dict) and isinstance(into.get(key), dict):
                if not value:
                    self.refuse(path, (), "an empty mapping changes nothing; write null to remove the entry")
                self.change(value, into[key], path)
            elif above == ("settings",) and not isinstance(value, dict):
                self.refuse(path, (), f"write what changes in the setting, as in '{key}: {{default: {_yaml(value)}}}'")
            else:
                self._note_change(path, (), into.get(key))
                into[key] = copy.deepcopy(value)

    def add(self, entries: Mapping[str, Any], into: dict[str, Any], above: KeyPath) -> None:
        """Add new entries below existing ones."""
        for key, value in entries.items():
            path = (*above, key)
            if key not in into and value is not None:
                self._note_change(path, (ADD,), None)
                into[key] = copy.deepcopy(value)
            elif isinstance(value, dict) and value and isinstance(into.get(key), dict):
                self.add(value, into[key], path)
            elif key in into:
                dotted = ".".join(map(str, path))
                self.refuse(path, (ADD,), f"{self.base} already has {dotted}; write it outside 'add' to change it")
            else:
                self.refuse(path, (ADD,), "a new entry needs a value; write null outside 'add' to remove an entry")

    def _unknown_key_message(self, key: str, into: Mapping[str, Any], above: KeyPath, value: object) -> str:
        dotted, guess = ".".join(map(str, (*above, key))), nearest(key, into)
        if value is None:
            hint = f"did you mean '{guess}'?" if guess else "leave out this line"
            return f"{self.base} has no {dotted} to remove; {hint}"
        hint = f"did you mean '{guess}'? A new entry goes below 'add'" if guess else "a new entry goes below 'add'"
        return f"{self.base} has no {dotted}; {hint}"

    def _note_change(self, path: KeyPath, root: KeyPath, was: Any) -> None:
        line, column = self.own.place((*root, *path))
        self.changes[path] = Source(str(self.own.data.get("ruleset", "")), self.own.file, line, column, was)


def _yaml(value: object) -> str:
    """Return a single value as it is written in YAML."""
    return json.dumps(value) if isinstance(value, (str, bool)) else str(value)


def _fields_at(model: type[BaseModel], path: KeyPath) -> set[str]:
    """Return the names of the fields that the mapping at a path of the model may have; empty if its keys are free."""
    kinds: list[Any] = [model]
    for step in path:
        kinds = [inner for kind in kinds for inner in _inside(kind, str(step))]
    models = [part for kind in kinds for part in _parts(kind) if _is_model(part)]
    return {field.alias or name for model in models for name, field in model.model_fields.items()}


def _inside(kind: Any, key: str) -> Iterator[Any]:
    """Yield the types that the value under a key of a type may have."""
    for part in _parts(kind):
        if _is_model(part):
            yield from (field.annotation for name, field in part.model_fields.items() if key in (name, field.alias))
        elif get_origin(part) is dict:
            yield get_args(part)[1]


def _parts(kind: Any) -> Iterator[Any]:
    """Yield the alternatives of a type, without `Annotated`."""
    if isinstance(kind, type) or get_origin(kind) is dict:
        yield kind
    else:
        for part in get_args(kind):
            yield from _parts(part)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
