"""Line of sight (AFR-152 to AFR-161)."""

from __future__ import annotations

from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.ground.field import SCREEN

__all__ = ["sees"]


def sees(battle: Battle, a: int, b: int, gun_of: str = "") -> bool:
    """Whether nothing between the middles of two hexes blocks the line; neither end hex does (AFR-155).

    Units and commanders of both sides block like terrain (AFR-154, AFR-161); along a row of hex sides both hexes must
    (AFR-156). `gun_of`: the side of a gun in `a`, which from a hill shoots over its own men next to it and lower (AFR-159).
    """
    if b in battle.field.near[a]:
        return True
    line = battle.field.lines[a, b]
    if line is None:
        return False
    here, chiefs = battle.here, battle.chiefs
    crossed, pairs = line
    lower = gun_of and battle.field.ground[a].hill
    for cell in crossed:
        if (cell in here or cell in chiefs) and not (lower and _shot_over(battle, a, cell, gun_of)):
            return False
    for pair in pairs:
        if all(
            cell == SCREEN or ((cell in here or cell in chiefs) and not (lower and _shot_over(battle, a, cell, gun_of)))
            for cell in pair
        ):
            return False
    return True


def _shot_over(battle: Battle, gun: int, cell: int, side: str) -> bool:
    """AFR-159: friends in a hex that touches the gun's and is no hill."""
    return cell in battle.field.near[gun] and not battle.ground(cell).hill and not battle.held_by_enemy(cell, side)
