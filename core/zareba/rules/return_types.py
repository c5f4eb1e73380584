"""Check the results of house-rule wraps against the return type of the wrapped procedure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

__all__ = ["matches_type", "returned_kind"]


def returned_kind(procedure: Callable[..., Any]) -> Any:
    """Return the declared return type of a procedure, or Any if it has none or it cannot be resolved."""
    function = inspect.unwrap(procedure)
    declared = getattr(function, "__annotations__", {}).get("return", Any)
    if not isinstance(declared, str):
        return declared
    try:
        return eval(declared, function.__globals__)
    except (NameError, AttributeError, SyntaxError, TypeError):  # a name that is imported only for type checkers
        return Any


def matches_type(value: Any, kind: Any) -> bool:
    """Return True if a value is of a declared type. A bool is not a number, and a number must be finite."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in (None, NoneType):
        return value is None
    if origin in (Union, UnionType):
        return any(matches_type(value, one) for one in parts)
    if origin is Annotated:
        return matches_type(value, parts[0])
    if origin is Literal:
        return any(value == one and type(value) is type(one) for one in parts)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind is float:
        return matches_type(value, int) or (isinstance(value, float) and isfinite(value))
    if isinstance(origin, type):
        return isinstance(value, origin) and _parts_fit(value, origin, parts)
    try:
        return not isinstance(kind, type) or isinstance(value, kind)
    except TypeError:  # isinstance() does not support this protocol
        return True


def _parts_fit(value: Any, origin: type, parts: tuple[Any, ...]) -> bool:
    if issubclass(origin, tuple) and parts[-1:] != (...,):
        return len(value) == len(parts) and all(map(matches_type, value, parts))
    if issubclass(origin, Mapping) and len(parts) == 2:
        return all(matches_type(key, parts[0]) and matches_type(entry, parts[1]) for key, entry in value.items())
    if issubclass(origin, Collection):
        return all(matches_type(one, parts[0]) for one in value)
    return True
