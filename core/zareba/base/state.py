"""Records for game state: slotted dataclasses with a fast copy and JSON input and output.

`@record` makes a slotted dataclass and generates its `copy`, `to_data` and `from_data` from the types of its fields,
on first use. Copies share scalars, tuples and frozensets; lists and dicts are copied. Records in them are copied too,
except in a `CopyOnWrite`, where they are copied only when they change. A field made with `shared(...)` is neither
copied nor written: it holds data that does not change during a session, such as the resolved rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from hashlib import blake2b
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

__all__ = [
    "CopyOnWrite",
    "Record",
    "Value",
    "WithMarks",
    "WithSpec",
    "blank",
    "canonical_json",
    "digest",
    "facts",
    "field_kinds",
    "house_state",
    "if_set",
    "is_record",
    "optional",
    "record",
    "shared",
    "stored_as",
]

Value: TypeAlias = str | int | float | bool | tuple[Any, ...] | None
"""A value that a house rule may store: immutable, and written to JSON as it is (tuples as lists)."""

R = TypeVar("R", bound="type[Any]")
S = TypeVar("S", bound="Record")
K = TypeVar("K")


class Record:
    """The base class of records; `@record` generates these methods."""

    __slots__ = ()

    def copy(self: S) -> S:
        """Return an independent copy: changing it leaves the original alone."""
        raise TypeError(f"{type(self).__name__} is not decorated with @record")

    def to_data(self) -> dict[str, Any]:
        """Return the record as JSON-ready data; sets become sorted lists, tuples become lists."""
        raise TypeError(f"{type(self).__name__} is not decorated with @record")

    @classmethod
    def from_data(cls: type[S], data: dict[str, Any], like: S | None = None, **shared_values: Any) -> S:
        """Rebuild a record from the data of `to_data`. Shared fields are given by name or taken from a similar record
        `like`.

        Records in its dicts take their shared fields from the record with the same key in `like`. A shared field that
        may be None is a cache and is not taken.
        """
        raise TypeError(f"{cls.__name__} is not decorated with @record")


class WithMarks(Record):
    """A record with marks: words such as "prone" or "moved" that last until a rule removes them."""

    __slots__ = ()

    marks: frozenset[str]

    def mark(self, *names: str) -> None:
        """Add marks; marks that are already set stay."""
        self.marks = self.marks.union(names)  # type: ignore[misc]  # the slot is that of the record

    def unmark(self, *names: str) -> None:
        """Remove marks; marks that are not set are ignored."""
        self.marks = self.marks.difference(names)  # type: ignore[misc]  # as above


class WithSpec(WithMarks):
    """A record with marks for a unit or figure on the table; `spec` holds its unchanging data."""

    __slots__ = ()

    spec: Any

    @property
    def id(self) -> str:
        """The id in the scenario."""
        name: str = self.spec.id
        return name

    @property
    def side(self) -> str:
        """The side that it belongs to."""
        side: str = self.spec.side
        return side


class CopyOnWrite(dict[K, S]):
    """A dict of records that a copy shares with its original until one of the two changes them.

    It reads like any dict. Before writing to a record, get it with `change`; references read earlier are then out of
    date. A record assigned to a key belongs to this dict alone.
    """

    __slots__ = ("_own",)

    _own: set[K]

    def __init__(self, records: Mapping[K, S] | Iterable[tuple[K, S]] = ()) -> None:
        super().__init__(records)
        self._own = set(self)

    def __setitem__(self, key: K, value: S) -> None:
        super().__setitem__(key, value)
        self._own.add(key)

    def __reduce__(self) -> tuple[type[CopyOnWrite[K, S]], tuple[dict[K, S]]]:
        return CopyOnWrite, (dict(self),)

    def change(self, key: K) -> S:
        """Return the record under a key for writing; copies of this dict do not see the changes. Raises KeyError if
        absent.
        """
        if key in self._own:
            return self[key]
        mine = self[key] = self[key].copy()
        return mine

    def copy(self) -> CopyOnWrite[K, S]:
        """Return a dict of the same records; from now on neither dict owns them."""
        new = CopyOnWrite(self)
        new._own.clear()
        self._own.clear()
        return new


def shared(default: Any = MISSING, default_factory: Any = MISSING) -> Any:
    """Declare a field that all copies share and JSON leaves out."""
    return field(default=default, default_factory=default_factory, repr=False, compare=False, metadata={"shared": True})


def house_state(*, default_factory: Callable[[], dict[str, Value]]) -> Any:
    """Declare the field `own: dict[str, Value]` of a battle, the values that house rules store; see
    `zareba.house_rules.state_variables`.

    The field is copied, compared, hashed and written like any other. JSON leaves it out while it is empty, so that a
    game without house rules is written as before.
    """
    return field(default_factory=default_factory, metadata={"own": True})


def if_set(*, default: Value) -> Any:
    """Declare a field for a plain value that JSON leaves out while it has its default, so that the JSON of other
    battles does not change.
    """
    return field(default=default, metadata={"if_set": True})


def stored_as(key: str) -> Any:
    """Declare a field whose key in JSON is not its name in the code.

    The digests of journals depend on the keys of a state. A field that gets a new name therefore keeps its old key.
    """
    return field(metadata={"key": key})


@dataclass_transform(field_specifiers=(field, shared, house_state, if_set, stored_as))
def record(cls: R) -> R:
    """Make `cls` (a subclass of Record) a slotted dataclass with generated `copy`, `to_data` and `from_data`."""
    made: Any = dataclass(slots=True)(cls)
    made.copy = _on_first_use(made, "copy", _make_copy)
    made.to_data = _on_first_use(made, "to_data", _make_to_data)
    made.from_data = _from_data_on_first_use(made)
    return cast(R, made)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def facts(cls: R) -> R:
    """Make `cls` a class of facts: a slotted, hashable dataclass that type checkers treat as frozen.

    A dataclass that is frozen at run time is several times slower to construct, and facts are built for every shot of
    every simulated game. So only the type checker keeps them unchanged.
    """
    return cast(R, dataclass(slots=True, unsafe_hash=True, frozen=False)(cls))


def canonical_json(data: Any) -> str:
    """Return JSON without spaces. Keys keep their order, because the order of phases, modifiers and units matters."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(data: Any) -> str:
    """Return a 128-bit fingerprint of JSON-ready data, as 32 hexadecimal digits."""
    return blake2b(canonical_json(data).encode(), digest_size=16).hexdigest()


