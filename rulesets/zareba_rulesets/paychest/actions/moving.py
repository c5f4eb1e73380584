"""The move step of a unit: its gaits, and the actions before it halts or moves (PAY-053, PAY-066 to PAY-071)."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from zareba.actions import ActionTable
from zareba.base.grammar import amount
from zareba.plugins.ruleset import Evaluation
from zareba.rules import procedure
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.actor import NOTHING, MoveView, MovingUnit, SimpleMoveAction
from zareba_rulesets.paychest.actions.leaving import leave_by_edge
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.machines import CLEAR, ENGINE_ACTIONS, engine_actions, get_on
from zareba_rulesets.paychest.actions.posture import set_postures
from zareba_rulesets.paychest.actions.riding import Climb, Mount
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.marching import separate_bearers
from zareba_rulesets.paychest.chapters.movement import (
    ADVANCE,
    EACH,
    HALT,
    RUN,
    gaits_of,
    may_move_separately,
    may_run,
    move_figures,
)
from zareba_rulesets.paychest.chapters.sight import raise_touched
from zareba_rulesets.paychest.estimates import IntendedGoals, go
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit


@procedure("movement.unit")
def move_unit(table: Table, battle: Battle, unit: Unit) -> None:
    """Run the move step: declare gaits, roll once for each type of mover, move, and set postures.

    A figure that climbs, moves or clears a gun, or moves in a conveyance has used its move; the rest of the unit may
    still go. The step may be passed (PAY-061).
    """
    allowances_left: dict[str, float] = {}
    handle(table, battle, unit, allowances_left, before=True)
    actor, actions = MovingUnit(battle, unit, allowances_left), MOVE_ACTIONS.for_session(battle.book.rules)
    options = offer_moves(actor)
    while len(options) > 1 or not actor.spent:  # ends when only standing is left after figures have used their move
        busy = tuple(sorted(actor.spent))
        chosen = table.choose(unit.spec.side, options, why="move", rule="PAY-067", actor=unit.spec.id, about=busy)
        action = actions.action_of(chosen)
        assert action is not None, "only actions of the table are offered"
        actions.perform(action, table, actor)
        if actor.over:
            break
        actor.refresh()
        options = offer_moves(actor)
    handle(table, battle, unit, allowances_left, before=False)
    if battle.engines:
        separate_bearers(table, battle, unit.spec.side)  # a bearer may have driven off
    raise_touched(table, battle, unit)
    leave_by_edge(table, battle, unit)
    set_postures(table, battle, unit)


def offer_moves(actor: MovingUnit) -> list[Option]:
    """Return the options of a unit in its move step."""
    options: list[Option] = [row.verb for row in (STAND, WALK, _RUN_ALL, _MAN_BY_MAN) if row.is_legal(actor)]
    if actor.movable:
        options += [action.option for kind in (Mount, Climb) for action in kind.options(actor)]
    if actor.battle.engines:
        options += [action.option for action in engine_actions(actor)]
        if CLEAR.is_legal(actor):
            options.append(CLEAR.verb)
    return options + MOVE_ACTIONS.for_session(actor.battle.book.rules).house_options(actor, actor.battle)


_VALUE_OF_CROSSING_TOGETHER = 0.05
"""The value of leaving no man behind at a bridge or ford."""


# --- gaits ----------------------------------------------------------------------------------------------------------


def _halt(table: Table, actor: MovingUnit) -> None:
    """End the move step where the unit stands."""
    actor.over = True


def _move(table: Table, actor: MovingUnit, chosen: str) -> None:
    """Move the figures that have not moved yet at a gait, or each at its own. This ends the move step."""
    battle, unit, allowances_left = actor.battle, actor.unit, actor.left
    gaits = gaits_of(table, battle, unit, actor.movable, chosen)
    allowances = move_figures(table, battle, unit, actor.movable, gaits, allowances_left, each=chosen == EACH)
    get_on(table, actor, {key for key, inches in allowances.items() if 2 * allowances_left[key] >= inches})
    actor.over = True


def value_of_moving(view: MoveView, gait: Gait) -> Evaluation:
    """Return the value of the better move, to the unit's goal or to the nearest enemy."""
    if view.guns:
        reason = f"{amount(view.guns, 'gun')} would stay behind (PAY-178)"
        return Evaluation(0.0, view.danger_here + 0.5, reason=reason)
    goals = [view.purpose.at] if view.purpose is not None and view.is_wanted_elsewhere else []
    if view.enemy_point is not None and (view.may_attack or view.share_in_contact(view.enemy_point, gait)):
        goals.append(view.enemy_point)
    moves = [go(view, goal, gait, view.way_to(goal)) for goal in goals]
    idle = Evaluation(0.0, view.danger_here + NOTHING, reason="no ground to gain")
    return max(moves, key=attrgetter("total"), default=idle)


def _value_of_moving_singly(view: MoveView) -> Evaluation:
    """Return the value of a move figure by figure, which an AI player needs only if some men must go another way."""
    last = view.straggler
    if last is None:
        return Evaluation(0.0, view.danger_here + NOTHING, reason="one order for all is enough")
    own = MoveView(view.battle, view.unit, IntendedGoals(view.battle, view.unit), here=last.at)
    best = max((value_of_moving(own, gait) for gait in (ADVANCE, RUN)), key=attrgetter("total"))
    return replace(best, steadies=_VALUE_OF_CROSSING_TOGETHER, reason="some men must go another way than the rest")


STAND = SimpleMoveAction(HALT, "halt", is_legal=lambda actor: True, effect=_halt, evaluation=lambda view: view.halt)
WALK = SimpleMoveAction(
    ADVANCE,
    "advance",
    is_legal=lambda actor: bool(actor.movable),
    effect=lambda table, actor: _move(table, actor, ADVANCE),
    evaluation=lambda view: value_of_moving(view, ADVANCE),
    odds="move",
)
_RUN_ALL = SimpleMoveAction(
    RUN,
    "run",
    is_legal=lambda actor: any(may_run(actor.battle, figure) for figure in actor.movable),
    effect=lambda table, actor: _move(table, actor, RUN),
    evaluation=lambda view: value_of_moving(view, RUN),
    odds="move",
)
_MAN_BY_MAN = SimpleMoveAction(
    EACH,
    "man by man",
    is_legal=lambda actor: may_move_separately(actor.battle, actor.movable),
    effect=lambda table, actor: _move(table, actor, EACH),
    evaluation=_value_of_moving_singly,
)

MOVE_ACTIONS: ActionTable[MovingUnit, MoveView] = ActionTable(
    "move", STAND, WALK, _RUN_ALL, _MAN_BY_MAN, Mount, Climb, *ENGINE_ACTIONS, CLEAR, formats=FORMATS
)
