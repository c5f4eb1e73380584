"""Pieces of small test battles: commanders, units with orders, and a plan without routes."""

from __future__ import annotations

from typing import Any

from zareba_rulesets.afriboria.forces.battle import Plan
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec


def plan_of(battle: Any) -> Plan:
    return Plan(battle.field, {}, {}, {})


def ordered(unit: Any, *more: str) -> Any:
    unit.mark("ordered", "move", "battle", *more)
    return unit


def chief(name: str, side: str, cell: int, officer: bool = True, **more: Any) -> Commander:
    """Return a commander. He is an officer by default."""
    return Commander(cell, spec=CommanderSpec(name, name.title(), side, officer, **more))
