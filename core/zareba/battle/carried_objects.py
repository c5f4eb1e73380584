"""Objects that units carry off, and the table edges over which units may leave with credit for their side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from zareba.base.state import CopyOnWrite, Record, record
from zareba.presentation.board import Appearance, BoardPiece
from zareba.scenario.model import Exit, Scenario
from zareba.scenario.victory import Fate
from zareba.space.outlines import EDGES, Edge
from zareba.table import Table


class Carriable(Protocol):
    """The fields common to all objects that can be carried off, however they store their place."""

    carrier: str
    taken_by: str
    edge: str


P = TypeVar("P", bound=Carriable)


@record
class CarriedObject(Record):
    """An object that a unit can take. `at` is its place on the table and `carrier` the unit that carries it now.

    `taken_by` is the side that carried it off and `edge` the table edge.
    """

    at: tuple[float, float]
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""


def carried_by(carried_objects: Mapping[str, Carriable], unit: str) -> list[str]:
    """Return the objects that a unit carries."""
    return [name for name, carried_object in carried_objects.items() if carried_object.carrier == unit]


def objects_on_ground(
    carried_objects: Mapping[str, P], scenario: Scenario, place: Callable[[P], tuple[float, float]]
) -> list[BoardPiece]:
    """Return the objects lying on the table as pieces of the board; `place` returns the position of one."""
    return [
        BoardPiece(name, "", "◆", title, *place(carried_object), Appearance("thing", name=title))
        for name, carried_object in carried_objects.items()
        if not carried_object.taken_by and not carried_object.carrier and (title := scenario.objects[name].name)
    ]


def exit_edges(
    exits: Iterable[Exit], unit: str, carried_objects: Mapping[str, Carriable], carrier: str
) -> Iterator[tuple[Edge, str]]:
    """Yield the edges over which a unit may leave, each with the object carried off there ("" for an escort).

    `unit` is the unit of the scenario. `carrier` is the unit in play, which may be one of several that represent it.
    """
    carried = carried_by(carried_objects, carrier)
    for edge, units, thing in exits:
        if unit in units or thing in carried:
            yield edge, thing


def leave_with_objects(
    table: Table,
    carried_objects: Mapping[str, Carriable],
    unit: str,
    side: str,
    edge: str,
    rule: str,
    **event_data: Any,
) -> str:
    """Remove the objects a unit carries from play for its side, emit an event, and return why the unit is gone."""
    for name in carried_by(carried_objects, unit):
        carried_object = carried_objects[name]
        carried_object.carrier, carried_object.taken_by, carried_object.edge = "", side, edge
    table.emit("left the table", rule, unit=unit, edge=edge, **event_data)
    return f"left {edge}"


def pick_up(
    table: Table,
    carried_objects: Mapping[str, P],
    move_with_carrier: Callable[[P], bool],
    find_taker: Callable[[str, P], str],
    rule: str,
) -> list[str]:
    """Move or drop carried objects, let units take objects from the ground, and return the units that took one.

    `move_with_carrier` moves an object to its carrier and returns True if the carrier still has it. `find_taker`
    returns the unit that takes an object from where it lies, or "". Objects already carried off stay so.
    """
    takers = []
    for name in carried_objects:
        carried_object = carried_objects[name]
        if carried_object.taken_by:
            continue
        if carried_object.carrier:
            carried_object = _writable(carried_objects, name)
            if move_with_carrier(carried_object):
                continue
            carried_object.carrier = ""
        unit = find_taker(name, carried_object)
        if unit:
            _writable(carried_objects, name).carrier = unit
            table.emit("taken up", rule, object=name, unit=unit)
            takers.append(unit)
    return takers


def _writable(carried_objects: Mapping[str, P], name: str) -> P:
    """Return an object that may be written to."""
    return carried_objects.change(name) if isinstance(carried_objects, CopyOnWrite) else carried_objects[name]


@lru_cache(maxsize=1000)
def unit_fate(gone: str) -> tuple[Fate, str]:
    """Return the fate of a unit from the reason why it is gone: off the table with the edge, or lost."""
    word, _, edge = gone.partition(" ")
    return ("off", edge) if word == "left" and edge in EDGES else ("lost", "")
