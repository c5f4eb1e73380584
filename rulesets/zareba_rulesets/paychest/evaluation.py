"""Evaluation of the options of a question, for AI players. It uses odds and distances only and is not a rule.

Losses are measured in units of fifteen figures. Actions say themselves what they are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from zareba.actions import ActionTable
from zareba.base.exact import dist, total
from zareba.base.grammar import amount, percent
from zareba.battle.evaluation import about_men, evaluate_each, fixed_values, prefer_first
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.table import Choose, Confirm, LazyOptions, Option, Place
from zareba_rulesets.paychest.actions.actor import NOTHING, MoveView, gains_nothing
from zareba_rulesets.paychest.actions.fire import FIRE_ACTIONS, FireView
from zareba_rulesets.paychest.actions.loads import LOAD_ACTIONS, LoadView
from zareba_rulesets.paychest.actions.melee_pairing import MELEE_ACTIONS, STAY, MeleeView
from zareba_rulesets.paychest.actions.movement import (
    EXITS,
    MOVE_ACTIONS,
    POSTURES,
    ExitView,
    PostureView,
    value_of_moving,
)
from zareba_rulesets.paychest.book.tables import DIE, Gait
from zareba_rulesets.paychest.chapters.fire import ready_weapon
from zareba_rulesets.paychest.chapters.movement import ADVANCE, EACH, HALT, RUN, Destinations
from zareba_rulesets.paychest.chapters.sight import enemies_touched
from zareba_rulesets.paychest.chapters.targets import volley_group
from zareba_rulesets.paychest.estimates import (
    LEAVING,
    UNIT_SIZE,
    CoordinatedIntentions,
    PositionValue,
    arms_of,
    at_range,
    expected_melee_losses,
    fire_by_range,
    go,
    hit_chance,
    is_leaving,
    skill_of,
    stay,
)
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import crowd_around, nearest_free
from zareba_rulesets.paychest.forces.intentions import figures_at
from zareba_rulesets.paychest.forces.units import Figure, Unit

# --- Destinations of a unit (PAY-070, PAY-073, PAY-084) ---------------------------------------------------------------


_EVALUATED_QUESTIONS = ("move to", "drive to", "carry on to")
"""The questions about places that are evaluated. For all others the first place is preferred."""
_MOST_LEGS = 6
"""The most legs in one move of an AI player."""
_BESIDE_CORNER = 3.0
"""The distance in inches from a corner that comrades occupy, within which a man looks for room to turn."""
_VALUE_OF_FREE_PLACE = 0.01
"""The value of a free place over one that is occupied."""
MILD, FIERY = 0.5, 2.0
"""The lowest and highest weight of losses, dealt or taken, among AI temperaments. A balanced one has weight 1."""


def evaluate_places(battle: Battle, unit: Unit, question: Place) -> list[Evaluation]:
    """Return the evaluation of each suggested destination."""
    points = question.suggestions
    if not _matters(question):
        return [_evaluate_by_order(n, len(points), question.why) for n in range(len(points))]
    position = _position_of(battle, unit, question)
    if not isinstance(points, Destinations):
        return [_evaluate_point(position, point, position.goal_by(point)) for point in points]
    return [_evaluate_point(position, point, _goal_by(position, points, point), points.here) for point in points]


def _goal_by(position: PositionValue, points: Destinations, point: Point) -> Point:
    """Return the goal that is reached by way of a suggested point.

    The way of a gun or of one man starts elsewhere than that of the unit and may turn at other corners. Then it is the
    final point of the suggestion.
    """
    goal, candidates = position.goal_by(point), range(points.candidates)
    if goal != point or any(points.final_points[n] == point for n in candidates):
        return goal
    final_points = (points.final_points[n] for n in candidates if points.at(n) == point)
    return next((final_point for final_point in final_points if final_point is not None), point)


def _matters(question: Place) -> bool:
    """Return True if it matters which place is chosen. Men in a crowd go on for `_MOST_LEGS` legs at most."""
    points = question.suggestions
    goes_on = question.why == "go on to" and isinstance(points, Destinations) and points.legs < _MOST_LEGS
    return goes_on or question.why in _EVALUATED_QUESTIONS


def best_of(battle: Battle, unit: Unit, question: Place) -> Mapping[Point, Evaluation]:
    """Return the points among which the best one is, with their evaluations.

    Pathfinding to a place runs only if a straight move to its goal would be better, for some temperament, than all
    places found so far.
    """
    points = question.suggestions
    if not _matters(question) and isinstance(points, LazyOptions):
        found = (points.at(n) for n in range(points.candidates))
        first = next((point for point in found if point is not None), None)
        return {points[0] if first is None else first: _evaluate_by_order(0, points.candidates, question.why)}
    if not isinstance(points, Destinations):
        return dict(zip(points, evaluate_places(battle, unit, question), strict=True))
    position = _position_of(battle, unit, question)
    likely = {
        n: _evaluate_point(position, aim, aim, points.here)
        for n in range(points.candidates)
        if (aim := points.final_points[n]) is not None
    }
    worths: dict[int, tuple[Point, Evaluation]] = {}
    for n in sorted(likely, key=lambda n: -likely[n].total):
        if not any(_is_no_better(likely[n], known) for _, known in worths.values()):
            point = points.at(n)
            if point is not None:
                goal = _goal_by(position, points, point)
                is_straight = goal == points.final_points[n] == point
                evaluation = likely[n] if is_straight else _evaluate_point(position, point, goal, points.here)
                worths[n] = point, evaluation
    intended = _intended_point(position, question) or _point_beside_comrades(position, question)
    if intended is not None:
        worths[points.candidates] = intended
    return dict([worths[n] for n in sorted(worths)]) or {
        point: _evaluate_point(position, point, point, points.here) for point in points
    }


def _intended_point(position: PositionValue, question: Place) -> tuple[Point, Evaluation] | None:
    """Return the way to an intention that the suggestions do not know, with its evaluation; None if there is none."""
    intention, points = position.intention, question.suggestions
    suggested = points.intentions.destination if isinstance(points, Destinations) else None
    if intention is None or intention.at == suggested or not position.is_wanted_elsewhere:
        return None
    point = position.way_to(intention.at)
    return (point, _evaluate_point(position, point, intention.at)) if question.legal(point) is None else None


def _point_beside_comrades(position: PositionValue, question: Place) -> tuple[Point, Evaluation] | None:
    """Return the free point next to the corner that one man must turn at if comrades stand there, with its
    evaluation.
    """
    figure, intention = position.unit.figures.get(question.actor), position.intention
    if figure is None or intention is None or not position.is_wanted_elsewhere:
        return None
    battle, radius, corner = position.battle, position.battle.radius(figure), position.way_to(intention.at)
    crowd = crowd_around(battle, corner, _BESIDE_CORNER + radius, (question.actor,))
    if corner == intention.at or crowd.is_free(corner, radius):
        return None
    point = nearest_free(battle, corner, radius, position.column, crowd, _BESIDE_CORNER)
    if point is None or question.legal(point) is not None:
        return None
    evaluation = _evaluate_point(position, point, intention.at)
    return point, replace(evaluation, steadies=evaluation.steadies + _VALUE_OF_FREE_PLACE)


def _evaluate_by_order(n: int, count: int, why: str) -> Evaluation:
    """Return the value of the suggestion with index `n`: the first is best, all others are equal."""
    suggested = (
        "the scenario suggests this place" if why == "set up at" and not n else f"{count} places seem equally good"
    )
    return Evaluation(ground=0.0 if n else 0.1, reason=suggested)


def _position_of(battle: Battle, unit: Unit, question: Place) -> PositionValue:
    """Return the values of the points of a question."""
    points = question.suggestions
    spare = points.reach if question.why == "go on to" and isinstance(points, Destinations) else None
    column = "wheels" if question.why == "drive to" else ""
    return PositionValue(
        battle, unit, CoordinatedIntentions(battle, unit), column, spare, place_of_man(unit, question.actor)
    )


def place_of_man(unit: Unit, actor: str) -> Point | None:
    """Return the position of the man that a question is about; None if it is about a whole unit."""
    figure = unit.figures.get(actor)
    return None if figure is None else figure.at


def _evaluate_point(position: PositionValue, point: Point, goal: Point, here: Point | None = None) -> Evaluation:
    """Return the value of a point to a unit with its present gait, on its way to `goal`.

    `here` is the position of the figures that move, if others of the unit have stopped.
    """
    gait: Gait = "run" if any(figure.gait == "run" for figure in position.unit.able) else "advance"
    return stay(position, gait) if point in (position.here, here) else go(position, goal, gait, point)


def _is_no_better(evaluation: Evaluation, other: Evaluation) -> bool:
    """Return True if `evaluation` is worth no more than `other` for all temperaments from `MILD` to `FIERY`."""
    more_inflicted, more_suffered = evaluation.inflicts - other.inflicts, evaluation.suffers - other.suffers
    more = max(MILD * more_inflicted, FIERY * more_inflicted) - min(MILD * more_suffered, FIERY * more_suffered)
    return more + evaluation.ground - other.ground <= 0.0


# --- Targets of fire: groups, units and single figures (PAY-092 to PAY-104, PAY-173) ----------------------------------


def evaluate_volley_targets(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate a volley's targets by range and importance. A stretch is chosen only if there is no group."""
    fire = fire_by_range(battle, arms_of(battle, unit), "halt")
    here = unit.positions.middle
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            found.append(_no_group(option))
            continue
        enemy, first = battle.unit(option[0]), battle.figure(option[1])
        distance = _distance_to(battle, here, first)
        value = at_range(fire, distance)
        importance = _importance(battle, enemy, distance)
        reason = partial(_toll, battle, unit, question, option)
        found.append(Evaluation(inflicts=0.02 + value * importance, reason=reason))
    return found


