"""Pieces of small test battles: commanders, units with orders, and a plan without routes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from zareba.table import ScriptedTable
from zareba_rulesets.afriboria.forces.battle import Battle, Plan
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec

T = TypeVar("T")


def run(function: Callable[..., T], battle: Battle, *args: Any, script: Sequence[tuple[str, Any]] = ()) -> T:
    """Call a rule function `(table, battle, ...)`. The script must be used up exactly."""
    with ScriptedTable(battle.book.rules, battle, script) as table:
        return function(table, battle, *args)


def plan_of(battle: Any) -> Plan:
    return Plan(battle.field, {}, {}, {})


def ordered(unit: Any, *more: str) -> Any:
    unit.mark("ordered", "move", "battle", *more)
    return unit


def chief(name: str, side: str, cell: int, officer: bool = True, **more: Any) -> Commander:
    """Return a commander. He is an officer by default."""
    return Commander(cell, spec=CommanderSpec(name, name.title(), side, officer, **more))
