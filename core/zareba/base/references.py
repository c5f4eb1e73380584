"""References in YAML: names that must match an entry elsewhere, such as the weapon of a profile or a unit of a
scenario.

A house rule may remove such an entry or change a name. This module finds references without an entry before play
starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from zareba.base.errors import nearest
from zareba.base.yamlfile import KeyPath


class RefersTo:
    """Marks a text as the key of an entry: `Annotated[StrictStr, RefersTo("weapons")]`.

    `sections` are fields of the file's model (dicts or models), or fields of these (`supported_words.traits`); the key
    may be in any of them. `besides` lists words that need no entry, such as `none`. The attribute `own` of the model
    that contains the mark lists more such words.
    """

    def __init__(self, *sections: str, besides: tuple[str, ...] = (), own: str = "") -> None:
        self.sections = sections
        self.besides = besides
        self.own = own


@dataclass(frozen=True)
class Dangling:
    """A reference at `path` without an entry; `missing` are the paths where an entry could be."""

    path: KeyPath
    missing: tuple[KeyPath, ...]
    message: str


def marked_names(file: BaseModel) -> Iterator[tuple[KeyPath, str, RefersTo, BaseModel]]:
    """Yield all references in a file, in order: path, name, mark, and the model that contains the reference."""
    return _names(type(file), (), file, (), file)


def dangling(file: BaseModel, *within: BaseModel) -> Iterator[Dangling]:
    """Yield the references in a file that have no entry in it or, if given, in the files `within`, in order.

    Among several files, the first one that has the section counts. A reference is ignored if none of the files has the
    section.
    """
    for path, name, mark, owner in marked_names(file):
        known = dict(_keys(mark.sections, within or (file,)))
        if not known:
            continue
        besides = (*mark.besides, *(getattr(owner, mark.own) if mark.own else ()))
        if name in besides or any(name in keys for keys in known.values()):
            continue
        guess = nearest(name, [*besides, *(key for keys in known.values() for key in keys)])
        hint = f"; did you mean '{guess}'?" if guess else ""
        message = f"there is no '{name}' in {' or '.join(mark.sections)}{hint}"
        yield Dangling(path, tuple((*section.split("."), name) for section in mark.sections), message)


def _keys(sections: Sequence[str], files: Sequence[BaseModel]) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections that exist, each with its keys."""
    for section in sections:
        file = next((file for file in files if hasattr(file, section.partition(".")[0])), None)
        if file is not None:
            found = attrgetter(section)(file)
            yield section, list(found if isinstance(found, dict) else type(found).model_fields)


def _names(
    kind: Any, marks: Sequence[Any], value: Any, path: KeyPath, owner: BaseModel
) -> Iterator[tuple[KeyPath, str, RefersTo, BaseModel]]:
    """Yield the marked texts in a value of a declared type: path, text, mark, and the model that contains it."""
    if value is None or isinstance(value, (int, float)):
        return  # most values of a ruleset are numbers, and looking at their types takes long
    if get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        marks = [*marks, *more]
    if isinstance(value, BaseModel):
        for name, key, annotation, metadata in _fields(type(value)):
            yield from _names(annotation, metadata, getattr(value, name), (*path, key), value)
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            yield from _names(part, marks, value, path, owner)
    elif isinstance(value, str):
        yield from ((path, value, mark, owner) for mark in marks if isinstance(mark, RefersTo))
    elif isinstance(value, dict) and get_origin(kind) is dict:
        of_key, of_value = get_args(kind)
        keys_refer = _may_refer(of_key)
        for key, entry in value.items():
            if keys_refer:
                yield from _names(of_key, (), key, (*path, key), owner)
            yield from _names(of_value, (), entry, (*path, key), owner)
    elif isinstance(value, (list, tuple)) and get_origin(kind) in (list, tuple):
        of_entry = get_args(kind)[0]
        for index, entry in enumerate(value):
            yield from _names(of_entry, (), entry, (*path, index), owner)


@cache
def _fields(model: type[BaseModel]) -> list[tuple[str, str, Any, Sequence[Any]]]:
    """Return the fields of a model that may contain references: name, key, type and marks."""
    return [
        (name, field.alias or name, field.annotation, field.metadata)
        for name, field in model.model_fields.items()
        if any(isinstance(mark, RefersTo) for mark in field.metadata) or _may_refer(field.annotation)
    ]


def _may_refer(kind: Any) -> bool:
    """Return False if no value of a declared type can contain a reference."""
    if get_origin(kind) is Literal:
        return False
    if get_origin(kind) is Annotated:
        of_value, *marks = get_args(kind)
        return any(isinstance(mark, RefersTo) for mark in marks) or _may_refer(of_value)
    if get_origin(kind) is not None:
        return any(_may_refer(part) for part in get_args(kind))
    return kind not in (str, int, float, bool, NoneType, Ellipsis)