def _toll(battle: Battle, unit: Unit, question: Choose, option: tuple[Any, ...]) -> str:
    """Return what one volley should cost the enemy, as a reason: of the men who fire, as they have moved, and no more
    men than can be hit.
    """
    firers, group = volley_group(battle, unit, option, question.about)
    distance = _distance_to(battle, unit.positions.middle, battle.figure(option[1]))
    hits = total(
        [
            hit_chance(battle, man.spec.firearms, weapon, distance, man.gait)
            for man, weapon in firers
            if man.at is not None
        ]
    )
    return f"this volley should cost the enemy {about_men(min(hits * battle.book.out_chance, len(group)))}"


def _no_group(option: Option) -> Evaluation:
    """Evaluate fire at a stretch of ground, or holding fire."""
    stretch = option == "a stretch"
    return Evaluation(
        inflicts=0.01 if stretch else 0.0, reason="no enemy group stands there" if stretch else "holds fire"
    )


def _distance_to(battle: Battle, here: Point, figure: Figure) -> float:
    """Return the inches to a figure; those of long range if it is not on the table."""
    return dist(here, figure.at) if figure.at is not None else battle.book.long_arm.extreme


def _importance(battle: Battle, enemy: Unit, distance: float) -> float:
    """Return the importance of a hit on a unit.

    It is low if the unit routs, higher if it is close or stands on a place to hold, highest if it carries an object.
    """
    if is_leaving(battle, enemy):
        return LEAVING
    importance = 1.0 + 0.04 * min(enemy.hits, 10)
    if enemy.rout or enemy.pending:
        importance *= 0.8
    if any(thing.carrier in enemy.figures for thing in battle.things_of_objectives()):
        importance *= 2.0
    for objective in battle.objectives:
        if enemy.spec.id in objective.units and (objective.kind == "escort" or enemy.spec.side not in objective.sides):
            importance *= 1.5
            break
    importance *= 1.0 + share_of_points(battle, enemy)
    if distance <= 12:
        importance *= 1.2
    return importance * (0.5 if len(enemy.able) == 1 else 1.0)


