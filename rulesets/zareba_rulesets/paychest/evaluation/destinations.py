"""Evaluation of a unit's destinations (PAY-070, PAY-073, PAY-084)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.table import LazyOptions, Place
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.movement import Destinations
from zareba_rulesets.paychest.estimates import IntendedGoals, PositionValue, go, stay
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import crowd_around, nearest_free
from zareba_rulesets.paychest.forces.units import Unit

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
    here = points.here if isinstance(points, Destinations) else None
    return [_evaluate_point(position, point, position.goal_by(point), here) for point in points]


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
                goal = position.goal_by(point)
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
    """Return the way to a purpose that the suggestions do not know, with its evaluation; None if there is none."""
    purpose, points = position.purpose, question.suggestions
    suggested = points.goals.objective if isinstance(points, Destinations) else None
    if purpose is None or purpose.at == suggested or not position.is_wanted_elsewhere:
        return None
    point = position.way_to(purpose.at)
    return (point, _evaluate_point(position, point, purpose.at)) if question.legal(point) is None else None


def _point_beside_comrades(position: PositionValue, question: Place) -> tuple[Point, Evaluation] | None:
    """Return the free point next to the corner that one man must turn at if comrades stand there, with its
    evaluation.
    """
    figure, purpose = position.unit.figures.get(question.actor), position.purpose
    if figure is None or purpose is None or not position.is_wanted_elsewhere:
        return None
    battle, radius, corner = position.battle, position.battle.radius(figure), position.way_to(purpose.at)
    crowd = crowd_around(battle, corner, _BESIDE_CORNER + radius, (question.actor,))
    if corner == purpose.at or crowd.is_free(corner, radius):
        return None
    point = nearest_free(battle, corner, radius, position.column, crowd, _BESIDE_CORNER)
    if point is None or question.legal(point) is not None:
        return None
    evaluation = _evaluate_point(position, point, purpose.at)
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
    return PositionValue(battle, unit, IntendedGoals(battle, unit), column, spare, place_of_man(unit, question.actor))


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
