"""The forces of a battle before deployment: one token for each unit and leader at its position, and the objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError

from zareba.base.yamlfile import Id, misfits
from zareba.picture import pieces
from zareba.presentation.board import Appearance, Board, BoardPiece, Kind
from zareba.scenario import Scenario
from zareba.scenario.model import BaseObjective, Battlefield, CarryOff, Hold, Leader, Side, Unit
from zareba.scenario.vocabulary.words import ARMS
from zareba.space.geometry import Point


class _Draft(Scenario):
    """A battle in which every field is optional."""

    id: str = "draft"
    title: str = "A battle"
    year: int = 1880
    place: str = "-"
    note: str = ""
    turns: int = 10
    table: Battlefield = Battlefield(width=48, depth=36)
    sides: dict[Id, Side] = Field(default_factory=dict)
    units: dict[Id, Unit] = Field(default_factory=dict)


def drawable(data: Mapping[str, Any]) -> Scenario:
    """Return the part of a battle that can be drawn, without invalid elements and elements with invalid references."""
    valid = {key: dict(value) if isinstance(value, dict) else value for key, value in data.items()}
    while True:
        try:
            draft = _Draft.model_validate_json(json.dumps(valid), strict=True)
        except ValidationError as error:
            for path, _ in misfits(_Draft, valid, error):
                section, key = str(path[0]), str(path[1]) if len(path) > 1 else ""
                elements = valid.get(section)
                if section != "table" and isinstance(elements, dict) and key in elements:
                    del elements[key]
                else:
                    valid.pop(section, None)
        else:
            return _without_invalid_references(draft)


def _without_invalid_references(scenario: Scenario) -> Scenario:
    """Return the scenario without elements that refer to unknown names, and without terrain that has no shape.

    They are reported as problems and cannot be drawn.
    """
    terrain = {key: piece for key, piece in scenario.terrain.items() if piece.area or piece.line}

    def has_place(force: Unit | Leader) -> bool:
        side = scenario.sides.get(force.side)
        if side is None or (force.zone is not None and force.zone not in side.deployment):
            return False
        if not isinstance(force, Unit) or force.inside is None:
            return True
        garrisoned = terrain.get(force.inside)
        return garrisoned is not None and garrisoned.area is not None

    def has_target(goal: BaseObjective) -> bool:
        if isinstance(goal, CarryOff):
            return goal.object in scenario.objects
        return not isinstance(goal, Hold) or goal.terrain is None or goal.terrain in terrain

    return scenario.model_copy(
        update={
            "terrain": terrain,
            "units": {key: unit for key, unit in scenario.units.items() if has_place(unit)},
            "leaders": {key: leader for key, leader in scenario.leaders.items() if has_place(leader)},
            "objectives": {key: goal for key, goal in scenario.objectives.items() if has_target(goal)},
        }
    )


def draw_forces(scenario: Scenario, places: Mapping[str, Point]) -> str:
    """Return the picture of all units, leaders and objects with a position, one token each, as SVG."""
    tokens = []
    forces: dict[str, Unit | Leader] = {**scenario.units, **scenario.leaders}
    for key, force in forces.items():
        if key in places:
            kind: Kind = ARMS[force.arm].piece if isinstance(force, Unit) else "leader"
            strength = force.figures if isinstance(force, Unit) else None
            look = Appearance(kind=kind, unit=key, name=force.name, strength=strength)
            tokens.append(BoardPiece(key, force.side, "", force.name, *places[key], look))
    for key, thing in scenario.objects.items():
        place = thing.position or places.get(thing.carrier or "")
        if place is not None:
            look = Appearance(kind="thing", unit=key, name=thing.name)
            tokens.append(BoardPiece(key, thing.side or "", "", thing.name, *place, look))
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    width, depth = int(scenario.table.width), int(scenario.table.depth)
    return pieces(scenario, Board("free", width, depth, "inches", scenario.title, pieces=tuple(tokens), sides=sides))
