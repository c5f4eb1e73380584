"""Rockets (VCC-098 to VCC-102)."""

from __future__ import annotations

from zareba.chance import at_least, counts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.chapters.sight import Views, in_front, views
from zareba_rulesets.vcc.forces.battle import Battle, Unit

__all__ = ["designated_boxes", "fire_rocket", "landing_box", "mark_rocketed"]

EIGHTHS = counts("in eighths of a turn to the right, 1 straight on")
BOXES = counts("boxes")


def designated_boxes(battle: Battle, unit: Unit, sight: Views | None = None) -> list[int]:
    """Return the boxes that a section may aim at: seen and in its front arc, or any box with `rocket_los_required` off
    (VCC-073).
    """
    boxes = range(battle.field.grid.size)
    if not battle.book.settings.rocket_los_required:
        return list(boxes)
    sight = views(battle) if sight is None else sight
    return [box for box in boxes if in_front(battle, unit, box) and sight[unit.box, box]]


@procedure("rockets.fire")
def fire_rocket(table: Table, battle: Battle, unit: Unit, box: int) -> None:
    """Fire one rocket at a box. Every unit where it lands checks morale at the end of the step (VCC-100).

    A rocket causes no hits and therefore no leader checks (VCC-101).
    """
    unit.mark("fired")
    landing = landing_box(table, battle, unit.spec.id, unit.box, unit.facing, box)
    table.emit("rocket", "VCC-098", unit=unit.spec.id, box=box, landing=landing)
    if landing is not None:
        mark_rocketed(battle, landing)


def landing_box(table: Table, battle: Battle, actor: str, start: int, facing: int, box: int) -> int | None:
    """Return the box where a rocket lands: the designated box on 5 or 6 (VCC-098), otherwise after drift (VCC-099). None:
    nowhere.
    """
    rocket, settings = battle.book.file.rocket, battle.book.settings
    means = at_least(rocket.on_target, "comes down in its box", "goes astray")
    if table.roll(1, rocket.die, why="rocket", rule="VCC-098", actor=actor, means=means) >= rocket.on_target:
        return box
    if settings.rocket_drift == "off":
        return None
    grid = battle.field.grid
    direction = grid.direction(start, box) if start != box else facing
    eighths = table.roll(
        1, rocket.drift_directions.die, why="drift direction", rule="VCC-099", actor=actor, means=EIGHTHS
    )
    distance = table.roll(1, rocket.drift_distance.die, why="drift distance", rule="VCC-099", actor=actor, means=BOXES)
    landing: int | None = box
    for _ in range(distance):
        landing = grid.neighbour(landing, (direction + eighths - 1) % 8) if landing is not None else None
    return landing


def mark_rocketed(battle: Battle, box: int) -> None:
    """Mark every unit of both sides in a box for the morale checks of this step (VCC-100 to VCC-102)."""
    for unit in battle.in_box(box):
        unit.mark("rocketed")
