"""Standing orders: a unit follows one until it changes, so that the player has fewer choices to make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, TypeAlias, get_args

from zareba.base.errors import RuleBroken, ZarebaError, unknown_name
from zareba.base.exact import dist
from zareba.game import HOLDING, Game
from zareba.game.advance import AtQuestion, Done, advance
from zareba.presentation.board import describe_position
from zareba.session.delegation import phase_of, unit_of
from zareba.session.history import History
from zareba.table import Answer, Choose, Confirm, Draw, Place, Point, Roll, seat_of

_Kind: TypeAlias = Literal["hold", "fire", "go"]
KINDS: tuple[_Kind, ...] = get_args(_Kind)
_ARRIVED = 1.5
"""Distance, in the length unit of the board, at which a unit has reached its goal."""
_MOST_TRIED = 24
"""Largest number of options tried to find the one that leads to the goal."""
_MOST_LATER_QUESTIONS = 12
"""Number of later questions of the step that are answered to see where an option leads."""
_PATH_PARTS = 24
"""Number of parts into which the path to the goal is divided, to find the longest legal move."""


@dataclass(frozen=True)
class StandingOrder:
    """A unit's standing order: `hold`, `fire` or `go`.

    `hold`: do nothing voluntarily. `fire`: shoot at the nearest enemy that it can hurt. `go`: move to a point of the
    board, which people call `place`; choices that do not move the unit are made by doctrine. The player still decides
    anything an order does not cover, such as a melee or a charge to meet.
    """

    kind: _Kind
    place: str = ""
    at: Point | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the order for a journal."""
        return {"kind": self.kind, "place": self.place, "at": list(self.at) if self.at else None}

    def __str__(self) -> str:
        return {
            "hold": "hold unless charged",
            "fire": "fire at the nearest enemy in range",
            "go": f"go on to {self.place}",
        }[self.kind]


def order_from_data(data: Any) -> StandingOrder:
    """Return the order that `to_data` encoded. Raises ZarebaError for anything else."""
    at = data.get("at") if isinstance(data, Mapping) else None
    has_point = isinstance(at, list) and len(at) == 2 and all(isinstance(coordinate, (int, float)) for coordinate in at)
    if not isinstance(data, Mapping) or data.get("kind") not in KINDS or (data["kind"] == "go") is not has_point:
        raise ZarebaError("this is not a valid standing order")
    return StandingOrder(data["kind"], str(data.get("place", "")), (at[0], at[1]) if has_point and at else None)


