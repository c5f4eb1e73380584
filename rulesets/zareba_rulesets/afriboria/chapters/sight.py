"""Line of sight, and troops out of sight in forts."""

from __future__ import annotations

from zareba.table import Table
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit
from zareba_rulesets.afriboria.ground import SCREEN

# --- Troops in sight or out of sight inside a fort (AFR-315, AFR-316) -------------------------------------------------


_EXPOSED, HIDDEN = "show themselves", "keep out of sight"


def set_exposure(table: Table, battle: Battle, unit: Unit) -> None:
    """Ask if a unit inside a building of a true fortification keeps out of sight, on entering and when ordered
    (AFR-316).
    """
    cell = unit.hex
    spec = battle.field.structures.get(cell)
    if cell == OFF or spec is None or not spec.fortification or not battle.has_intact_structure(cell) or unit.sections:
        return
    choice = table.choose(unit.spec.side, (_EXPOSED, HIDDEN), why="exposure", rule="AFR-316", actor=unit.spec.id)
    if choice == HIDDEN:
        unit.mark("unexposed")
    else:
        unit.unmark("unexposed")


# --- Line of sight (AFR-152 to AFR-161) -------------------------------------------------------------------------------


def sees(battle: Battle, a: int, b: int, gun_of: str = "") -> bool:
    """Return True if nothing between the centres of two hexes blocks the line; the end hexes never do (AFR-155).

    Units and commanders of both sides block like terrain (AFR-154, AFR-161). Along a row of hex sides, both hexes must
    block (AFR-156). `gun_of` is the side of a gun in `a`, which fires from a hill over adjacent lower friends
    (AFR-159).
    """
    if b in battle.field.neighbours[a]:
        return True
    line = battle.field.sight_lines[a, b]
    if line is None:
        return False
    here, chiefs = battle.here, battle.chiefs
    crossed, pairs = line
    fires_over_friends = gun_of and battle.field.ground[a].hill
    for cell in crossed:
        if (cell in here or cell in chiefs) and not (fires_over_friends and _is_shot_over(battle, a, cell, gun_of)):
            return False
    for pair in pairs:
        if all(
            cell == SCREEN
            or (
                (cell in here or cell in chiefs) and not (fires_over_friends and _is_shot_over(battle, a, cell, gun_of))
            )
            for cell in pair
        ):
            return False
    return True


def sight_blockers(battle: Battle, a: int, b: int) -> list[str]:
    """Return what blocks line of sight between two hexes: ground with its hex, else the pieces between (AFR-154 to
    AFR-156).
    """
    field, here, chiefs = battle.field, battle.here, battle.chiefs
    ground = [f"{', '.join(field.ground[cell].kinds)} at {field.grid.label(cell)}" for cell in field.hiding(a, b)]
    if ground:
        return ground
    crossed, pairs = field.sight_lines[a, b] or ((), ())
    blocking = list(crossed)
    for pair in pairs:
        if all(cell == SCREEN or cell in here or cell in chiefs for cell in pair):
            blocking += pair
    chief = [chiefs[cell] for cell in blocking if cell in chiefs]
    return [*(unit for cell in blocking for unit in here.get(cell, ())), *chief]


def _is_shot_over(battle: Battle, gun: int, cell: int, side: str) -> bool:
    """Return True if a gun may fire over friends in a hex: it is next to the gun's and not a hill (AFR-159)."""
    return (
        cell in battle.field.neighbours[gun] and not battle.ground(cell).hill and not battle.held_by_enemy(cell, side)
    )
