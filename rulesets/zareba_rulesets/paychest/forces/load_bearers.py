"""Who bears a load, alone or with others (PAY-072, PAY-073)."""

from __future__ import annotations

from zareba.base.exact import dist
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure

__all__ = ["bearer_of", "bearers_of", "have_parted", "is_burdened", "is_heavy", "let_go"]


def is_heavy(battle: Battle, load: str) -> bool:
    """A body, or a thing that is heavy (PAY-073)."""
    thing = battle.things.get(load)
    return thing is None or thing.heavy


def is_burdened(battle: Battle, figure: Figure) -> bool:
    """Whether a figure carries anything heavy (PAY-072)."""
    return bool(figure.loads) and any(is_heavy(battle, load) for load in figure.loads)


def bearers_of(battle: Battle, side: str, load: str) -> list[Figure]:
    """The men of a side who bear a load, in roster order; the load is where the first of them is."""
    return [f for unit in battle.side_units(side) for f in unit.figures.values() if load in f.loads]


def bearer_of(battle: Battle, side: str, load: str) -> Figure | None:
    """The first of a side's men who bear a load, if any."""
    return next((f for unit in battle.side_units(side) for f in unit.figures.values() if load in f.loads), None)


def let_go(battle: Battle, figure: Figure, load: str) -> list[Figure]:
    """One man bears a load no longer; returns those who still do."""
    figure.loads = tuple(other for other in figure.loads if other != load)
    others = bearers_of(battle, battle.side_of(figure), load)
    if others and load in battle.things:
        battle.change_thing(load).carrier = others[0].spec.id
    return others


def have_parted(battle: Battle, figure: Figure) -> list[str]:
    """The loads that a man bears with others from the first of whom he has come too far (PAY-073)."""
    apart, side = battle.book.file.bearers_apart.inches + 1e-9, battle.side_of(figure)
    found = []
    for load in figure.loads:
        first = bearer_of(battle, side, load) if is_heavy(battle, load) else None
        if first is not None and first.at is not None and figure.at is not None and dist(first.at, figure.at) > apart:
            found.append(load)
    return found
