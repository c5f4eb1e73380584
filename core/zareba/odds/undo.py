"""A log of what is written to a state: by it the state is taken back, brought forward again, and compared.

The records of a draft, and the lists and dicts in them, are put under a log once. From then on each remembers in it what
it said before it is written to. So going back costs as much as was written since, and so does telling two states apart that
began alike; what nobody writes to costs nothing. All stay the same objects, so the names that running rule code holds of
units and men stay true, and a stretch of it can be run again where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any, TypeAlias, get_args, get_origin

from zareba import memento
from zareba.state import CopyOnWrite, Record, field_kinds, is_record, optional

__all__ = ["UndoLog", "Written", "is_logged"]

Entry: TypeAlias = "tuple[Any, str | None, Any]"
"""An object, the field that was written to (None: what is in a list or dict), and what it said before."""
Written: TypeAlias = "list[Entry]"
"""The same with what is said now."""

_one_at_a_time = RLock()
_open: list[Entry] = []


class _Logged:
    """Under a log."""

    __slots__ = ()


def is_logged(one: object) -> bool:
    """Whether what is written to a record, list or dict stands in an undo log."""
    return isinstance(one, _Logged)


def _write(self: Any, name: str, value: Any) -> None:
    _open.append((self, name, getattr(self, name)))
    object.__setattr__(self, name, value)


_logged: dict[type, type] = {}
_deep: dict[type, tuple[str, ...]] = {}
"""The fields of a kind of record in which there may be something to be put under the log."""
_flat: dict[type, frozenset[str]] = {}
"""Those of them that are lists or dicts of values, with nothing in them to be put under the log."""
_compared: dict[type, tuple[str, ...]] = {}
"""The fields of a kind of record that say something about the game: not those that are shared."""


def _logged_kind(kind: type) -> type:
    """The kind of record that remembers, with the same fields and methods."""
    if kind not in _logged:
        names = _compared_fields(kind)

        def equal(self: Any, other: object) -> Any:
            if self is other:
                return True
            if getattr(type(other), "plain", type(other)) is not kind:
                return NotImplemented
            return all(getattr(self, name) == getattr(other, name) for name in names)

        body = {"__slots__": (), "__setattr__": _write, "__eq__": equal, "__hash__": kind.__hash__, "plain": kind}
        _logged[kind] = type(kind.__name__, (_Logged, kind), body)
        held = [(name, hint) for name, hint, is_shared in field_kinds(kind) if not is_shared and _holds(hint)]
        _deep[kind] = tuple([name for name, _ in held])
        _flat[kind] = frozenset([name for name, hint in held if _is_flat(hint)])
    return _logged[kind]


def _compared_fields(kind: type) -> tuple[str, ...]:
    if kind not in _compared:
        _compared[kind] = tuple([name for name, _, is_shared in field_kinds(kind) if not is_shared])
    return _compared[kind]


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

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        _open.append((self, None, kind(self)))
        return do(self, *args, **kwargs)

    return call


class _LoggedList(_Logged, list[Any]):
    __slots__ = ()


class _LoggedDict(_Logged, dict[Any, Any]):
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
    setattr(_LoggedList, _name, _remembering(_name, list))
for _name in ["pop", "popitem", "clear", "update", "setdefault", "__setitem__", "__delitem__", "__ior__"]:
    setattr(_LoggedDict, _name, _remembering(_name, dict))


class _LoggedRecords(_LoggedDict, CopyOnWrite[Any, Any]):
    """A copy-on-write whose records are its own for good; a copy of it has its own too."""

    __slots__ = ()

    def __init__(self, records: Any) -> None:
        dict.__init__(self, records)
        self._own = set()

    def change(self, key: Any) -> Any:
        return self[key]

    def copy(self) -> Any:
        return CopyOnWrite({key: record.copy() for key, record in self.items()})


class _FlatList(_LoggedList):
    """A list of values."""

    __slots__ = ()


class _FlatDict(_LoggedDict):
    """A dict of values."""

    __slots__ = ()


_FLAT = (_FlatList, _FlatDict)
_THE_VERY_ONE = object()
"""Says that a record or list is one that was there before; which one, is said beside it."""


class UndoLog:
    """What has been written to `state`, a draft that nobody else holds. It is written to only while the log is `open`."""

    __slots__ = ("_came", "_entries", "_homes", "_late", "_loose", "_not_flat", "_present", "_since", "state")

    def __init__(self, state: Record) -> None:
        self.state = state
        self._entries: list[Entry] = []
        self._homes: dict[int, tuple[Any, Any]] = {}
        """Where each object under the log was first found: in what, and where in it."""
        self._late: dict[int, Any] = {}
        """What was not there from the first, on whatever path it came."""
        self._present: dict[int, int] = {}
        """Of those that have come on the present path: after how many entries."""
        self._came: list[int] = []
        """The same, one after the other."""
        self._loose: dict[int, Any] = {}
        """Lists and dicts among them. Somebody may hold them by name, so they cannot be put under the log."""
        self._not_flat: dict[int, Any] = {}
        """Of these, those in which there may be records, lists and dicts."""
        self._since = 0
        self._log_record(state, None, None)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Let what is written stand in this log."""
        global _open
        with _one_at_a_time:
            outer, _open = _open, self._entries
            try:
                yield
            finally:
                _open = outer

    # --- putting under the log --------------------------------------------------------------------------------------------

    def _log_record(self, record: Any, parent: Any, place: Any) -> None:
        kind = type(record)
        record.__class__ = _logged_kind(kind)
        self._homes[id(record)] = parent, place
        for name in _deep[kind]:
            value = getattr(record, name)
            if value is not None:
                if name in _flat[kind]:
                    value = _FlatList(value) if isinstance(value, list) else _FlatDict(value)
                    self._homes[id(value)] = record, name
                else:
                    value = self._under_log(value, record, name)
                object.__setattr__(record, name, value)

    def _under_log(self, value: Any, parent: Any, place: Any) -> Any:
        if isinstance(value, Record):
            if hasattr(value, "__dataclass_fields__"):
                self._log_record(value, parent, place)
            return value
        if isinstance(value, CopyOnWrite):  # its records may be those of another state, too
            logged: Any = _LoggedRecords({key: one.copy() for key, one in value.items()})
        elif isinstance(value, dict):
            logged = _LoggedDict(value)
        elif isinstance(value, list):
            logged = _LoggedList(value)
        else:
            return value
        self._homes[id(logged)] = parent, place
        for key, one in list(enumerate(logged)) if isinstance(logged, list) else list(logged.items()):
            inner = self._under_log(one, logged, key)
            if inner is not one:
                (list if isinstance(logged, list) else dict).__setitem__(logged, key, inner)
        return logged

    def _admit(self, value: Any, parent: Any, place: Any) -> None:
        """Note that something has come into the state, if it has, and put it under the log as far as it can be."""
        number = id(value)
        if isinstance(value, Record):
            if not is_logged(value):
                if not hasattr(value, "__dataclass_fields__"):
                    return
                value.__class__ = _logged_kind(type(value))
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
        self._came.append(number)
        if isinstance(value, Record):
            for name in _deep[value.plain]:  # type: ignore[attr-defined]  # it is under the log
                self._admit(getattr(value, name), value, name)
        else:
            self._loose[number] = value
            self._entries.append((value, None, value.copy()))
            if not (isinstance(parent, Record) and place in _flat[parent.plain]):  # type: ignore[attr-defined]  # as above
                self._not_flat[number] = value
                self._admit_inside(value)

    def _admit_what_came(self) -> None:
        entries = self._entries
        while self._since < len(entries):
            owner, name, _ = entries[self._since]
            self._since += 1
            if name is not None:
                if name in _deep[owner.plain]:
                    self._admit(getattr(owner, name), owner, name)
            elif type(owner) not in _FLAT and (is_logged(owner) or id(owner) in self._not_flat):
                self._admit_inside(owner)
        for loose in list(self._not_flat.values()):
            self._admit_inside(loose)
        self._since = len(entries)

    def _admit_inside(self, owner: Any) -> None:
        for key, one in enumerate(owner) if isinstance(owner, list) else list(owner.items()):
            if isinstance(one, (Record, list, dict)):
                self._admit(one, owner, key)

    # --- going back and forth ------------------------------------------------------------------------------------------------

    def mark(self) -> int:
        """A place to which the state can be taken back."""
        self._admit_what_came()
        here = len(self._entries)
        self._note_loose()
        return here

    def _note_loose(self) -> None:
        for loose in self._loose.values():
            self._entries.append((loose, None, loose.copy()))
        self._since = len(self._entries)

    def back(self, mark: int) -> None:
        """Let the state say what it said at a mark; the mark stays good."""
        entries = self._entries
        while len(entries) > mark:
            owner, name, old = entries.pop()
            _put(owner, name, old)
        while self._came and self._present[self._came[-1]] > mark:
            number = self._came.pop()
            del self._present[number]
            if self._loose.pop(number, None) is not None:
                self._not_flat.pop(number, None)
        self._note_loose()

    def forward(self, written: Written) -> None:
        """Write again what was written from a mark, to which the state has been taken back, to where it was asked for."""
        entries = self._entries
        self._since = len(entries)
        for owner, name, new in written:
            if name is None:
                entries.append((owner, None, list(owner) if isinstance(owner, list) else dict(owner)))
            else:
                entries.append((owner, name, getattr(owner, name)))
            _put(owner, name, new)
        if self._late:
            self._admit_what_came()
        self._since = len(entries)

    def changed(self, mark: int) -> Written:
        """What has been written since a mark, as it stands now; what stands as it did is left out."""
        self._admit_what_came()
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
        """Tells states apart that have become of the one at a mark, by what has `changed` in what still belongs to the state."""
        by_owner: dict[int, list[Entry]] = {}
        moved = False  # whether something may have been taken out of its place
        for entry in changed:
            owner, name, _ = entry
            by_owner.setdefault(id(owner), []).append(entry)
            if type(owner) not in _FLAT if name is None else name in _deep[owner.plain]:
                moved = True
        said: dict[Any, Hashable] = {}
        gone: dict[int, list[int]] = {}
        met: list[int] = []
        for number, entries in by_owner.items():
            if self._is_later(number, mark):
                continue
            left = self._has_left(entries[0][0], mark) if moved else ()
            for one in left:
                gone.setdefault(one, []).append(number)
            if not left:
                self._say(number, entries, mark, met, said)
        while met:
            for number in gone.pop(met.pop(), ()):  # it has only been moved
                self._say(number, by_owner[number], mark, met, said)
        return frozenset(said.items())

    def _say(self, number: int, entries: Iterable[Entry], mark: int, met: list[int], said: dict[Any, Hashable]) -> None:
        for owner, name, now in entries:
            if name is None or name in _compared[owner.plain]:
                said[number, name] = self._said(now, mark, met)

    def _is_later(self, number: int, mark: int) -> bool:
        """Whether an object was not there yet at a mark."""
        return number in self._late and self._present.get(number, mark + 1) > mark

    def _has_left(self, one: Any, mark: int) -> Sequence[int]:
        """It, and what it is in, up to what has been taken out of the state since a mark; nothing if nothing has been."""
        passed: list[int] = []
        while one is not self.state:
            parent, place = self._homes[id(one)]
            if isinstance(parent, Record):
                is_there, name = getattr(parent, place) is one, place
            else:
                at_once = isinstance(parent, dict) and parent.get(place) is one
                is_there, name = at_once or any(other is one for other in _inside(parent)), None
            if not is_there:
                old = next((old for owner, n, old in self._entries[mark:] if owner is parent and n == name), None)
                was_there = old is one or (name is None and old is not None and any(it is one for it in _inside(old)))
                return [*passed, id(one)] if was_there else ()
            passed.append(id(one))
            one = parent
        return ()

    def _said(self, value: Any, mark: int, met: list[int]) -> Hashable:
        if isinstance(value, _Logged) and not self._is_later(id(value), mark):
            met.append(id(value))
            return _THE_VERY_ONE, id(value)
        if isinstance(value, Record):
            kind = getattr(type(value), "plain", type(value))
            if not hasattr(kind, "__dataclass_fields__"):
                return kind, memento.key(value)
            return kind, *[self._said(getattr(value, name), mark, met) for name in _compared_fields(kind)]
        if isinstance(value, (list, tuple)):
            return tuple([self._said(one, mark, met) for one in value])
        if isinstance(value, dict):
            return tuple([(name, self._said(one, mark, met)) for name, one in value.items()])
        return value  # type: ignore[no-any-return]  # scalars, and sets that cannot be changed


def _put(owner: Any, name: str | None, value: Any) -> None:
    if name is not None:
        object.__setattr__(owner, name, value)
    elif isinstance(owner, list):
        list.__setitem__(owner, slice(None), value)
    else:
        dict.clear(owner)
        dict.update(owner, value)


def _inside(held: Any) -> Any:
    return held if isinstance(held, list) else held.values()


def _same_items(now: Any, old: Any) -> bool:
    if now != old or (isinstance(now, dict) and list(now) != list(old)):
        return False
    return type(now) in _FLAT or all(
        a is b or not isinstance(a, (Record, list, dict)) for a, b in zip(_inside(now), _inside(old), strict=True)
    )
