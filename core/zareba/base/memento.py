"""Comparison keys and snapshots of records. A snapshot restores a state into the same objects.

A copy is a second state; a snapshot takes this state back. References that running rule code holds to units and
figures therefore stay valid, and a stretch of code can run again in place. The functions for each class are generated
once from the types of its fields, as `copy` is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias, cast, get_args, get_origin

from zareba.base.state import CopyOnWrite, Record, field_kinds, is_record, optional

__all__ = ["Saved", "detach", "key", "restore", "save", "value_fields"]

Saved: TypeAlias = "tuple[Any, ...]"
Key: TypeAlias = "tuple[Hashable, ...]"

_keys: dict[type, Callable[[Any], Key]] = {}
_saves: dict[type, Callable[[Any], Saved]] = {}
_deep: dict[type, list[tuple[str, str]]] = {}
_restores: dict[type, Callable[[Any, Saved], None]] = {}


def key(record: Record) -> Key:
    """Return the content of a record as a hashable key. For a `CopyOnWrite`, only the records changed since its copy
    was made are included.

    So keys can only compare states that come from the same copy.
    """
    kind = type(record)
    made = _keys.get(kind)
    if made is None:
        made = _keys[kind] = _make_key(_plain(kind))
    return made(record)


def save(record: Record) -> Saved:
    """Return the content of a record and of the records in it, with the objects that hold it."""
    kind = type(record)
    made = _saves.get(kind)
    if made is None:
        made = _saves[kind] = _make_save(_plain(kind))
        _restores[kind] = _make_restore(_plain(kind))
    return made(record)


def restore(record: Record, saved: Saved) -> None:
    """Restore a record to saved content; every record in it is the same object as before."""
    _restores[type(record)](record, saved)


def _plain(kind: type) -> type:
    """Return the record class as it was written; a class under a rollback log is a subclass
    (`zareba.odds.rollback`).
    """
    plain: type = getattr(kind, "plain", kind)
    return plain


def detach(record: Any) -> Any:
    """Return a copy that shares nothing with a record that will be restored later, not even copy-on-write entries."""
    kind = type(record)
    if _is_value(kind):
        return record
    deep = _deep.get(kind)
    if deep is None:
        deep = _deep[kind] = [
            (name, storage) for _, name, storage in _ways(kind) if "record" in storage or storage == "copy on write"
        ]
    owned = {
        name: getattr(record, name)._own & getattr(record, name).keys()
        for name, storage in deep
        if storage == "copy on write"
    }
    new = record.copy()
    for name, storage in deep:
        old = getattr(record, name)
        if storage == "copy on write":
            old._own = owned[name]
            for item in owned[name]:
                dict.__setitem__(getattr(new, name), item, detach(old[item]))
        elif storage == "record" and old is not None:
            setattr(new, name, detach(old))
        elif storage in ("list of records", "list of flat records"):
            setattr(new, name, [detach(item) for item in old])
        elif storage in ("dict of records", "dict of flat records"):
            setattr(new, name, {item: detach(inner) for item, inner in old.items()})
    return new


def value_fields(kind: type) -> frozenset[str]:
    """Return the fields of a record class that hold immutable, directly comparable values."""
    return frozenset(
        name
        for name, hint, is_shared in field_kinds(kind)
        if not is_shared and _key_of(hint, "v") == "v" and not _is_any_type(hint)
    )


def _is_any_type(hint: Any) -> bool:
    return hint is Any or any(_is_any_type(part) for part in get_args(hint))


def _is_value(kind: type) -> bool:
    """Return True for a record class that is never changed: one that writes its own methods instead of using
    `@record`.
    """
    return not hasattr(kind, "__dataclass_fields__")


def _make_key(kind: type) -> Callable[[Any], Key]:
    if _is_value(kind):
        slots = [name for base in kind.__mro__ for name in getattr(base, "__slots__", ())]
        names = [
            name for name in slots if not name.startswith("_")
        ]  # names with an underscore cache values derived from the others
        return lambda record: tuple([getattr(record, name) for name in names])
    parts = [_key_of(hint, f"r.{name}") for name, hint, is_shared in field_kinds(kind) if not is_shared]
    return cast("Callable[[Any], Key]", _compiled(kind, "key", f"    return ({', '.join(parts)},)"))


def _key_of(hint: Any, value: str) -> str:
    origin, args = get_origin(hint), get_args(hint)
    if is_record(hint):
        return (
            _written_out(hint, value, _plain_key(hint)) if value in ("v", "w") and _is_flat(hint) else f"key({value})"
        )
    if (inner := optional(hint)) is not None:
        found = _key_of(inner, value)
        return value if found == value else f"({found} if {value} is not None else None)"
    if origin is CopyOnWrite:
        return f"(tuple({value}), tuple([(k, key({value}[k])) for k in sorted({value}._own & {value}.keys())]))"
    if origin is dict:
        found = _key_of(args[1], "w")
        return f"tuple({value}.items())" if found == "w" else f"tuple([(k, {found}) for k, w in {value}.items()])"
    if origin is list or (origin is tuple and args[1:] == (Ellipsis,)):
        found = _key_of(args[0], "v")
        return (
            (value if origin is tuple else f"tuple({value})") if found == "v" else f"tuple([{found} for v in {value}])"
        )
    if origin is tuple:
        return "(" + "".join(f"{_key_of(arg, f'{value}[{index}]')}, " for index, arg in enumerate(args)) + ")"
    return value


def _is_flat(kind: type) -> bool:
    """Return True if all fields of a record class are plain values, so that its content can be read without a call."""
    flat = (
        not _is_value(kind) and not kind.__subclasses__() and all(storage == "value" for _, _, storage in _ways(kind))
    )
    return flat and None not in _plain_key(kind)


def _plain_key(kind: type) -> list[str | None]:
    """Return the fields that are compared; None in place of a field whose value has to be examined."""
    return [
        name if _key_of(hint, f"v.{name}") == f"v.{name}" else None
        for name, hint, is_shared in field_kinds(kind)
        if not is_shared
    ]


def _written_out(kind: type, value: str, names: Sequence[str | None]) -> str:
    return "(" + "".join([f"{value}.{name}, " for name in names]) + ")"


def _way(hint: Any) -> str:
    """Return how a field is saved: as a value, as a record, by its items, or as a copy-on-write."""
    origin, args = get_origin(hint), get_args(hint)
    if (inner := optional(hint)) is not None:
        return _way(inner)
    if is_record(hint):
        return "value" if _is_value(hint) else "record"
    if origin is CopyOnWrite:
        return "copy on write"
    if origin in (list, dict):
        inside = _way(args[-1])
        if inside == "record" and _is_flat(args[-1]):
            return f"{origin.__name__} of flat records"
        return f"{origin.__name__} of {inside}s" if inside in ("value", "record") else "nested"
    return "value"


_SAVE = {
    "value": "r.{n}",
    "record": "(r.{n}, save(r.{n}) if r.{n} is not None else None)",
    "list of values": "(r.{n}, r.{n}[:]) if r.{n} is not None else (None, None)",
    "dict of values": "(r.{n}, r.{n}.copy()) if r.{n} is not None else (None, None)",
    "list of records": "(r.{n}, [(v, save(v)) for v in r.{n}])",
    "dict of records": "(r.{n}, [(k, v, save(v)) for k, v in r.{n}.items()])",
    "list of flat records": "(r.{n}, r.{n}[:], [{t} for v in r.{n}])",
    "dict of flat records": "(r.{n}, r.{n}.copy(), [{t} for v in r.{n}.values()])",
    "nested": "save_all(r.{n})",
    "copy on write": "(r.{n}, list(r.{n}.items()), [(k, save(r.{n}[k])) for k in r.{n}._own & r.{n}.keys()])",
}
_RESTORE = {
    "value": ("r.{n} = s[{i}]",),
    "record": ("r.{n}, w = s[{i}]", "if w is not None: restore(r.{n}, w)"),
    "list of values": ("r.{n}, w = s[{i}]", "if w or r.{n}: r.{n}[:] = w"),
    "dict of values": ("r.{n}, w = s[{i}]", "if w or r.{n}: r.{n}.clear(); r.{n}.update(w)"),
    "list of records": ("r.{n}, w = s[{i}]", "if w or r.{n}: r.{n}[:] = [back(v, was) for v, was in w]"),
    "dict of records": (
        "r.{n}, w = s[{i}]",
        "if w or r.{n}: r.{n}.clear(); r.{n}.update([(k, back(v, was)) for k, v, was in w])",
    ),
    "list of flat records": ("r.{n}, w, z = s[{i}]", "r.{n}[:] = w", "for v, t in zip(w, z): {t} = t"),
    "dict of flat records": (
        "r.{n}, w, z = s[{i}]",
        "if r.{n} != w or list(r.{n}) != list(w): r.{n}.clear(); r.{n}.update(w)",
        "for v, t in zip(w.values(), z): {t} = t",
    ),
    "nested": ("r.{n} = restore_all(s[{i}])",),
    "copy on write": ("r.{n} = s[{i}][0]", "back_all(*s[{i}])"),
}


def _inside(kind: type, name: str, storage: str) -> str:
    """Return the source text that lists the fields of the flat records in a field."""
    if "flat" not in storage:
        return ""
    inner = get_args(next(hint for field, hint, _ in field_kinds(kind) if field == name))[-1]
    return _written_out(inner, "v", [field for field, _, _ in field_kinds(inner)])


def _ways(kind: type) -> list[tuple[int, str, str]]:
    return [
        (index, name, "value" if is_shared else _way(hint))
        for index, (name, hint, is_shared) in enumerate(field_kinds(kind))
    ]


def _make_save(kind: type) -> Callable[[Any], Saved]:
    if _is_value(kind):
        return lambda record: ()
    parts = [_SAVE[storage].format(n=name, t=_inside(kind, name, storage)) for _, name, storage in _ways(kind)]
    return cast("Callable[[Any], Saved]", _compiled(kind, "save", f"    return ({', '.join(parts)},)"))


def _make_restore(kind: type) -> Callable[[Any, Saved], None]:
    if _is_value(kind):
        return lambda record, saved: None
    if all(storage == "value" for _, _, storage in _ways(kind)):
        every = "".join([f"r.{name}, " for _, name, _ in _ways(kind)])
        return cast("Callable[[Any, Saved], None]", _compiled(kind, "restore", f"    {every}= s", "r, s"))
    lines = [
        f"    {line.format(n=name, i=index, t=_inside(kind, name, storage))}"
        for index, name, storage in _ways(kind)
        for line in _RESTORE[storage]
    ]
    return cast("Callable[[Any, Saved], None]", _compiled(kind, "restore", "\n".join(lines), "r, s"))


def _compiled(kind: type, name: str, body: str, arguments: str = "r") -> Callable[..., Any]:
    known: dict[str, Any] = {
        "key": key,
        "save": save,
        "restore": restore,
        "back": _restored,
        "back_all": _restored_mapping,
        "save_all": _save_all,
        "restore_all": _restore_all,
    }
    source = f"def made({arguments}):\n{body}\n"
    exec(compile(source, f"<{name} of {kind.__qualname__}>", "exec"), known)
    return cast("Callable[..., Any]", known["made"])


def _restored(record: Any, saved: Saved) -> Any:
    restore(record, saved)
    return record


def _restored_mapping(
    records: CopyOnWrite[Any, Any], items: list[tuple[Any, Any]], own: list[tuple[Any, Saved]]
) -> None:
    """Restore a copy-on-write: its entries, and the content of the records that it owned."""
    dict.clear(records)
    dict.update(records, items)
    records._own = {name for name, _ in own}
    for name, saved in own:
        restore(records[name], saved)


def _save_all(container: Any) -> tuple[Any, Any]:
    """Save nested lists and dicts and the records in them."""
    if isinstance(container, Record):
        return container, save(container)
    if isinstance(container, list):
        return container, [_save_all(item) for item in container]
    if isinstance(container, dict):
        return container, [(name, _save_all(item)) for name, item in container.items()]
    return container, None


def _restore_all(saved: tuple[Any, Any]) -> Any:
    container, contents = saved
    if isinstance(container, Record):
        restore(container, contents)
    elif isinstance(container, list):
        container[:] = [_restore_all(item) for item in contents]
    elif isinstance(container, dict):
        container.clear()
        container.update([(name, _restore_all(item)) for name, item in contents])
    return container