# --- generating the methods -------------------------------------------------------------------------------------------
# The type hints of a class can be resolved only when all names in them exist, so the methods are generated on first
# use.


def _on_first_use(cls: type[Any], name: str, make: Callable[[type[Any]], Callable[..., Any]]) -> Any:
    def first(self: Any) -> Any:
        method = make(cls)
        setattr(cls, name, method)
        return method(self)

    return first


def _from_data_on_first_use(cls: type[Any]) -> Any:
    def first(_: type[Any], /, data: dict[str, Any], like: Any = None, **values: Any) -> Any:
        method = _make_from_data(cls)
        cls.from_data = classmethod(method)
        return method(cls, data, like, **values)

    return classmethod(first)


def field_kinds(cls: type[Any]) -> list[tuple[str, Any, bool]]:
    """Return the name, the type and the shared flag of every field; raise TypeError for a type that cannot be copied or
    written faithfully.
    """
    hints = get_type_hints(cls)
    for f in fields(cls):
        if not f.metadata.get("shared") and (wrong := _unfit(hints[f.name])):
            raise TypeError(f"{cls.__name__}.{f.name}: {wrong}")
    return [(f.name, hints[f.name], bool(f.metadata.get("shared"))) for f in fields(cls)]


def blank(cls: type[S], **known: Any) -> S:
    """Return a record with the known fields; other required fields are 0, empty text or empty collections."""
    return cls(**{name: kind() for name, kind in _due(cast(Any, cls)).items() if name not in known} | known)


