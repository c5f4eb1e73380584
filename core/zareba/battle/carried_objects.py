"""Things that are carried off, and the edges over which units leave to their side's credit: what a scenario sends them for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from zareba.base.state import CopyOnWrite, Record, record
from zareba.presentation.board import Appearance, BoardPiece
from zareba.scenario.model import Exit, Scenario
from zareba.scenario.scoreboard import Fate
from zareba.space.table_edges import EDGES, Edge
from zareba.table import Table

__all__ = ["CarriedObject", "carried_by", "exits_of", "leave", "object_fate", "objects_on_ground", "pick_up"]


class Carriable(Protocol):
    """What all things that are carried off have, wherever they lie."""

    carrier: str
    taken_by: str
    edge: str


P = TypeVar("P", bound=Carriable)


@record
class CarriedObject(Record):
    """A thing that can be taken: where it lies, or the unit that carries it; `taken_by` the side that carried it off, over an `edge`."""

    at: tuple[float, float]
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""


def carried_by(prizes: Mapping[str, Carriable], unit: str) -> list[str]:
    """The things that a unit carries."""
    return [name for name, prize in prizes.items() if prize.carrier == unit]


def objects_on_ground(
    prizes: Mapping[str, P], scenario: Scenario, place: Callable[[P], tuple[float, float]]
) -> list[BoardPiece]:
    """What lies on the table to be carried off, as pieces of the board; `place` says where on it."""
    return [
        BoardPiece(name, "", "◆", title, *place(prize), Appearance("thing", name=title))
        for name, prize in prizes.items()
        if not prize.taken_by and not prize.carrier and (title := scenario.objects[name].name)
    ]


def exits_of(
    exits: Iterable[Exit], unit: str, prizes: Mapping[str, Carriable], carrier: str
) -> Iterator[tuple[Edge, str]]:
    """The edges over which a unit of the scenario may leave, each with the thing that it takes off there ("": under escort).

    `carrier` is the unit as it is called in play, of which a unit of the scenario may be several.
    """
    carried = carried_by(prizes, carrier)
    for edge, units, thing in exits:
        if unit in units or thing in carried:
            yield edge, thing


def leave(
    table: Table, prizes: Mapping[str, Carriable], unit: str, side: str, edge: str, rule: str, **told: Any
) -> str:
    """A unit goes off by right, with what it carries: that is told, and the reason given why it is gone."""
    for name in carried_by(prizes, unit):
        prize = prizes[name]
        prize.carrier, prize.taken_by, prize.edge = "", side, edge
    table.tell("left the table", rule, unit=unit, edge=edge, **told)
    return f"left {edge}"


def pick_up(
    table: Table,
    prizes: Mapping[str, P],
    goes_along: Callable[[P], bool],
    taker: Callable[[str, P], str],
    rule: str,
) -> list[str]:
    """What is carried goes along with its carrier or is dropped, and what lies is taken up; the units that took something.

    `goes_along` puts a thing where its carrier is, and says whether he still has it; `taker` names the unit that takes up a
    thing by its name where it lies, "" if nobody does. What has been carried off stays so.
    """
    takers = []
    for name in prizes:
        prize = prizes[name]
        if prize.taken_by:
            continue
        if prize.carrier:
            prize = _changed(prizes, name)
            if goes_along(prize):
                continue
            prize.carrier = ""
        unit = taker(name, prize)
        if unit:
            _changed(prizes, name).carrier = unit
            table.tell("taken up", rule, object=name, unit=unit)
            takers.append(unit)
    return takers


def _changed(prizes: Mapping[str, P], name: str) -> P:
    """A thing to be written to."""
    return prizes.change(name) if isinstance(prizes, CopyOnWrite) else prizes[name]


def object_fate(gone: str) -> tuple[Fate, str]:
    """What has become of a unit that is gone for a reason: off by right, with the edge, or lost."""
    word, _, edge = gone.partition(" ")
    return ("off", edge) if word == "left" and edge in EDGES else ("lost", "")
