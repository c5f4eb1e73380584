"""The rollback log for odds: writes to a draft can be rolled back, repeated and compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from threading import RLock
from typing import Any, TypeAlias, get_args, get_origin

from zareba.base import memento
from zareba.base.state import CopyOnWrite, Record, field_kinds, is_record, optional
from zareba.renamed import RenamedAttribute

# --- Records, lists and dicts that save their old content in a log before they are written to -------------------------
#
# For each class of record there is one logged subclass with the same fields and methods. A record changes its class
# when it is put under a log, but stays the same object, so references to it stay valid.


Entry: TypeAlias = "tuple[Any, str | None, Any]"
"""An object, the field written to (None: the content of a list or dict), and the old content."""

_one_at_a_time = RLock()
_open: list[Entry] = []


@contextmanager
def record_writes(entries: list[Entry]) -> Iterator[None]:
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


def is_logged(value: object) -> bool:
    """Return True if writes to a record, list or dict are recorded in a rollback log."""
    return isinstance(value, Logged)


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

        def make_unlogged(_: type, *args: Any, **kwargs: Any) -> Any:
            return kind(*args, **kwargs)  # called by `dataclasses.replace`; the new record is not under the log

        renamed = {
            old: attribute
            for base in kind.__mro__
            for old, attribute in vars(base).items()
            if isinstance(attribute, RenamedAttribute)
        }

        def write_renamed(self: Any, name: str, value: Any) -> None:
            """Log a write to an attribute under its present name: rewinding and comparing use that one."""
            if (attribute := renamed.get(name)) is not None:
                attribute.warn()
                name = attribute.new
            _write(self, name, value)

        body = {
            "__slots__": (),
            "__new__": make_unlogged,
            "__setattr__": write_renamed if renamed else _write,
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
def comparable_fields(kind: type) -> frozenset[str]:
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


# --- A log of writes to a state, for rolling it back, repeating the writes, and comparing states ----------------------
#
# The records of a draft, and the lists and dicts in them, are put under a log once. From then on each saves its old
# content in the log before it is written to. The cost of going back, or of comparing two states with the same start,
# depends only on the number of writes since. All objects keep their identity, so references held by running rule code
# stay valid and a stretch of code can run again in place.


Written: TypeAlias = "list[Entry]"
"""Writes, each with the value as it is now."""

_set = object.__setattr__
_VALUES = frozenset({int, str, float, bool, type(None), frozenset})
"""Types that are compared by value."""
_MOST_CACHED = 50_000
_THE_VERY_ONE = object()
"""Marks a record or list that was there before; its id follows."""


class RollbackLog:
    """The log of writes to `state`, a draft with no other owner. Write to the draft only while the log is `open`."""

    __slots__ = (
        "_added_ids",
        "_contents",
        "_entries",
        "_homes",
        "_late",
        "_loose",
        "_not_flat",
        "_present",
        "_since",
        "state",
    )

    def __init__(self, state: Record) -> None:
        self.state = state
        self._entries: list[Entry] = []
        self._homes: dict[int, tuple[Any, Any]] = {}
        """The container of each object under the log when first found, and the place in it."""
        self._late: dict[int, Any] = {}
        """Objects that were not in the state at the start, from all paths."""
        self._present: dict[int, int] = {}
        """For those added on the present path: the number of entries before them."""
        self._added_ids: list[int] = []
        """The ids of the same objects, in order."""
        self._loose: dict[int, Any] = {}
        """Lists and dicts among them. Code may hold references to them, so they cannot be put under the log."""
        self._not_flat: dict[int, Any] = {}
        """Those of them that may contain records, lists and dicts."""
        self._since = 0
        self._contents: dict[int, tuple[Record, Hashable]] = {}
        """The content of records in tuples, which never change; there are many of them, such as casualty markers."""
        self._log_record(state, None, None)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Record writes in this log."""
        with record_writes(self._entries):
            yield

    def __len__(self) -> int:
        """Return the number of writes on the present path."""
        return len(self._entries)

    # --- putting objects under the log --------------------------------------------------------------------------------

    def _log_record(self, record: Any, parent: Any, place: Any) -> None:
        kind = type(record)
        record.__class__ = logged_kind(kind)
        self._homes[id(record)] = parent, place
        for name in fields_held[kind]:
            value = getattr(record, name)
            if value is not None:
                if name in flat_fields[kind]:
                    value = FlatList(value) if isinstance(value, list) else FlatDict(value)
                    self._homes[id(value)] = record, name
                else:
                    value = self._under_log(value, record, name)
                object.__setattr__(record, name, value)

    def _under_log(self, value: Any, parent: Any, place: Any) -> Any:
        if isinstance(value, Record):
            if hasattr(value, "__dataclass_fields__"):
                self._log_record(value, parent, place)
            return value
        if isinstance(value, CopyOnWrite):  # its records may be shared with another state
            logged: Any = LoggedRecords({key: item.copy() for key, item in value.items()})
        elif isinstance(value, dict):
            logged = LoggedDict(value)
        elif isinstance(value, list):
            logged = LoggedList(value)
        else:
            return value
        self._homes[id(logged)] = parent, place
        for key, item in list(enumerate(logged)) if isinstance(logged, list) else list(logged.items()):
            inner = self._under_log(item, logged, key)
            if inner is not item:
                (list if isinstance(logged, list) else dict).__setitem__(logged, key, inner)
        return logged

    def _admit(self, value: Any, parent: Any, place: Any) -> None:
        """Register a value if it is new in the state, and put it under the log as far as possible."""
        number = id(value)
        if isinstance(value, Record):
            if not is_logged(value):
                if not hasattr(value, "__dataclass_fields__"):
                    return
                value.__class__ = logged_kind(type(value))
                self._late[number] = value
            elif number not in self._late:
                return
        elif not isinstance(value, (list, dict)) or is_logged(value):
            return
        if number in self._present:
            return
        self._late[number] = value
        self._homes[number] = parent, place
        self._present[number] = len(self._entries)
        self._added_ids.append(number)
        if isinstance(value, Record):
            for name in fields_held[value.plain]:  # type: ignore[attr-defined]  # it is under the log
                self._admit(getattr(value, name), value, name)
        else:
            self._loose[number] = value
            self._entries.append((value, None, value.copy()))
            if not (isinstance(parent, Record) and place in flat_fields[parent.plain]):  # type: ignore[attr-defined]  # as above
                self._not_flat[number] = value
                self._admit_inside(value)

    def _admit_new_values(self) -> None:
        entries = self._entries
        while self._since < len(entries):
            owner, name, _ = entries[self._since]
            self._since += 1
            if name is not None:
                if name in fields_held[owner.plain]:
                    self._admit(getattr(owner, name), owner, name)
            elif type(owner) not in FLAT and (is_logged(owner) or id(owner) in self._not_flat):
                self._admit_inside(owner)
        for loose in list(self._not_flat.values()):
            self._admit_inside(loose)
        self._since = len(entries)

    def _admit_inside(self, owner: Any) -> None:
        late = self._late
        for key, item in enumerate(owner) if isinstance(owner, list) else list(owner.items()):
            if id(item) in late if isinstance(item, Logged) else isinstance(item, (Record, list, dict)):
                self._admit(item, owner, key)

    # --- rolling back and repeating -----------------------------------------------------------------------------------

    def mark(self) -> int:
        """Return a mark to which the state can be taken back."""
        if self._since < len(self._entries) or self._not_flat:
            self._admit_new_values()
        here = len(self._entries)
        if self._loose:
            self._note_loose()
        return here

    def _note_loose(self) -> None:
        for loose in self._loose.values():
            self._entries.append((loose, None, loose.copy()))
        self._since = len(self._entries)

    def rewind(self, mark: int) -> None:
        """Restore the state at a mark. The mark stays valid."""
        entries = self._entries
        for owner, name, old in reversed(entries[mark:]):
            if name is not None:
                _set(owner, name, old)
            else:
                _put(owner, old)
        del entries[mark:]
        while self._added_ids and self._present[self._added_ids[-1]] > mark:
            number = self._added_ids.pop()
            del self._present[number]
            if self._loose.pop(number, None) is not None:
                self._not_flat.pop(number, None)
        if self._loose:
            self._note_loose()
        self._since = len(entries)

    def forward(self, written: Written) -> None:
        """Repeat the writes that `changed` returned. The state must be back at the mark that they were made from."""
        entries = self._entries
        self._since = len(entries)
        for owner, name, new in written:
            if name is None:
                entries.append((owner, None, list(owner) if isinstance(owner, list) else dict(owner)))
                _put(owner, new)
            else:
                entries.append((owner, name, getattr(owner, name)))
                _set(owner, name, new)
        if self._late:
            self._admit_new_values()
        self._since = len(entries)

    def changed(self, mark: int) -> Written:
        """Return the writes since a mark with their present values, without values that are unchanged."""
        self._admit_new_values()
        entries = self._entries
        first = {(id(owner), name): (owner, name, old) for owner, name, old in reversed(entries[mark:])}
        found: Written = []
        for owner, name, old in first.values():
            if name is None:
                if not _same_items(owner, old):
                    found.append((owner, None, list(owner) if isinstance(owner, list) else dict(owner)))
            else:
                now = getattr(owner, name)
                if now is not old and (now != old or isinstance(now, (Record, list, dict))):
                    found.append((owner, name, now))
        return found

    def key(self, changed: Written, mark: int) -> Hashable:
        """Return a key for the state reached from a mark, made from the `changed` writes to objects still in it."""
        by_owner: dict[int, list[Entry]] = {}
        moved = False  # True if an object may have been removed from its place
        for entry in changed:
            owner, name, _ = entry
            by_owner.setdefault(id(owner), []).append(entry)
            if type(owner) not in FLAT if name is None else name in fields_held[owner.plain]:
                moved = True
        content: dict[Any, Hashable] = {}
        gone: dict[int, list[int]] = {}
        met: list[int] = []
        for number, entries in by_owner.items():
            if self._is_later(number, mark):
                continue
            left = self._has_left(entries[0][0], mark) if moved else ()
            for item in left:
                gone.setdefault(item, []).append(number)
            if not left:
                self._say(number, entries, mark, met, content)
        while met:
            for number in gone.pop(met.pop(), ()):  # it was only moved
                self._say(number, by_owner[number], mark, met, content)
        return frozenset(content.items())

    def _say(
        self, number: int, entries: Iterable[Entry], mark: int, met: list[int], content: dict[Any, Hashable]
    ) -> None:
        for owner, name, now in entries:
            if name is None:
                content[number, None] = self._said(now, mark, met)
            elif name in comparable_fields(owner.plain):
                content[number, name] = now
            elif name in compared_fields(owner.plain):
                content[number, name] = self._said(now, mark, met)

    def _is_later(self, number: int, mark: int) -> bool:
        """Return True if an object was not yet in the state at a mark."""
        return number in self._late and self._present.get(number, mark + 1) > mark

    def _has_left(self, item: Any, mark: int) -> Sequence[int]:
        """Return the ids of an object and its containers, up to one removed since a mark; empty if none was removed."""
        passed: list[int] = []
        while item is not self.state:
            parent, place = self._homes[id(item)]
            if isinstance(parent, Record):
                is_there, name = getattr(parent, place) is item, place
            else:
                at_once = isinstance(parent, dict) and parent.get(place) is item
                is_there, name = at_once or any(other is item for other in _inside(parent)), None
            if not is_there:
                old = next((old for owner, n, old in self._entries[mark:] if owner is parent and n == name), None)
                was_there = old is item or (name is None and old is not None and any(it is item for it in _inside(old)))
                return [*passed, id(item)] if was_there else ()
            passed.append(id(item))
            item = parent
        return ()

    def _said(self, value: Any, mark: int, met: list[int]) -> Hashable:
        if type(value) in _VALUES:
            return value  # type: ignore[no-any-return]  # it can be hashed
        if isinstance(value, Logged) and not self._is_later(id(value), mark):
            met.append(id(value))
            return _THE_VERY_ONE, id(value)
        if isinstance(value, Record):
            kind: Any = getattr(type(value), "plain", type(value))
            if not hasattr(kind, "__dataclass_fields__"):
                return kind, memento.key(value)
            return kind, *[self._said(getattr(value, name), mark, met) for name in compared_fields(kind)]
        if isinstance(value, tuple):
            return tuple([self._content_of(item) or self._said(item, mark, met) for item in value])
        if isinstance(value, list):
            return tuple([self._said(item, mark, met) for item in value])
        if isinstance(value, dict):
            return tuple([(name, self._said(item, mark, met)) for name, item in value.items()])
        return value  # type: ignore[no-any-return]  # scalars, and sets that cannot be changed

    def _content_of(self, item: Any) -> Hashable:
        """Return the content of a record of plain values inside a tuple, computed once; None for anything else."""
        known = self._contents.get(id(item))
        if known is not None:
            return known[1]
        kind: Any = type(item)
        if not isinstance(item, Record) or is_logged(item) or not hasattr(kind, "__dataclass_fields__"):
            return None
        names = compared_fields(kind)
        if not comparable_fields(kind).issuperset(names):
            return None
        if len(self._contents) >= _MOST_CACHED:
            self._contents.clear()
        content = kind, *[getattr(item, name) for name in names]
        self._contents[id(item)] = item, content
        return content


def _put(owner: Any, value: Any) -> None:
    if isinstance(owner, list):
        list.__setitem__(owner, slice(None), value)
    else:
        dict.clear(owner)
        dict.update(owner, value)


def _inside(held: Any) -> Any:
    return held if isinstance(held, list) else held.values()


def _same_items(now: Any, old: Any) -> bool:
    if now != old or (isinstance(now, dict) and list(now) != list(old)):
        return False
    return type(now) in FLAT or all(
        a is b or not isinstance(a, (Record, list, dict)) for a, b in zip(_inside(now), _inside(old), strict=True)
    )
