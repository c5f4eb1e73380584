"""Bearers of loads, alone or together (PAY-072, PAY-073)."""

from __future__ import annotations

from zareba.base.exact import dist
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure


def is_heavy(battle: Battle, load: str) -> bool:
    """Return True for a body or a heavy thing (PAY-073)."""
    thing = battle.things.get(load)
    return thing is None or thing.heavy


def is_burdened(battle: Battle, figure: Figure) -> bool:
    """Return True if a figure carries anything heavy (PAY-072)."""
    return bool(figure.loads) and any(is_heavy(battle, load) for load in figure.loads)


def bearers_of(battle: Battle, side: str, load: str) -> list[Figure]:
    """Return the figures of a side that bear a load, in roster order. The load is at the position of the first."""
    return [f for unit in battle.side_units(side) for f in unit.figures.values() if load in f.loads]


def bearer_of(battle: Battle, side: str, load: str) -> Figure | None:
    """Return the first figure of a side that bears a load, or None."""
    return next((f for unit in battle.side_units(side) for f in unit.figures.values() if load in f.loads), None)


def let_go(battle: Battle, figure: Figure, load: str) -> list[Figure]:
    """Make one figure let go of a load and return those who still bear it."""
    figure.loads = tuple(other for other in figure.loads if other != load)
    others = bearers_of(battle, battle.side_of(figure), load)
    if others and load in battle.things:
        battle.change_thing(load).carrier = others[0].spec.id
    return others


def loads_left_behind(battle: Battle, figure: Figure) -> list[str]:
    """Return the shared loads whose first bearer is too far from this figure (PAY-073)."""
    max_gap, side = battle.book.file.bearers_apart.inches + 1e-9, battle.side_of(figure)
    left_behind = []
    for load in figure.loads:
        first = bearer_of(battle, side, load) if is_heavy(battle, load) else None
        if first is not None and first.at is not None and figure.at is not None and dist(first.at, figure.at) > max_gap:
            left_behind.append(load)
    return left_behind