class StandingOrders:
    """The standing orders of a session's units, by id."""

    def __init__(self, game: Game[Any]) -> None:
        self.given: dict[str, StandingOrder] = {}
        self._game = game
        self._activated: set[tuple[int, str, str]] = set()
        """The units that an order has chosen to act: game turn, phase and unit."""

    def give(self, state: Any, unit: str, order: StandingOrder | None) -> None:
        """Give an order, or cancel one with None. Raises ZarebaError with the nearest name."""
        known = self._game.umpire_editor().piece_holders(state)
        if unit not in known:
            raise unknown_name("unit", unit, known)
        if order is None and unit not in self.given:
            raise ZarebaError(f"{self._game.narrator.name_of(unit)} has no standing order")
        if order is None:
            del self.given[unit]
        else:
            self.given[unit] = order

    def restore(self, unit: str, order: StandingOrder | None) -> None:
        """Restore or cancel an order from the journal, without checks."""
        self.given.pop(unit, None)
        if order is not None:
            self.given[unit] = order

    def answer(
        self, history: History, question: Choose | Place | Confirm, suggest: Callable[[], Answer]
    ) -> tuple[Answer, str] | None:
        """Return the answer of an order to a choice of its unit, and the reason; None if the player must decide.

        `suggest` returns the answer of doctrine.
        """
        now = history.now
        if not self.given or now is None:
            return None
        unit = unit_of(self._game, now.draft, question)
        order = self.given.get(unit)
        if order is None:
            return self._choose_next_unit(history, question)
        reason = f"standing order: {order}"
        if order.kind == "fire":
            answer = self._fire(history, question)
        elif order.kind == "go":
            answer = self._go(history, question, unit, order, suggest)
        else:
            answer = _hold(question)
        return None if answer is None else (answer, reason)

    def _choose_next_unit(self, history: History, question: Choose | Place | Confirm) -> tuple[Answer, str] | None:
        """Answer the choice of the next unit with one that has an order, once per phase; return None if there is
        none.
        """
        now = history.now
        if not isinstance(question, Choose) or now is None:
            return None
        for unit in self.given:
            key = self._game.game_turn(now.draft), phase_of(now.step), unit
            if unit in question.options and key not in self._activated:
                self._activated.add(key)
                return unit, "it has a standing order"
        return None

    def _fire(self, history: History, question: Choose | Place | Confirm) -> Answer | None:
        """Return the nearest target that the unit can hurt, or the most damaging option if targets are not pieces;
        otherwise hold.
        """
        if not isinstance(question, Choose):
            return None
        view = self._game.sight.view(history.state, question.seat)
        evaluations = self._game.advisor.best_options(view, question)
        damage = {option: value.inflicts for option, value in evaluations.items() if value.inflicts > 0}
        if not damage:
            return _hold(question)
        positions = describe_position(self._game.display.board(view))
        own_position = positions.get(unit_of(self._game, view, question))
        pieces = [option for option in damage if isinstance(option, str) and option in positions]
        if own_position is not None and len(pieces) == len(damage):
            return min(pieces, key=lambda piece: dist(own_position, positions[piece]))
        return max(damage, key=lambda option: damage[option])

    def _go(
        self,
        history: History,
        question: Choose | Place | Confirm,
        unit: str,
        order: StandingOrder,
        suggest: Callable[[], Answer],
    ) -> Answer | None:
        """Return the answer that brings the unit nearest to its goal; at the goal, hold.

        A choice that does not affect the distance is answered by doctrine.
        """
        goal = order.at
        start = describe_position(self._game.display.board(history.state)).get(unit)
        if goal is None or start is None or dist(start, goal) <= _ARRIVED:
            return _hold(question)
        answers = _answers_to_try(question, start, goal)[:_MOST_TRIED]
        distances = [_distance_after(history, answer, unit, goal) for answer in answers]
        nearest = min(distances)
        if max(distances) - nearest < 1e-6:
            return suggest()
        return answers[distances.index(nearest)] if nearest < dist(start, goal) - 1e-6 else _hold(question)


def _hold(question: Choose | Place | Confirm) -> Answer | None:
    """Return the option that does nothing more; None if there is none."""
    if not isinstance(question, Choose):
        return None
    return next((option for option in question.options if option in HOLDING), None)


def _answers_to_try(question: Choose | Place | Confirm, start: Point, goal: Point) -> list[Answer]:
    """Return the answers to try: all options, or the legal point farthest towards the goal, otherwise the suggested
    points.
    """
    if isinstance(question, Choose):
        return list(question.options)
    if isinstance(question, Confirm):
        return [True, False]
    shares = [number / _PATH_PARTS for number in range(_PATH_PARTS, 0, -1)]
    path = [(start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1])) for share in shares]
    farthest = next((point for point in path if question.legal(point) is None), None)
    return list(question.suggestions) if farthest is None else [farthest]


def _distance_after(history: History, answer: Answer, unit: str, goal: Point) -> float:
    """Return the unit's distance from its goal after an answer and its consequences; infinity if it cannot be computed.

    Dice show average faces. The player declines later choices where possible, and chooses the places nearest to the
    goal.
    """
    game, played = history.game, history.steps[-1]
    seat = seat_of(history.now.question) if history.now else None
    answers = [*(answered.answer for answered in played.answers), answer]
    for _ in range(_MOST_LATER_QUESTIONS):
        try:
            reached = advance(game, played.start, answers)
        except RuleBroken:
            return inf
        if not isinstance(reached, AtQuestion):
            break
        question = reached.question
        if isinstance(question, Roll):
            answers.append(question.read.of([(question.sides + 1) // 2] * question.dice))
        elif isinstance(question, Draw) or question.seat != seat:
            break
        elif isinstance(question, Place):
            position = describe_position(game.display.board(reached.draft)).get(unit, goal)
            points = _answers_to_try(question, position, goal)
            answers.append(min(points, key=lambda point: dist(point, goal)))
        else:
            answers.append(game.odds_horizon.hold(question))
    if reached is None:
        return inf
    state = reached.checkpoint if isinstance(reached, Done) else reached.draft
    end = describe_position(game.display.board(state)).get(unit)
    return inf if end is None else dist(end, goal)
