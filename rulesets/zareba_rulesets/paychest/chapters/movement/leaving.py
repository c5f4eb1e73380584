"""Leaving the table, voluntarily or driven off (PAY-163, PAY-194, PAY-214)."""

from __future__ import annotations

from collections.abc import Callable

from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.load_bearers import bearers_of, let_go
from zareba_rulesets.paychest.forces.units import Figure

__all__ = ["drive_off", "leave"]


def drive_off(battle: Battle, conveyance: str, at: Point, go: Callable[[Figure], None]) -> None:
    """Take a conveyance over the edge with its guns and all aboard. `go` removes each passenger.

    `at` is the point where its path meets the edge, even if other bases leave it no room there.
    """
    engine = battle.engines.change(conveyance)
    for name in engine.aboard:
        passenger = battle.change_figure(name)
        passenger.at = at
        go(passenger)
        battle.unit_of(passenger).measure()
    engine.at, engine.aboard = None, ()
    for key in [key for key, other in battle.engines.items() if other.carrier == conveyance]:
        battle.engines.change(key).at = None


def leave(table: Table, battle: Battle, figure: Figure, fate: str) -> None:
    """Take a figure over the edge with all that it carries or leads (PAY-163, PAY-194, PAY-214).

    A voluntary exit is reported here, a figure driven off is reported as a loss. A weapon that the figure has taken up
    is its own and not a captured object (PAY-022).
    """
    assert figure.at is not None, "only figures on the table leave it"
    edge = battle.field.table.edge_at(figure.at)
    assert edge is not None, "who leaves stands at an edge"
    for load in figure.loads:
        for other in bearers_of(battle, battle.side_of(figure), load):  # the first bearer to leave takes it along
            if other is not figure:
                let_go(battle, battle.change_figure(other.spec.id), load)
        if load not in battle.things:
            comrade = battle.change_figure(load)
            comrade.fate = fate if comrade.fate == "able" else comrade.fate
            comrade.at = None
            battle.exits[load] = edge
            battle.unit_of(comrade).measure()
            if fate == "left":
                table.emit("left the table", "PAY-214", figure=load, unit=comrade.spec.unit, edge=edge)
        else:
            thing = battle.change_thing(load)
            thing.carrier, thing.taken_by, thing.edge = "", battle.side_of(figure), edge
            if thing.kind != "weapon":
                table.emit("carried off", "PAY-194", object=load, side=thing.taken_by, edge=edge)
    own = figure.spec.id
    if figure.aboard:
        engine = battle.engines.change(figure.aboard)
        engine.aboard = tuple(name for name in engine.aboard if name != own)
        figure.aboard = ""
    figure.loads = ()
    figure.fate, figure.at = fate, None
    battle.exits[own] = edge
    if fate == "left":
        table.emit("left the table", "PAY-214", figure=own, unit=figure.spec.unit, edge=edge)
