"""Records, lists and dicts that save their old content in a log before they are written to.

For each class of record there is one logged subclass with the same fields and methods. A record changes its class when
it is put under a log, but stays the same object, so references to it stay valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from threading import RLock
from typing import Any, TypeAlias, get_args, get_origin

from zareba.base import memento
from zareba.base.state import CopyOnWrite, field_kinds, is_record, optional

__all__ = ["FLAT", "Entry", "FlatDict", "FlatList", "Logged", "LoggedDict", "LoggedList", "LoggedRecords", "as_they_are", "compared_fields", "fields_held", "flat_fields", "is_logged", "logged_kind", "writing_to"]  # fmt: skip

Entry: TypeAlias = "tuple[Any, str | None, Any]"
"""An object, the field written to (None: the content of a list or dict), and the old content."""

_one_at_a_time = RLock()
_open: list[Entry] = []


@contextmanager
def writing_to(entries: list[Entry]) -> Iterator[None]:
    """Record writes to all logged objects in these entries."""
    global _open
    with _one_at_a_time:
        outer, _open = _open, entries
        try:
            yield
        finally:
            _open = outer


class Logged:
    """Base class of objects under a log."""

    __slots__ = ()


def is_logged(one: object) -> bool:
    """Return True if writes to a record, list or dict are recorded in a rollback log."""
    return isinstance(one, Logged)


def _write(self: Any, name: str, value: Any) -> None:
    _open.append((self, name, getattr(self, name)))
    object.__setattr__(self, name, value)


_logged: dict[type, type] = {}
fields_held: dict[type, tuple[str, ...]] = {}
"""The fields of a class of record that may hold objects to put under the log."""
flat_fields: dict[type, frozenset[str]] = {}
"""The fields among them that are lists or dicts of plain values, with no objects to put under the log."""


def logged_kind(kind: type) -> type:
    """Return the logged subclass of a class of record."""
    if kind not in _logged:
        names = compared_fields(kind)

        def equal(self: Any, other: object) -> Any:
            if self is other:
                return True
            if getattr(type(other), "plain", type(other)) is not kind:
                return NotImplemented
            return all(getattr(self, name) == getattr(other, name) for name in names)

        def made_anew(_: type, *args: Any, **kwargs: Any) -> Any:
            return kind(*args, **kwargs)  # called by `dataclasses.replace`; the new record is not under the log

        body = {
            "__slots__": (),
            "__new__": made_anew,
            "__setattr__": _write,
            "__eq__": equal,
            "__hash__": kind.__hash__,
            "plain": kind,
        }
        _logged[kind] = type(kind.__name__, (Logged, kind), body)
        held = [(name, hint) for name, hint, is_shared in field_kinds(kind) if not is_shared and _holds(hint)]
        fields_held[kind] = tuple([name for name, _ in held])
        flat_fields[kind] = frozenset([name for name, hint in held if _is_flat(hint)])
    return _logged[kind]


@cache
def compared_fields(kind: type) -> tuple[str, ...]:
    """Return the fields of a class of record that are part of the game; shared fields are not."""
    return tuple([name for name, _, is_shared in field_kinds(kind) if not is_shared])


@cache
def as_they_are(kind: type) -> frozenset[str]:
    """Return the fields among them with values that can be compared directly."""
    return memento.value_fields(kind)


def _holds(hint: Any) -> bool:
    inner = optional(hint)
    if inner is not None:
        return _holds(inner)
    return get_origin(hint) in (list, dict, CopyOnWrite) or (is_record(hint) and hasattr(hint, "__dataclass_fields__"))


def _is_flat(hint: Any) -> bool:
    inner = optional(hint)
    if inner is not None:
        return _is_flat(inner)
    return get_origin(hint) in (list, dict) and not _holds(get_args(hint)[-1]) and get_args(hint)[-1] is not Any


def _remembering(name: str, kind: type) -> Callable[..., Any]:
    do = getattr(kind, name)

    @wraps(do)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        _open.append((self, None, kind(self)))
        return do(self, *args, **kwargs)

    return call


class LoggedList(Logged, list[Any]):
    """A list under a log."""

    __slots__ = ()


class LoggedDict(Logged, dict[Any, Any]):
    """A dict under a log."""

    __slots__ = ()


for _name in [
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "__setitem__",
    "__delitem__",
    "__iadd__",
    "__imul__",
]:
    setattr(LoggedList, _name, _remembering(_name, list))
for _name in ["pop", "popitem", "clear", "update", "setdefault", "__setitem__", "__delitem__", "__ior__"]:
    setattr(LoggedDict, _name, _remembering(_name, dict))


class LoggedRecords(LoggedDict, CopyOnWrite[Any, Any]):
    """A copy-on-write mapping under a log. It never shares its records; a copy of it has its own copies."""

    __slots__ = ()

    def __init__(self, records: Any) -> None:
        dict.__init__(self, records)
        self._own = set()

    def change(self, key: Any) -> Any:
        return self[key]

    def copy(self) -> Any:
        return CopyOnWrite({key: record.copy() for key, record in self.items()})


class FlatList(LoggedList):
    """A list of plain values."""

    __slots__ = ()


class FlatDict(LoggedDict):
    """A dict of plain values."""

    __slots__ = ()


FLAT = (FlatList, FlatDict)
