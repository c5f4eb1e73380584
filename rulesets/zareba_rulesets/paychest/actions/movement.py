"""The move step of a unit: gaits, mounting and climbing, and at its end leaving the table and lying down in cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NamedTuple, Self, final

from zareba.actions import ActionTable, SimpleAction
from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.plugins.ruleset import Evaluation
from zareba.rules import procedure
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.actor import (
    NOTHING,
    MoveAction,
    MoveView,
    MovingUnit,
    SimpleMoveAction,
    gains_nothing,
)
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.machines import CLEAR, ENGINE_ACTIONS, engine_actions, get_on
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.marching import drive_off, leave, separate_bearers
from zareba_rulesets.paychest.chapters.mounts import DOWN, UP, able_to_climb, able_to_mount, climb, mount_or_dismount
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
from zareba_rulesets.paychest.chapters.sight import figures_that_may_duck, raise_touched, report_posture
from zareba_rulesets.paychest.estimates import DANGER_WEIGHT, CoordinatedIntentions, Survey, go, men_lost
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit


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


# --- gaits ----------------------------------------------------------------------------------------------------------


_VALUE_OF_CROSSING_TOGETHER = 0.05
"""The value of leaving no man behind at a bridge or ford."""


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
    goals = [view.intention.at] if view.intention is not None and view.is_wanted_elsewhere else []
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
    own = MoveView(view.battle, view.unit, CoordinatedIntentions(view.battle, view.unit), here=last.at)
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


# --- mounting, dismounting and climbing walls (PAY-078, PAY-091) ------------------------------------------------------


@final
class Mount(
    MoveAction,
    verb="mount",
    text="[way=up?mount and ride on][way=down?dismount and walk on][each?, man by man]",
):
    """Mount or dismount, all figures at once or figure by figure, and move on (PAY-078). This ends the move step."""

    way: str
    each: str = ""

    @classmethod
    def options(cls, actor: MovingUnit) -> Iterator[Self]:
        for way in (DOWN, UP):
            able = able_to_mount(actor.battle, actor.unit, way, actor.movable)
            if able:
                yield cls(way)
            if len(able) > 1:
                yield cls(way, EACH)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        each = self.each == EACH
        actor.walk_on(table, mount_or_dismount(table, actor.battle, actor.unit, self.way, actor.movable, each=each))

    def value(self, view: MoveView) -> Evaluation:
        if self.way == DOWN and _is_barred(view):
            reason = f"the last {amount(view.on_foot['run'], 'inch', 'inches')} must be covered on foot"
            return Evaluation(0.0, view.danger_here, 0.3, reason=reason)
        return gains_nothing(view)


def _is_barred(view: MoveView) -> bool:
    """Return True if mounted figures are near a goal that they cannot ride onto."""
    goal = view.intention.at if view.intention is not None else view.here
    return dist(view.here, goal) <= view.on_foot["run"] and not view.battle.field.move_costs["mounted"].can_stand(goal)


@final
class Climb(MoveAction, verb="climb", text="climb the wall[each?, man by man]"):
    """Climb a high wall, all figures that touch it or some (PAY-091). It is their move; the others may still go."""

    each: str = ""

    @classmethod
    def options(cls, actor: MovingUnit) -> Iterator[Self]:
        climbers = () if cls.verb in actor.spent else able_to_climb(actor.battle, actor.movable)
        if climbers:
            yield cls()
        if len(climbers) > 1:
            yield cls(EACH)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        climbed = climb(table, actor.battle, actor.unit, actor.movable, each=self.each == EACH)
        actor.spent.update([self.verb, *climbed])

    def value(self, view: MoveView) -> Evaluation:
        if self.each:
            return gains_nothing(view)
        worth = 0.35 if view.is_wanted_elsewhere else 0.0
        return Evaluation(0.0, view.danger_here, worth, reason="takes the unit over the wall (PAY-091)")


# --- the actions of the move step -------------------------------------------------------------------------------------

MOVE_ACTIONS: ActionTable[MovingUnit, MoveView] = ActionTable(
    "move", STAND, WALK, _RUN_ALL, _MAN_BY_MAN, Mount, Climb, *ENGINE_ACTIONS, CLEAR, formats=FORMATS
)


# --- leaving the table over an edge (PAY-214) -------------------------------------------------------------------------


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
        exit_edges = {
            objective.edge
            for objective in battle.objectives
            if objective.kind == "escort" and unit.spec.id in objective.units
        }
        edge_for_object = {
            objective.thing: objective.edge
            for objective in battle.objectives
            if objective.kind == "carry_off" and unit.spec.side in objective.sides
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
        _choose_exit(table, FiguresAtEdge(battle, unit, at_edge, unit.spec.id))


def _choose_exit(table: Table, men: FiguresAtEdge) -> None:
    """Ask the owner whether some figures leave, and carry it out."""
    actions, side = EXITS.for_session(men.battle.book.rules), men.unit.spec.side
    options: list[Option] = [row.verb for row in (STAY, LEAVE, _LEAVE_MAN_BY_MAN) if row.is_legal(men)]
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


def _leave_man_by_man(table: Table, men: FiguresAtEdge) -> None:
    """Ask for each figure separately whether it leaves."""
    for figure in men.figures:
        if figure.at is not None:
            _choose_exit(table, FiguresAtEdge(men.battle, men.unit, [figure], figure.spec.id))


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
_LEAVE_MAN_BY_MAN: SimpleAction[FiguresAtEdge, ExitView] = SimpleAction(
    EACH,
    "man by man",
    is_legal=lambda men: len(men.figures) > 1,
    effect=_leave_man_by_man,
    evaluation=lambda view: _evaluate_exit(view, leaves=True),
)

EXITS: ActionTable[FiguresAtEdge, ExitView] = ActionTable(
    "at the edge", STAY, LEAVE, _LEAVE_MAN_BY_MAN, formats=FORMATS
)


# --- lying down in hard cover (PAY-086) -------------------------------------------------------------------------------


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
    _choose_posture(table, ShelteredFigures(battle, unit, sheltered, actor))
    report_posture(table, actor, "lies down", sum(DOWN in f.marks and f.spec.id not in was_down for f in sheltered))
    report_posture(table, actor, "gets up", sum(DOWN not in f.marks and f.spec.id in was_down for f in sheltered))


def _choose_posture(table: Table, men: ShelteredFigures) -> None:
    """Ask the owner for the posture of some figures, and carry it out."""
    actions, side = POSTURES.for_session(men.battle.book.rules), men.unit.spec.side
    options: list[Option] = [row.verb for row in (_STAY_UP, _GET_DOWN, _DUCK_MAN_BY_MAN) if row.is_legal(men)]
    options += actions.house_options(men, men.battle)
    action = actions.action_of(table.choose(side, options, why="posture", rule="PAY-086", actor=men.actor))
    assert action is not None, "only actions of the table are offered"
    actions.perform(action, table, men)


def _get_down(table: Table, men: ShelteredFigures) -> None:
    """Put the figures down, out of sight."""
    for figure in men.figures:
        figure.mark(DOWN)


def _duck_man_by_man(table: Table, men: ShelteredFigures) -> None:
    """Ask for the posture of each figure separately."""
    for figure in men.figures:
        _choose_posture(table, ShelteredFigures(men.battle, men.unit, [figure], figure.spec.id))


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
_DUCK_MAN_BY_MAN: SimpleAction[ShelteredFigures, PostureView] = SimpleAction(
    EACH,
    "man by man",
    is_legal=lambda men: len(men.figures) > 1,
    effect=_duck_man_by_man,
    evaluation=lambda view: Evaluation(suffers=0.2, reason="one order for all is enough"),
)

POSTURES: ActionTable[ShelteredFigures, PostureView] = ActionTable(
    "posture", _STAY_UP, _GET_DOWN, _DUCK_MAN_BY_MAN, formats=FORMATS
)
