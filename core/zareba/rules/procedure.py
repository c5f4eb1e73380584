"""Procedures: named rules that house rules can wrap, and the check of what a wrap returns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import partial, wraps
from math import isfinite
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

if TYPE_CHECKING:
    from zareba.table import Table


# --- Procedures: rule functions with a name, so that a house rule can wrap or replace them ----------------------------


P = ParamSpec("P")
T = TypeVar("T")

Wrap: TypeAlias = "Callable[..., Any]"


def procedure(
    name: str,
) -> Callable[[Callable[Concatenate[Table, P], T]], Callable[Concatenate[Table, P], T]]:
    """Name a rule function whose first argument is the table.

    A house rule's wrap is called as `wrap(procedure, table, *args)`. Several wraps nest; the last one listed is the
    outermost.
    """

    def decorate(function: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
        @wraps(function)
        def call(table: Table, *args: P.args, **kwargs: P.kwargs) -> T:
            wrapped = table.rules.wraps.get(name)
            if wrapped is None and not table.runs_procedures:  # nearly every call in simulated games
                return function(table, *args, **kwargs)
            run = function if wrapped is None else partial(wrapped, function)
            result: T = (
                table.run_procedure(partial(run, table, *args, **kwargs), args)
                if table.runs_procedures
                else run(table, *args, **kwargs)
            )
            return result

        call.__dict__["procedure"] = name
        return cast("Callable[Concatenate[Table, P], T]", call)

    return decorate


# --- Check the results of house-rule wraps against the return type of the wrapped procedure ---------------------------


def declared_return_type(procedure: Callable[..., Any]) -> Any:
    """Return the declared return type of a procedure, or Any if it has none or it cannot be resolved."""
    function = inspect.unwrap(procedure)
    declared = getattr(function, "__annotations__", {}).get("return", Any)
    if not isinstance(declared, str):
        return declared
    try:
        return eval(declared, function.__globals__)
    except (NameError, AttributeError, SyntaxError, TypeError):  # a name that is imported only for type checkers
        return Any


def matches_type(value: Any, expected: Any) -> bool:
    """Return True if a value is of a declared type. A bool is not a number, and a number must be finite."""
    origin, arguments = get_origin(expected), get_args(expected)
    if expected in (None, NoneType):
        return value is None
    if origin in (Union, UnionType):
        return any(matches_type(value, option) for option in arguments)
    if origin is Annotated:
        return matches_type(value, arguments[0])
    if origin is Literal:
        return any(value == option and type(value) is type(option) for option in arguments)
    if expected is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if expected is float:
        return matches_type(value, int) or (isinstance(value, float) and isfinite(value))
    if isinstance(origin, type):
        return isinstance(value, origin) and _items_match(value, origin, arguments)
    try:
        return not isinstance(expected, type) or isinstance(value, expected)
    except TypeError:  # isinstance() does not support this protocol
        return True


def _items_match(value: Any, origin: type, item_types: tuple[Any, ...]) -> bool:
    if issubclass(origin, tuple) and item_types[-1:] != (...,):
        return len(value) == len(item_types) and all(map(matches_type, value, item_types))
    if issubclass(origin, Mapping) and len(item_types) == 2:
        return all(
            matches_type(key, item_types[0]) and matches_type(entry, item_types[1]) for key, entry in value.items()
        )
    if issubclass(origin, Collection):
        return all(matches_type(item, item_types[0]) for item in value)
    return True
