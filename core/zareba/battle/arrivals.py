"""Units that arrive during the battle: the turn they are due, and the roll that brings them on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from zareba.chance import at_least
from zareba.presentation.board import ArrivingPiece
from zareba.presentation.narration import arrival_phrase
from zareba.scenario import Arrival, Scenario
from zareba.table import Table


def arrival_turns(scenario: Scenario) -> dict[str, int]:
    """Return the units that are not on the table at the start, with the turns in which they are due."""
    return {key: unit.arrival.turn for key, unit in scenario.units.items() if unit.arrival is not None}


def arrives(table: Table, arrival: Arrival | None, unit: str, rule: str) -> bool:
    """Return True if a unit that is due arrives: at once, or if its die roll is high enough. A failure is an event."""
    if arrival is None or arrival.die is None or arrival.at_least is None:
        return True
    means = at_least(arrival.at_least, "arrives", "does not arrive yet", by="the scenario")
    die = table.roll(1, arrival.die, why="arrival", rule=rule, actor=unit, means=means)
    if die < arrival.at_least:
        table.emit("not arrived", rule, unit=unit, die=die)
    return die >= arrival.at_least


def arriving_pieces(
    scenario: Scenario, coming: Iterable[Any], source: Callable[[Any], str] | None = None, when: Mapping[str, str] = {}
) -> list[ArrivingPiece]:
    """Return the pieces still to be set up or to arrive, for display. Each of `coming` has an `id`, `side` and `name`.

    `source` returns the unit or leader of the scenario that a piece represents, if it is not the piece's id. `when`
    gives the arrival of pieces for which these rules know more than the scenario.
    """
    known = [(piece, source(piece) if source else piece.id) for piece in coming]
    return [
        ArrivingPiece(piece.id, piece.side, piece.name, when.get(piece.id) or arrival_phrase(scenario, source_piece))
        for piece, source_piece in known
    ]