@cache
def _due(cls: Any) -> dict[str, Callable[[], Any]]:
    """Return the required fields of a record with their types."""
    hints = get_type_hints(cls)
    due = [f.name for f in fields(cls) if f.init and f.default is MISSING and f.default_factory is MISSING]
    return {name: get_origin(hints[name]) or hints[name] for name in due}


def _unfit(kind: Any) -> str | None:
    if kind in (list, dict, set, tuple, frozenset) or get_origin(kind) is set:
        return f"{kind} cannot be a field of a record; give the types of its items, and use frozenset for sets"
    if (
        get_origin(kind) in (dict, CopyOnWrite)
        and get_origin(get_args(kind)[0]) is not Literal
        and get_args(kind)[0] not in (str, int)
    ):
        return f"the keys of {kind} cannot be written as JSON; use str or int"
    return next((wrong for inner in get_args(kind) if (wrong := _unfit(inner))), None)


def is_record(kind: Any) -> bool:
    """Return True if a field type is a record class."""
    return isinstance(kind, type) and issubclass(kind, Record)


def optional(kind: Any) -> Any | None:
    """Return T for `T | None`, otherwise None."""
    if get_origin(kind) in (Union, UnionType):
        rest = [arg for arg in get_args(kind) if arg is not NoneType]
        if len(rest) == 1 and len(get_args(kind)) == 2:
            return rest[0]
    return None


def _copy_of(kind: Any, value: str) -> str:
    origin, args = get_origin(kind), get_args(kind)
    if is_record(kind):
        return f"{value}.copy()"
    if (inner := optional(kind)) is not None:
        copied = _copy_of(inner, value)
        return value if copied == value else f"({copied} if {value} is not None else None)"
    if origin is list or kind is list:
        copied = _copy_of(args[0], "v") if args else "v"
        return f"{value}[:]" if copied == "v" else f"[{copied} for v in {value}]"
    if origin is CopyOnWrite:
        return f"{value}.copy()"
    if origin is dict or kind is dict:
        copied = _copy_of(args[1], "v") if args else "v"
        return f"{value}.copy()" if copied == "v" else f"{{k: {copied} for k, v in {value}.items()}}"
    return value


def _make_copy(cls: type[Any]) -> Callable[..., Any]:
    lines = ["def copy(self):", "    new = make(cls)"]
    for name, kind, is_shared in field_kinds(cls):
        value = f"self.{name}"
        lines.append(f"    new.{name} = {value if is_shared else _copy_of(kind, value)}")
    lines.append("    return new")
    return _compiled("\n".join(lines), "copy", cls)


def _data_of(kind: Any, value: str) -> str:
    origin, args = get_origin(kind), get_args(kind)
    if is_record(kind):
        return f"{value}.to_data()"
    if (inner := optional(kind)) is not None:
        written = _data_of(inner, value)
        return value if written == value else f"({written} if {value} is not None else None)"
    if origin is tuple and args[1:] not in ((), (Ellipsis,)):
        items = [_data_of(item, f"{value}[{index}]") for index, item in enumerate(args)]
        return f"[{', '.join(items)}]"
    if origin in (list, tuple, frozenset):
        written = _data_of(args[0], "v") if args else "v"
        value = f"sorted({value})" if origin is frozenset else value
        return f"list({value})" if written == "v" else f"[{written} for v in {value}]"
    if origin in (dict, CopyOnWrite):
        written = _data_of(args[1], "v")
        return f"{{str(k): {written} for k, v in {value}.items()}}"
    return value


def _make_to_data(cls: type[Any]) -> Callable[..., Any]:
    own, rare, keys = _own(cls), _rare(cls), _keys_in_json(cls)
    pairs = [
        f"{keys.get(name, name)!r}: {_data_of(kind, f'self.{name}')}"
        for name, kind, is_shared in field_kinds(cls)
        if not is_shared and name not in own and name not in rare
    ]
    added = [f"    if self.{name}: data[{name!r}] = self.{name}.copy()" for name in own]
    added += [f"    if self.{name} != {value!r}: data[{name!r}] = self.{name}" for name, value in rare.items()]
    return _compiled(
        "\n".join(["def to_data(self):", f"    data = {{{', '.join(pairs)}}}", *added, "    return data"]),
        "to_data",
        cls,
    )


