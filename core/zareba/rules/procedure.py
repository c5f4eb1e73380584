"""Procedures: rule functions with a name, so that a house rule can wrap or replace them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from zareba.table import Table

__all__ = ["Wrap", "procedure"]

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
            run = function if wrapped is None else partial(wrapped, function)
            result: T = (
                table.within(partial(run, table, *args, **kwargs), args)
                if table.follows
                else run(table, *args, **kwargs)
            )
            return result

        call.__dict__["procedure"] = name
        return cast("Callable[Concatenate[Table, P], T]", call)

    return decorate
