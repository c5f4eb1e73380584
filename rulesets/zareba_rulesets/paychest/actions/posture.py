"""The choice of figures in hard cover to lie down out of sight or stay up to fire (PAY-086)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from zareba.actions import ActionTable, SimpleAction
from zareba.plugins.ruleset import Evaluation
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.actor import EACH
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.chapters.sight import DOWN, figures_that_may_duck, report_posture
from zareba_rulesets.paychest.estimates import DANGER_WEIGHT, Survey, men_lost
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

_FIRE_ON_HIDDEN = 0.4
"""The weight of enemy fire for getting down without a target, since hidden figures are safe from it."""


class ShelteredFigures(NamedTuple):
    """Figures in hard cover that may get down: those of a unit, or one. The question names `actor`."""

    battle: Battle
    unit: Unit
    figures: Sequence[Figure]
    actor: str


class PostureView:
    """A unit in cover, as an AI player sees it: the value of its fire, and that of enemy fire at it."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        here, survey = unit.positions.middle, Survey(battle, unit)
        self.fire = survey.fire(here, "halt")
        self.threat = (
            DANGER_WEIGHT if self.fire and not survey.is_close_quarters else _FIRE_ON_HIDDEN
        ) * survey.danger(here)


def set_postures(table: Table, battle: Battle, unit: Unit) -> None:
    """Raise all figures of a unit. Those in hard cover may then get down until the unit's next move step (PAY-086)."""
    was_down = [key for key, figure in unit.figures.items() if DOWN in figure.marks]
    for key in was_down:
        unit.figures[key].unmark(DOWN)
    sheltered = figures_that_may_duck(battle, unit)
    if not sheltered:
        return
    actor = unit.spec.id
    _choose(table, ShelteredFigures(battle, unit, sheltered, actor))
    report_posture(table, actor, "lies down", sum(DOWN in f.marks and f.spec.id not in was_down for f in sheltered))
    report_posture(table, actor, "gets up", sum(DOWN not in f.marks and f.spec.id in was_down for f in sheltered))


def _choose(table: Table, men: ShelteredFigures) -> None:
    """Ask the owner for the posture of some figures, and carry it out."""
    actions, side = POSTURES.for_session(men.battle.book.rules), men.unit.spec.side
    options: list[Option] = [row.verb for row in (_STAY_UP, _GET_DOWN, _MAN_BY_MAN) if row.is_legal(men)]
    options += actions.house_options(men, men.battle)
    action = actions.action_of(table.choose(side, options, why="posture", rule="PAY-086", actor=men.actor))
    assert action is not None, "only actions of the table are offered"
    actions.perform(action, table, men)


def _get_down(table: Table, men: ShelteredFigures) -> None:
    """Put the figures down, out of sight."""
    for figure in men.figures:
        figure.mark(DOWN)


def _man_by_man(table: Table, men: ShelteredFigures) -> None:
    """Ask for the posture of each figure separately."""
    for figure in men.figures:
        _choose(table, ShelteredFigures(men.battle, men.unit, [figure], figure.spec.id))


def _spared(threat: float) -> str:
    """Return what cover spares a unit, as a reason."""
    return f"cover spares the unit {men_lost(threat)}"


_STAY_UP: SimpleAction[ShelteredFigures, PostureView] = SimpleAction(
    "up",
    "stand up",
    is_legal=lambda men: True,
    effect=lambda table, men: None,
    evaluation=lambda view: Evaluation(inflicts=view.fire, steadies=0.001, reason="only standing men can fire"),
)
_GET_DOWN: SimpleAction[ShelteredFigures, PostureView] = SimpleAction(
    DOWN,
    "duck behind cover",
    is_legal=lambda men: True,
    effect=_get_down,
    evaluation=lambda view: Evaluation(steadies=view.threat, reason=partial(_spared, view.threat)),
)
_MAN_BY_MAN: SimpleAction[ShelteredFigures, PostureView] = SimpleAction(
    EACH,
    "man by man",
    is_legal=lambda men: len(men.figures) > 1,
    effect=_man_by_man,
    evaluation=lambda view: Evaluation(suffers=0.2, reason="one order for all is enough"),
)

POSTURES: ActionTable[ShelteredFigures, PostureView] = ActionTable(
    "posture", _STAY_UP, _GET_DOWN, _MAN_BY_MAN, formats=FORMATS
)