def _own(cls: type[Any]) -> list[str]:
    """Return the field that stores the values of house rules, as a list of one name or none."""
    return [f.name for f in fields(cls) if f.metadata.get("own")]


def _rare(cls: type[Any]) -> dict[str, Any]:
    """Return the fields that are written only if they are set, with their defaults."""
    return {f.name: f.default for f in fields(cls) if f.metadata.get("if_set")}


def _keys_in_json(cls: type[Any]) -> dict[str, str]:
    """Return the keys in JSON of the fields that have another key than their name."""
    return {f.name: f.metadata["key"] for f in fields(cls) if "key" in f.metadata}


def _from_json_value(value: Any) -> Any:
    """Convert a value read from JSON to its original form: lists become tuples."""
    return tuple(map(_from_json_value, value)) if isinstance(value, list) else value


def _read(kind: Any) -> Callable[[Any, Any], Any]:
    """Return a function that reads a value of a type from data; its second argument is the value in a similar record,
    or None.
    """
    origin, args = get_origin(kind), get_args(kind)
    if is_record(kind):
        return lambda data, like: kind.from_data(data, like=like)
    if (inner := optional(kind)) is not None:
        read_inner = _read(inner)
        return lambda data, like: None if data is None else read_inner(data, like)
    if origin is frozenset:
        read_member = _read(args[0])
        return lambda data, _: frozenset(read_member(item, None) for item in data)
    if origin is list:
        read_item = _read(args[0])
        return lambda data, _: [read_item(item, None) for item in data]
    if origin is tuple:
        items: Iterable[Any] = args
        if len(args) == 2 and args[1] is Ellipsis:
            read_item = _read(args[0])
            return lambda data, _: tuple(read_item(item, None) for item in data)
        readers = [_read(item) for item in items]
        return lambda data, _: tuple(read(item, None) for read, item in zip(readers, data, strict=True))
    if origin in (dict, CopyOnWrite):
        read_key: Callable[[str], Any] = int if args[0] is int else str
        read_value = _read(args[1])

        def read_all(data: dict[str, Any], like: Any) -> Any:
            known, found = like or {}, {read_key(key): value for key, value in data.items()}
            return origin((key, read_value(value, known.get(key))) for key, value in found.items())

        return read_all
    return lambda data, _: data


def _make_from_data(cls: type[Any]) -> Callable[..., Any]:
    own, rare, keys, kinds = _own(cls), _rare(cls), _keys_in_json(cls), field_kinds(cls)
    late = {*own, *rare}
    readers = [
        (name, keys.get(name, name), _read(kind))
        for name, kind, is_shared in kinds
        if not is_shared and name not in late
    ]
    lasting = [name for name, kind, is_shared in kinds if is_shared and optional(kind) is None]

    def from_data(_: type[Any], data: dict[str, Any], like: Any = None, **values: Any) -> Any:
        kept: dict[str, Any] = {
            name: {key: _from_json_value(value) for key, value in data.get(name, {}).items()} for name in own
        }
        kept |= {name: data.get(name, value) for name, value in rare.items()}
        same = {name: getattr(like, name) for name in lasting} if like is not None else {}
        read_now = {name: read(data[key], getattr(like, name, None)) for name, key, read in readers}
        return cls(**read_now, **kept, **{**same, **values})

    return from_data


def _compiled(source: str, name: str, cls: type[Any]) -> Callable[..., Any]:
    namespace: dict[str, Any] = {"cls": cls, "make": object.__new__}
    exec(compile(source, f"<{name} of {cls.__qualname__}>", "exec"), namespace)
    return cast(Callable[..., Any], namespace[name])
