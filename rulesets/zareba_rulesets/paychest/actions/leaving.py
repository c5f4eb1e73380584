"""Leaving the table over an edge by choice (PAY-214)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zareba.actions import ActionTable, SimpleAction
from zareba.plugins.ruleset import Evaluation
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.actor import EACH
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.chapters.marching import drive_off, leave
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

_AT_EDGE = 1e-6
"""A figure within this distance of an edge, in inches, may leave over it."""
_NEAR_EDGE = 0.01
"""A figure within this distance of an edge, in inches, counts as at it for an AI player."""


class FiguresAtEdge(NamedTuple):
    """Figures at the table edge that may leave: those of a unit, or one. The question names `actor`."""

    battle: Battle
    unit: Unit
    figures: Sequence[Figure]
    actor: str


class ExitView:
    """A unit at the edge, as an AI player sees it. `is_wanted` is True if an objective needs it to leave here."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        exit_edges = {goal.edge for goal in battle.goals if goal.kind == "escort" and unit.spec.id in goal.units}
        edge_for_object = {
            goal.thing: goal.edge for goal in battle.goals if goal.kind == "carry_off" and unit.spec.side in goal.sides
        }
        carried = {thing.goal for thing in battle.things.values() if thing.carrier in unit.figures}
        exit_edges |= {edge for thing, edge in edge_for_object.items() if thing in carried}
        self.is_wanted = any(
            figure.at is not None and battle.field.table.distance_to_edge(figure.at, edge) < _NEAR_EDGE
            for edge in exit_edges
            if edge
            for figure in unit.able
        )


def leave_by_edge(table: Table, battle: Battle, unit: Unit) -> None:
    """Let figures whose own move has brought them to the table edge leave, if their player wants it (PAY-214).

    A driver leaves with the conveyance and all aboard. Passengers have not moved and cannot leave separately.
    """
    west, south, east, north = unit.box
    width, depth = battle.field.table.extent
    if west > _AT_EDGE and south > _AT_EDGE and east < width - _AT_EDGE and north < depth - _AT_EDGE:
        return
    at_edge = [
        figure
        for figure in unit.figures.values()
        if (battle.engines[figure.aboard].aboard[0] == figure.spec.id if figure.aboard else figure.can_walk)
        and figure.gait != "halt"
        and figure.at is not None
        and battle.field.table.edge_at(figure.at)
    ]
    if at_edge:
        _choose(table, FiguresAtEdge(battle, unit, at_edge, unit.spec.id))


def _choose(table: Table, men: FiguresAtEdge) -> None:
    """Ask the owner whether some figures leave, and carry it out."""
    actions, side = EXITS.for_session(men.battle.book.rules), men.unit.spec.side
    options: list[Option] = [row.verb for row in (STAY, LEAVE, _MAN_BY_MAN) if row.is_legal(men)]
    options += actions.house_options(men, men.battle)
    action = actions.action_of(table.choose(side, options, why="at the edge", rule="PAY-214", actor=men.actor))
    assert action is not None, "only actions of the table are offered"
    actions.perform(action, table, men)


def _leave(table: Table, men: FiguresAtEdge) -> None:
    """Take the figures off the table, each driver with the conveyance and all aboard."""
    battle = men.battle
    for figure in men.figures:
        if figure.at is None:  # it has left with its conveyance
            continue
        if figure.aboard:
            drive_off(battle, figure.aboard, figure.at, lambda passenger: leave(table, battle, passenger, "left"))
        else:
            leave(table, battle, figure, "left")
            men.unit.measure()


def _man_by_man(table: Table, men: FiguresAtEdge) -> None:
    """Ask for each figure separately whether it leaves."""
    for figure in men.figures:
        if figure.at is not None:
            _choose(table, FiguresAtEdge(men.battle, men.unit, [figure], figure.spec.id))


def _evaluate_exit(view: ExitView, *, leaves: bool) -> Evaluation:
    """Return the value of leaving the table or staying: leaving counts only over the exit of an objective."""
    right = "the right exit for the objective (PAY-214)"
    reason = right if view.is_wanted else "leaving here scores nothing (PAY-214)"
    return Evaluation(ground=1.0 if leaves is view.is_wanted else 0.0, reason=reason)


STAY: SimpleAction[FiguresAtEdge, ExitView] = SimpleAction(
    "stay",
    "stay",
    is_legal=lambda men: True,
    effect=lambda table, men: None,
    evaluation=lambda view: _evaluate_exit(view, leaves=False),
)
LEAVE: SimpleAction[FiguresAtEdge, ExitView] = SimpleAction(
    "leave the table",
    "leave the table",
    is_legal=lambda men: True,
    effect=_leave,
    evaluation=lambda view: _evaluate_exit(view, leaves=True),
)
_MAN_BY_MAN: SimpleAction[FiguresAtEdge, ExitView] = SimpleAction(
    EACH,
    "man by man",
    is_legal=lambda men: len(men.figures) > 1,
    effect=_man_by_man,
    evaluation=lambda view: _evaluate_exit(view, leaves=True),
)

EXITS: ActionTable[FiguresAtEdge, ExitView] = ActionTable("at the edge", STAY, LEAVE, _MAN_BY_MAN, formats=FORMATS)
