"""The panel next to the map: the side and unit that act, the order of the options, and how to win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.game.parts.odds_horizon import DECLINING
from zareba.presentation.board import Board
from zareba.presentation.landmarks import Landmarks
from zareba.scenario.load import hidden_from
from zareba.session.briefing import objective_lines
from zareba.session.delegation import phase_of, unit_of
from zareba.table import Answer, Choose, Confirm, Place, Point, Question, Step

NO_SIDE = 9
"""The number in the styles of the page for pieces and people of no side."""
MOST_IN_ORDER = 5
"""With no more options than this, all are shown in their order."""
_END = "done"
"""The option with which a side ends its choice of the units that act in turn."""
_FIRST = 3
"""Number of promising options that are shown before the rest."""


def answers(question: Question) -> Sequence[Answer]:
    """Return the listed answers to a question, in order."""
    if isinstance(question, Choose):
        return question.options
    if isinstance(question, Confirm):
        return (False, True)
    return question.suggestions if isinstance(question, Place) else ()


def places_in_words(game: Game[Any], board: Board, question: Place) -> list[str]:
    """Return the suggested points of a question in words: "5 inches south of the knoll". Points that would read the
    same have their coordinates as well.
    """
    names = [spot_in_words(game, board, point) for point in question.suggestions]
    return [
        f"{name} ({x:.1f}, {y:.1f})" if names.count(name) > 1 else name
        for name, (x, y) in zip(names, question.suggestions, strict=True)
    ]


def spot_in_words(game: Game[Any], board: Board, point: Point) -> str:
    """Return a point of an open table by the nearest named place: "at the ford"."""
    return Landmarks(game.scenario, board.length, 1 / board.inches).spot(point)


class OptionGroups(NamedTuple):
    """The numbers of a question's options in the order of the page; in each group they keep their own order.

    `first` are the promising ones, `more` the rest, and `declining` those that end an act or decline it.
    """

    first: list[int]
    more: list[int]
    declining: list[int]


def options_in_groups(game: Game[Any], state: Any, question: Question) -> OptionGroups:
    """Return the options in groups. Of many options, the first are those that doctrine values most.

    Options that decline come last, because players tapped them by mistake where the rules list them first.
    """
    options = answers(question)
    declining = [
        number for number, option in enumerate(options) if isinstance(question, Choose) and option in DECLINING
    ]
    others = [number for number in range(len(options)) if number not in declining]
    if not others:
        return OptionGroups(declining, [], [])
    if len(options) <= MOST_IN_ORDER:
        return OptionGroups(others, [], declining)
    if isinstance(question, Place):
        return OptionGroups(others[:_FIRST], others[_FIRST:], [])
    if not isinstance(question, Choose) or not game.has_evaluation:
        return OptionGroups(others, [], declining)
    values = {option: value for option, value, _ in Doctrine(game, question.seat, 1).weigh(question, state)}
    valued = [number for number in others if options[number] in values]
    best = sorted(valued, key=lambda number: -values[options[number]])[:_FIRST]
    first = [number for number in others if number in best]
    return OptionGroups(first, [number for number in others if number not in best], declining)


def units_passed_over(game: Game[Any], state: Any, question: Choose) -> dict[int, int]:
    """Return the number of the option that ends a side's choice among units, with the number of units that it passes
    over.
    """
    if question.actor not in game.seats:  # such as the leaders that a commander may tell to fire themselves
        return {}
    units = game.umpire_editor().piece_holders(state)
    others = [option for option in question.options if option != _END]
    if len(others) == len(question.options) or not all(option in units for option in others):
        return {}
    return {question.options.index(_END): len(others)}


def options_with_odds(game: Game[Any], state: Any, question: Question) -> list[int]:
    """Return the numbers of the options whose odds are worth showing. `state` is what the seat sees."""
    if not isinstance(question, (Choose, Confirm)):
        return []
    if not game.narrator.knows_question(state, question):
        return list(range(len(answers(question))))
    return [number for number, answer in enumerate(answers(question)) if game.advisor.has_odds(state, question, answer)]


def who_acts(game: Game[Any], state: Any, board: Board, question: Question, seat: str) -> dict[str, Any]:
    """Return the side that must answer and the unit that acts ("" for none), with their marks on the map."""
    units_of_pieces = {piece.id: piece.look.unit or piece.id for piece in board.pieces}
    piece = game.display.acting_piece(state, question)
    unit = units_of_pieces.get(piece, piece)
    is_on_map = unit in board.labels or unit in units_of_pieces.values()
    return {
        "side": game.narrator.name_of(seat),
        "number": list(board.sides).index(seat) if seat in board.sides else NO_SIDE,
        "unit": game.narrator.name_of(unit) if is_on_map else "",
        "label": board.labels.get(unit, "") if is_on_map else "",
    }


def rest_for_ai(game: Game[Any], state: Any, step: Step, question: Question) -> dict[str, Any]:
    """Return what one press lets the AI finish: the activation of a unit, and the phase.

    `unit` is the name of the unit that acts, "" for none, and `phase` the title of the phase. If the phase is the
    activation of that unit, `phase` is "".
    """
    unit = unit_of(game, state, question)
    name = game.narrator.name_of(unit) if unit and unit not in game.seats else ""
    if name and phase_of(step).endswith(f" {unit}"):
        return {"unit": name, "phase": ""}
    title = next((title for title, is_now in game.display.phases(state) if is_now), "")
    return {"unit": name, "phase": title.partition(": ")[2] or title}


def victory(game: Game[Any], state: Any, seat: str | None) -> dict[str, Any]:
    """Return how the battle is won, as far as a seat may know, or a watcher (None): in one line, and in detail."""
    hidden = hidden_from(game.scenario, game.seats if seat is None else (seat,))
    first, *others = game.play.how_to_win(state)
    return {
        "first": first,
        "goals": [(goal.name, goal.points) for goal in game.scenario.objectives.values()],
        "rules": others,
        "objectives": list(objective_lines(game, hidden)),
    }
