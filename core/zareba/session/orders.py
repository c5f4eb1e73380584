"""Standing orders: what a unit does until it is told otherwise, so that its player need not be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, TypeAlias, get_args

from zareba.base.errors import RuleBroken, ZarebaError, unknown_name
from zareba.base.exact import dist
from zareba.game import HOLDING, Game
from zareba.game.advance import Done, Paused, advance
from zareba.people.board import whereabouts
from zareba.session.delegation import phase_of, unit_of
from zareba.session.history import History
from zareba.table import Answer, Choose, Confirm, Draw, Place, Point, Roll, seat_of

__all__ = ["KINDS", "Order", "Orders", "order_from_data"]

Kind: TypeAlias = Literal["hold", "fire", "go"]
KINDS: tuple[Kind, ...] = get_args(Kind)
THERE = 1.5
"""So near, in the length of the board, a unit has come where it was to go."""
MOST_TRIED = 24
"""So many options of a choice are tried out for the one that leads to the goal."""
FOLLOWED = 12
"""So many questions of the step are followed to see where an option leads."""
STRIDES = 24
"""In so many parts the way to the goal is divided, to find how much of it may be gone."""


@dataclass(frozen=True)
class Order:
    """`hold`: do nothing of its own accord. `fire`: at the nearest whom it can hurt. `go`: to a point of the board, which
    people call `place`, and whatever does not move it as a commander with sense would. Whatever an order has no answer to is asked: a charge that has to be met, a melee.
    """

    kind: Kind
    place: str = ""
    at: Point | None = None

    def to_data(self) -> dict[str, Any]:
        """The order for a journal."""
        return {"kind": self.kind, "place": self.place, "at": list(self.at) if self.at else None}

    def __str__(self) -> str:
        return {
            "hold": "hold unless charged",
            "fire": "fire at the nearest in reach",
            "go": f"go on to {self.place}",
        }[self.kind]


def order_from_data(data: Any) -> Order:
    """The order that `to_data` gave; raises ZarebaError for anything else."""
    at = data.get("at") if isinstance(data, Mapping) else None
    numbers = isinstance(at, list) and len(at) == 2 and all(isinstance(one, (int, float)) for one in at)
    if not isinstance(data, Mapping) or data.get("kind") not in KINDS or (data["kind"] == "go") is not numbers:
        raise ZarebaError("this is no standing order")
    return Order(data["kind"], str(data.get("place", "")), (at[0], at[1]) if numbers and at else None)


class Orders:
    """The standing orders of a session's units, by id."""

    def __init__(self, game: Game[Any]) -> None:
        self.given: dict[str, Order] = {}
        self._game = game
        self._taken: set[tuple[int, str, str]] = set()

    def give(self, state: Any, unit: str, order: Order | None) -> None:
        """Give an order, or cancel one with None; raises ZarebaError with the nearest name."""
        known = self._game.by_hand().named(state)
        if unit not in known:
            raise unknown_name("unit", unit, known)
        if order is None and unit not in self.given:
            raise ZarebaError(f"{self._game.name_of(unit)} has no standing order")
        if order is None:
            del self.given[unit]
        else:
            self.given[unit] = order

    def recall(self, unit: str, order: Order | None) -> None:
        """Take an order up as it was given before, or cancel it; nothing is checked again."""
        self.given.pop(unit, None)
        if order is not None:
            self.given[unit] = order

    def answer(
        self, history: History, question: Choose | Place | Confirm, suggest: Callable[[], Answer]
    ) -> tuple[Answer, str] | None:
        """What an order answers to a choice of its unit, and why; None when the player is to be asked.

        `suggest` gives what a commander with sense would answer.
        """
        now = history.now
        if not self.given or now is None:
            return None
        unit = unit_of(self._game, now.draft, question)
        order = self.given.get(unit)
        if order is None:
            return self._turn_of_one(history, question)
        reason = f"standing order: {order}"
        if order.kind == "fire":
            found = self._fire(history, question)
        elif order.kind == "go":
            found = self._go(history, question, unit, order, suggest)
        else:
            found = _hold(question)
        return None if found is None else (found, reason)

    def _turn_of_one(self, history: History, question: Choose | Place | Confirm) -> tuple[Answer, str] | None:
        """Where the choice is which unit comes next, one with an order is taken, once in a phase."""
        now = history.now
        if not isinstance(question, Choose) or now is None:
            return None
        for unit in self.given:
            key = self._game.game_turn(now.draft), phase_of(now.step), unit
            if unit in question.options and key not in self._taken:
                self._taken.add(key)
                return unit, "it has a standing order"
        return None

    def _fire(self, history: History, question: Choose | Place | Confirm) -> Answer | None:
        """The nearest of those whom it can hurt; what hurts most where targets are no pieces; else it holds."""
        if not isinstance(question, Choose):
            return None
        seen = self._game.view(history.state, question.seat)
        worth = {option: one.inflicts for option, one in self._game.best_options(seen, question).items()}
        hurting = [option for option, inflicts in worth.items() if inflicts > 0]
        if not hurting:
            return _hold(question)
        where = whereabouts(self._game.board(seen))
        own = where.get(unit_of(self._game, seen, question))
        named = [option for option in hurting if isinstance(option, str) and option in where]
        if own is not None and len(named) == len(hurting):
            return min(named, key=lambda option: dist(own, where[option]))
        return max(hurting, key=lambda option: worth[option])

    def _go(
        self,
        history: History,
        question: Choose | Place | Confirm,
        unit: str,
        order: Order,
        suggest: Callable[[], Answer],
    ) -> Answer | None:
        """What brings it nearest to its goal when it then does nothing more; there, it holds.

        A choice that has nothing to do with where it stands is made with sense.
        """
        goal = order.at
        start = whereabouts(self._game.board(history.state)).get(unit)
        if goal is None or start is None or dist(start, goal) <= THERE:
            return _hold(question)
        ways = [
            (_left(history, one, unit, goal), place, one)
            for place, one in enumerate(_offered(question, start, goal)[:MOST_TRIED])
        ]
        left, _, best = min(ways)
        if max(ways)[0] - left < 1e-6:
            return suggest()
        return best if left < dist(start, goal) - 1e-6 else _hold(question)