def share_of_points(battle: Battle, enemy: Unit) -> float:
    """Return the share of the scenario's points for the places on which a unit stands, divided by the turns left.

    A place counts at the end, and until then the enemies who fight matter more.
    """
    held = [
        objective
        for objective in battle.objectives
        if objective.kind == "hold" and objective.at is not None and figures_at([enemy], objective)
    ]
    if not held:
        return 0.0
    worth = total([objective.points / max(1, objective.due - battle.turn) for objective in held])
    return worth / (sum([objective.points for objective in battle.objectives]) or 1)


def evaluate_gun_targets(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate a gun's targets: larger groups are easier to hit and lose more men (PAY-173)."""
    here = unit.positions.middle
    hits = battle.book.file.guns["shell"].hit_dice * (1 + DIE) / 2
    found = []
    for option in question.options:
        if not isinstance(option, tuple):
            found.append(_no_group(option))
            continue
        enemy = battle.unit(option[0])
        near = [figure for figure in enemy.able if "down" not in figure.marks]
        distance = _distance_to(battle, here, battle.figure(option[1]))
        value = min(len(near), hits) / UNIT_SIZE * _importance(battle, enemy, distance)
        found.append(
            Evaluation(
                inflicts=0.02 + value,
                reason=f"{amount(len(near), 'man stands', 'men stand')} there in the open",
            )
        )
    return found


@evaluate_each
def evaluate_units_to_aim_at(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the enemy units a leader may aim at: those whose leader commands many figures first (PAY-128)."""
    enemy = battle.units.get(str(option))
    if enemy is None:
        return Evaluation(reason="holds fire")
    shooter = battle.figure(question.actor)
    weapon, leader = ready_weapon(battle.book, shooter), enemy.figures.get(enemy.leader)
    led = leader is not None and leader.able and not enemy.spec.single and not enemy.rout
    aim = leader if led and leader is not None else enemy.able[0]
    distance = _distance_to(battle, shooter.at or unit.positions.middle, aim)
    chance = hit_chance(battle, shooter.spec.firearms, weapon, distance, shooter.gait) if weapon else 0.0
    book = battle.book
    shaken = chance * book.disabling_share * book.leader_loss_fails * len(enemy.able) / UNIT_SIZE if led else 0.0
    value = (chance * battle.book.out_chance / UNIT_SIZE + shaken) * _importance(battle, enemy, distance)

    def reason() -> str:
        # The man worth most may be out of range while others of his unit are not.
        nearest = min(_distance_to(battle, shooter.at or unit.positions.middle, figure) for figure in enemy.able)
        shown = chance or (hit_chance(battle, shooter.spec.firearms, weapon, nearest, shooter.gait) if weapon else 0.0)
        return f"the shot has a {percent(shown)} chance to hit" if shown else "a shot at the edge of its range"

    return Evaluation(inflicts=0.001 + value, reason=reason)


@evaluate_each
def evaluate_men_to_aim_at(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the figures of a unit as targets: its leader, else the carrier of an object."""
    if option == battle.unit_of(battle.figure(str(option))).leader:
        lost = battle.book.disabling_share
        return Evaluation(
            inflicts=0.4, reason=f"he leads the unit, and {percent(lost)} of the hits put him out of action (PAY-092)"
        )
    if any(thing.carrier == option for thing in battle.things_of_objectives()):
        return Evaluation(inflicts=0.6, reason="he carries an object of an objective, which he may drop")
    return Evaluation(inflicts=0.1, reason=f"{percent(battle.book.out_chance)} of the hits put him out of action")


# --- Melees: whether to fight, with two against one where possible (PAY-136 to PAY-144) -------------------------------


@evaluate_each
def evaluate_opponents(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the enemies of one figure. It prefers the one that most friends touch, to fight two against one."""
    if option == STAY:
        return Evaluation(reason="no man is lost without a fight")
    own, foe = battle.figure(question.actor), battle.figure(str(option))
    friends = len(enemies_touched(battle, foe, [unit]))
    mine, max_against_one = skill_of(battle, own), battle.book.file.most_against_one.most
    side = (mine, mine) if min(friends, max_against_one) > 1 else (mine,)
    gain, loss = expected_melee_losses(side, skill_of(battle, foe), battle.book.out_chance)
    if own.spec.id == unit.leader:
        loss *= 1 + battle.book.leader_loss_fails * len(unit.able)  # PAY-128
    value = (gain - loss) / UNIT_SIZE + 0.01 * friends
    if len(side) > 1:
        return Evaluation(inflicts=value, reason="two of our men can fight him together")
    return Evaluation(
        inflicts=value, reason="we should hit him more often" if gain > loss else "he should hit us more often"
    )


@evaluate_each
def evaluate_helpers(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the second figure against one enemy: the better fighter is preferred."""
    if option == STAY:
        return Evaluation(reason="no other figure is put at risk")
    mine = skill_of(battle, battle.figure(str(option)))
    gain, loss = expected_melee_losses(
        (mine, mine), skill_of(battle, battle.figure(question.actor)), battle.book.out_chance
    )
    return Evaluation(gain / UNIT_SIZE, loss / UNIT_SIZE, reason="two men together fight better than one")


@evaluate_each
def evaluate_victims(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate which of two figures is hit: a leader, else the better fighter (PAY-144)."""
    figure = battle.figure(str(option))
    leads, skill = battle.is_leader(figure), skill_of(battle, figure)
    reason = "he leads his unit" if leads else f"he fights with Melee Skill {skill}"
    return Evaluation(inflicts=0.1 * skill + 0.5 * leads, reason=reason)


# --- Promotions (PAY-037) ---------------------------------------------------------------------------------------------


@evaluate_each
def evaluate_corporals(battle: Battle, unit: Unit, question: Choose, option: Option) -> Evaluation:
    """Evaluate the candidates for promotion. The best shot leads, because leaders choose their own target (PAY-092)."""
    figure = unit.figures.get(str(option))
    if figure is None:
        return Evaluation(reason="the unit stays without a leader")
    skill = figure.spec.firearms
    deeds = f", and he has done {amount(figure.brave, 'brave deed')}" if figure.brave else ""
    return Evaluation(steadies=0.2 + 0.01 * skill, reason=f"his Firearms Skill is {skill}{deeds} (PAY-037)")


# --- The evaluation of any question -----------------------------------------------------------------------------------


UNKNOWN = Evaluation(suffers=NOTHING, reason="only a house rule knows what this does")
"""The value of an option that only a house rule knows."""


def move_view(battle: Battle, unit: Unit) -> MoveView:
    """Return what an AI player knows about a unit in its move step."""
    return MoveView(battle, unit, CoordinatedIntentions(battle, unit))


def evaluate_gaits(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Evaluate the gaits of one man, or of a unit that has mounted, dismounted or got off."""
    view = MoveView(battle, unit, CoordinatedIntentions(battle, unit), here=place_of_man(unit, question.actor))
    values = {
        HALT: view.halt,
        ADVANCE: value_of_moving(view, ADVANCE),
        RUN: value_of_moving(view, RUN),
        EACH: gains_nothing(view),
    }
    return [values.get(str(option), UNKNOWN) for option in question.options]


ACTIONS: dict[str, tuple[ActionTable[Any, Any], Callable[[Battle, Unit], Any]]] = {
    actions.question: (actions, view)
    for actions, view in (
        (MOVE_ACTIONS, move_view),
        (LOAD_ACTIONS, LoadView),
        (EXITS, ExitView),
        (POSTURES, PostureView),
        (FIRE_ACTIONS, FireView),
        (MELEE_ACTIONS, MeleeView),
    )
}
"""The questions that actions answer: their tables, and what an AI player knows about the unit that acts."""

_EVALUATE_QUESTION: dict[str, Callable[[Battle, Unit, Choose], list[Evaluation]]] = {
    "acting corporal": evaluate_corporals,
    "gait": evaluate_gaits,
    "volley at": evaluate_volley_targets,
    "gun at": evaluate_gun_targets,
    "fire at unit": evaluate_units_to_aim_at,
    "fire at": evaluate_men_to_aim_at,
    "fights": evaluate_opponents,
    "joins against": evaluate_helpers,
    "which man is hit": evaluate_victims,
    # a recorded deed has no effect until a corporal is needed
    "brave deed in": fixed_values(
        "steadies", {"nobody": 0.1}, "a deed counts only when a corporal is chosen (PAY-044)"
    ),
    # the same AI leads every unit and knows the objectives
    "order for": prefer_first("steadies", 0.1, "units need not obey an order; it only says what you want (PAY-033)"),
}


def evaluate(battle: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
    """Return one evaluation per option, in order (for a confirmation: no, yes)."""
    unit = _unit_of(battle, question.actor)
    if isinstance(question, Confirm):
        return [Evaluation(reason="holds fire"), Evaluation(inflicts=0.1, reason="joins in the fire")]
    if isinstance(question, Place):
        return _prefer_the_first(len(question.suggestions)) if unit is None else evaluate_places(battle, unit, question)
    if unit is not None and question.why in ACTIONS:
        return _actions(battle, unit, question)
    evaluate_question = _EVALUATE_QUESTION.get(question.why)
    return (
        _prefer_the_first(len(question.options))
        if evaluate_question is None or unit is None
        else evaluate_question(battle, unit, question)
    )


def _actions(battle: Battle, unit: Unit, question: Choose) -> list[Evaluation]:
    """Return the value of each action that may answer a question."""
    actions, look = ACTIONS[question.why]
    actions, view = actions.for_session(battle.book.rules), look(battle, unit)
    if isinstance(view, MoveView) and view.is_idle_commander:
        return [_evaluate_commander_alone(option) for option in question.options]
    found = [actions.action_of(option) for option in question.options]
    return [UNKNOWN if action is None else actions.value(action, view, battle.book) for action in found]


def _evaluate_commander_alone(option: Option) -> Evaluation:
    """Evaluate the move of a single commander, who stays out of danger because he gains no ground."""
    if option == "halt":
        return Evaluation(steadies=0.1, reason="a lone commander gains nothing by moving")
    return Evaluation(reason="a man alone is at risk")


def _prefer_the_first(count: int) -> list[Evaluation]:
    """Return evaluations for an unknown question, such as one from a house rule: the first option is preferred."""
    return [Evaluation(steadies=0.0 if n else 0.1, reason="no option is better than another") for n in range(count)]


def best_places(battle: Battle, question: Place) -> Mapping[Point, Evaluation]:
    """Return the points among which the best one is for every AI temperament, with their evaluations."""
    unit = _unit_of(battle, question.actor)
    if unit is None:
        return dict(zip(question.suggestions, _prefer_the_first(len(question.suggestions)), strict=True))
    return best_of(battle, unit, question)


def _unit_of(battle: Battle, actor: str) -> Unit | None:
    """Return the unit that a question is about, from a unit, figure or gun. None if a house rule names none of them."""
    if actor in battle.engines:
        actor = battle.engines[actor].unit
    return battle.units.get(actor) or battle.units.get(actor.rpartition(".")[0])
