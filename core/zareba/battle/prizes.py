"""Things that are carried off, and the edges over which units leave to their side's credit: what a scenario sends them for."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Protocol

from zareba.base.state import Record, record
from zareba.scenario.model import Exit
from zareba.scenario.vocabulary import Edge

__all__ = ["Prize", "carried_by", "exits_of", "take_along"]


class Carried(Protocol):
    """What all things that are carried off have, wherever they lie."""

    carrier: str
    taken_by: str
    edge: str


@record
class Prize(Record):
    """A thing that can be taken: where it lies, who has it (else ""), who took it over which edge (else "")."""

    at: tuple[float, float]
    carrier: str
    taken_by: str
    edge: str


def carried_by(prizes: Mapping[str, Carried], unit: str) -> list[str]:
    """The things that a unit carries."""
    return [name for name, prize in prizes.items() if prize.carrier == unit]


def exits_of(exits: Iterable[Exit], unit: str, carried: Container[str]) -> Iterator[tuple[Edge, str]]:
    """The edges over which a unit of the scenario may leave, each with the thing that it takes off there ("": under escort)."""
    for edge, units, thing in exits:
        if unit in units or thing in carried:
            yield edge, thing


def take_along(prizes: Mapping[str, Carried], unit: str, side: str, edge: str) -> None:
    """What a unit carries goes with it over an edge."""
    for name in carried_by(prizes, unit):
        prize = prizes[name]
        prize.carrier, prize.taken_by, prize.edge = "", side, edge
