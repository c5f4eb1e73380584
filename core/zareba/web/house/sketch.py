"""The forces of a battle that nobody has set out yet: a token for each unit and leader, where it is to stand or near its edge."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.people.board import Board, Kind, Look, Piece
from zareba.picture import pieces
from zareba.scenario import Scenario
from zareba.scenario.model import Leader, Unit
from zareba.space.geometry import Point

__all__ = ["drawn_force"]

ARMS: Mapping[str, Kind] = {
    "infantry": "foot", "cavalry": "horse", "mounted_infantry": "horse", "camelry": "camel", "artillery": "gun", "machine_gun": "machine_gun",
    "rocket": "rocket", "wagon": "wagon", "pack_animals": "wagon", "civilians": "foot", "vehicle": "vehicle", "aircraft": "flyer",
    "airship": "flyer",
}  # fmt: skip


def drawn_force(scenario: Scenario, places: Mapping[str, Point]) -> str:
    """All who have a place, as one token each."""
    found = []
    forces: dict[str, Unit | Leader] = {**scenario.units, **scenario.leaders}
    for key, force in forces.items():
        at = places.get(key)
        if at is None:
            continue
        kind: Kind = ARMS[force.arm] if isinstance(force, Unit) else "leader"
        strength = force.figures if isinstance(force, Unit) else None
        look = Look(kind=kind, unit=key, name=force.name, strength=strength)
        found.append(Piece(key, force.side, "", force.name, at[0], at[1], look))
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    width, depth = int(scenario.table.width), int(scenario.table.depth)
    return pieces(scenario, Board("free", width, depth, "inches", scenario.title, pieces=tuple(found), sides=sides))
