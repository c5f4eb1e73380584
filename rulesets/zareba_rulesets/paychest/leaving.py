"""Leaving the table, of one's own will or driven (PAY-163, PAY-194, PAY-214)."""

from __future__ import annotations

from zareba.space import Point
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.units import Figure, Unit

__all__ = ["edge_at", "leave", "leave_by_edge"]

STAY, LEAVE = "stay", "leave the table"
EDGES = ("north", "east", "south", "west")
_AT_EDGE = 1e-6


def edge_at(battle: Battle, at: Point) -> str | None:
    """The edge of the table on which a point lies, if any."""
    width, depth = battle.field.table.extent
    away = (depth - at[1], width - at[0], at[1], at[0])
    return next((edge for edge, inches in zip(EDGES, away, strict=True) if inches <= _AT_EDGE), None)


def leave_by_edge(table: Table, battle: Battle, unit: Unit) -> None:
    """Figures whose own move has brought them to the table edge may leave, if their player says so (PAY-214)."""
    west, south, east, north = unit.box
    width, depth = battle.field.table.extent
    if west > _AT_EDGE and south > _AT_EDGE and east < width - _AT_EDGE and north < depth - _AT_EDGE:
        return
    at_edge = [
        figure
        for figure in unit.figures.values()
        if figure.walks and figure.gait != "halt" and figure.at is not None and edge_at(battle, figure.at)
    ]
    if not at_edge:
        return
    side, actor = unit.spec.side, unit.spec.id
    if table.choose(side, [STAY, LEAVE], why="at the edge", rule="PAY-214", actor=actor) == STAY:
        return
    for figure in at_edge:
        leave(table, battle, figure, "left")
    unit.measure()


def leave(table: Table, battle: Battle, figure: Figure, fate: str) -> None:
    """Take a figure over the edge, with what it carries or leads (PAY-163, PAY-194, PAY-214)."""
    assert figure.at is not None, "only figures on the table leave it"
    edge = edge_at(battle, figure.at) or ""
    for load in figure.loads:
        if load not in battle.things:
            comrade = battle.change_figure(load)
            comrade.fate = "left" if comrade.fate == "able" else comrade.fate
            comrade.at = None
            battle.unit_of(comrade).measure()
        else:
            thing = battle.change_thing(load)
            thing.carrier, thing.taken_by, thing.edge = "", battle.side_of(figure), edge
            table.tell("carried off", "PAY-194", object=load, side=thing.taken_by, edge=edge)
    figure.loads = ()
    figure.fate, figure.at = fate, None
    own = figure.spec.id
    battle.exits[own] = edge
    table.tell("left the table", "PAY-214", figure=own, unit=figure.spec.unit, edge=edge)
