"""A record with every kind of field a record can have, and a change to all of them."""

from __future__ import annotations

from typing import Any

from zareba.base.state import CopyOnWrite, Record, WithMarks, record, shared

__all__ = ["Company", "Man", "company", "spoil"]


@record
class Man(WithMarks):
    marks: frozenset[str]
    name: str
    wounds: list[int]


@record
class Company(Record):
    captain: Man
    second: Man | None
    men: CopyOnWrite[str, Man]
    orders: dict[str, list[str]]
    column: list[Man]
    pace: tuple[float, ...]
    book: Any = shared(default=None)


def company() -> Company:
    men = CopyOnWrite({name: Man(frozenset(), name, []) for name in ("ann", "bob")})
    return Company(Man(frozenset(), "cox", [1]), None, men, {"ann": ["hold"]}, [Man(frozenset(), "dee", [])], (1.0,))


def spoil(now: Company) -> None:
    """Change every field that can be changed."""
    now.captain.wounds.append(6)
    now.second = Man(frozenset(), "eve", [])
    now.men.change("ann").mark("prone")
    del now.men["bob"]
    now.men["fay"] = Man(frozenset(), "fay", [])
    now.orders["ann"].append("fire")
    now.orders["bob"] = []
    now.column[0].wounds.append(2)
    now.column.append(Man(frozenset(), "gus", []))
    now.pace = (2.0,)
