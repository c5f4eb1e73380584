"""Names in YAML that stand for entries elsewhere: the weapon of a profile, the ground of a hedge, a unit of a scenario.

A house rule may take such an entry out, or put another name in; what is then left without its entry is found here,
before anybody plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from zareba.base.errors import nearest
from zareba.base.yamlfile import KeyPath

__all__ = ["Dangling", "RefersTo", "dangling", "marked_names"]


class RefersTo:
    """Marks a text as the key of an entry: `Annotated[StrictStr, RefersTo("weapons")]`.

    `sections` are fields of the file's model, dicts or models, or fields of these (`spoken.traits`); the key may be in any
    of them. `besides` are words that need no entry, as `none`, and so are those of the attribute `own` of the model in
    which the mark stands.
    """

    def __init__(self, *sections: str, besides: tuple[str, ...] = (), own: str = "") -> None:
        self.sections = sections
        self.besides = besides
        self.own = own


@dataclass(frozen=True)
class Dangling:
    """A name at `path` without an entry: `missing` are the paths at which one could stand."""

    path: KeyPath
    missing: tuple[KeyPath, ...]
    message: str


def marked_names(file: BaseModel) -> Iterator[tuple[KeyPath, str, RefersTo, BaseModel]]:
    """Every name in a file that stands for an entry, in their order: its path, its mark, and the model in which it stands."""
    return _names(type(file), (), file, (), file)


def dangling(file: BaseModel, *within: BaseModel) -> Iterator[Dangling]:
    """Every name in a file that has no entry in it, or in the files `within` where others are meant; in their order.

    Of several files the first with such a section is meant; a name is let be where none of them has any.
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
    """The keys of the sections that are there."""
    for section in sections:
        file = next((file for file in files if hasattr(file, section.partition(".")[0])), None)
        if file is not None:
            found = attrgetter(section)(file)
            yield section, list(found if isinstance(found, dict) else type(found).model_fields)


def _names(
    kind: Any, marks: Sequence[Any], value: Any, path: KeyPath, owner: BaseModel
) -> Iterator[tuple[KeyPath, str, RefersTo, BaseModel]]:
    """The marked texts in a value of a declared kind, with their paths, each with the model in which it stands."""
    if get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        marks = [*marks, *more]
    if isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            yield from _names(
                field.annotation, field.metadata, getattr(value, name), (*path, field.alias or name), value
            )
    elif get_origin(kind) in (Union, UnionType):
        for one in get_args(kind):
            yield from _names(one, marks, value, path, owner)
    elif isinstance(value, str):
        yield from ((path, value, mark, owner) for mark in marks if isinstance(mark, RefersTo))
    elif isinstance(value, dict) and get_origin(kind) is dict:
        of_key, of_value = get_args(kind)
        for key, entry in value.items():
            yield from _names(of_key, (), key, (*path, key), owner)
            yield from _names(of_value, (), entry, (*path, key), owner)
    elif isinstance(value, (list, tuple)) and get_origin(kind) in (list, tuple):
        of_entry = get_args(kind)[0]
        for place, entry in enumerate(value):
            yield from _names(of_entry, (), entry, (*path, place), owner)