def _hold(question: Choose | Place | Confirm) -> Answer | None:
    """What does nothing more; None where the question offers no such thing."""
    if not isinstance(question, Choose):
        return None
    return next((option for option in question.options if option in HOLDING), None)


def _offered(question: Choose | Place | Confirm, start: Point, goal: Point) -> list[Answer]:
    """The answers to be tried: all options; of points the furthest towards the goal that is legal, else those suggested."""
    if isinstance(question, Choose):
        return list(question.options)
    if isinstance(question, Confirm):
        return [True, False]
    shares = [number / STRIDES for number in range(STRIDES, 0, -1)]
    ahead = [(start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1])) for share in shares]
    furthest = next((point for point in ahead if question.legal(point) is None), None)
    return list(question.suggestions) if furthest is None else [furthest]


def _left(history: History, answer: Answer, unit: str, goal: Point) -> float:
    """How far the unit is from its goal once the answer is given, and what follows from it has been done.

    Dice show middling faces, of later choices the player makes none that he could leave, and of places he names the
    nearest to the goal.
    """
    game, played = history.game, history.steps[-1]
    seat = seat_of(history.now.question) if history.now else None
    answers = [*(one.answer for one in played.answers), answer]
    for _ in range(FOLLOWED):
        try:
            reached = advance(game, played.start, answers)
        except RuleBroken:
            return inf
        if not isinstance(reached, Paused):
            break
        question = reached.question
        if isinstance(question, Roll):
            answers.append(question.read.of([(question.sides + 1) // 2] * question.dice))
        elif isinstance(question, Draw) or question.seat != seat:
            break
        elif isinstance(question, Place):
            at = whereabouts(game.board(reached.draft)).get(unit, goal)
            points = _offered(question, at, goal)
            answers.append(min(points, key=lambda point: dist(point, goal)))
        else:
            answers.append(game.hold(question))
    if reached is None:
        return inf
    state = reached.checkpoint if isinstance(reached, Done) else reached.draft
    found = whereabouts(game.board(state)).get(unit)
    return inf if found is None else dist(found, goal)
