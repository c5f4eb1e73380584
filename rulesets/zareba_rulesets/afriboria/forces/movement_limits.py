"""Limits of movement: entry of hexes, the hexes within a number of steps, commanders' moves (AFR-081 to AFR-098,
chapter 8).
"""

from __future__ import annotations

from collections.abc import Mapping

from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import Commander


def commander_allowance(battle: Battle, commander: Commander) -> int:
    """Return the hexes that a commander may move (AFR-040); 1 for a wounded character (AFR-043)."""
    speed = battle.book.file.commander_move
    if "wounded" in commander.marks:
        return speed.wounded
    return speed.mounted if commander.spec.mounted else speed.foot


def may_enter(battle: Battle, cell: int, side: str, walks: bool, origin: int, *, climbs: bool = True) -> bool:
    """Return True if ground and structures admit a side's troops (AFR-134, AFR-149, AFR-328).

    Foot, except packs, may use a ladder from `origin` (AFR-331, AFR-337).
    """
    ground = battle.ground(cell)
    if ground.closed or (ground.infantry_only and not walks):
        return False
    return not battle.is_shut_out(cell, side) or (walks and climbs and (cell, origin) in battle.ladders)


def reachable(
    battle: Battle,
    start: int,
    limit: int,
    side: str,
    walks: bool,
    *,
    room: int,
    with_chief: bool = False,
    guided: bool = False,
    storms: bool = False,
    climbs: bool = True,
) -> Mapping[int, int]:
    """Return the hexes within `limit` steps and the fewest steps to each, without the start.

    Closed are hexes with an enemy (AFR-081, AFR-095) or a parked enemy flier (AFR-278), hexes with `room` friendly
    units, hexes with another commander if one moves or goes along (AFR-096), and ground that keeps the movers out. A
    friendly piece in the hex (AFR-083, AFR-097) or its terrain (AFR-086) ends the move. The terrain it starts in does
    not matter (AFR-148), nor the kind of mover (AFR-150), nor adjacent enemies (AFR-088, AFR-089). `storms`: a wounded
    character in the next hex may be captured (AFR-043). `climbs`: the movers may climb ladders (AFR-337).
    """
    field, here, chiefs, units = battle.field, battle.here, battle.chiefs, battle.units
    parked = battle.parked_by_enemy(side) if battle.fliers else frozenset()
    if not battle.structures:
        steps_alone = field.steps_on_empty_field[start, limit, walks, guided]
        if (
            steps_alone.keys().isdisjoint(here)
            and steps_alone.keys().isdisjoint(chiefs)
            and steps_alone.keys().isdisjoint(parked)
        ):
            return steps_alone
    static = field.ground if not battle.rubble else None
    near_of = field.neighbours
    structures = battle.structures
    found: dict[int, int] = {start: 0}
    frontier = [start]
    for step in range(1, limit + 1):
        following = []
        for cell in frontier:
            for near in near_of[cell]:
                if near in found or near in parked:
                    continue
                ends = near in here
                if ends:
                    names = here[near]
                    if len(names) >= room or units[names[0]].spec.side != side or (with_chief and near in chiefs):
                        continue
                elif near in chiefs:
                    commander = battle.commanders[chiefs[near]]
                    if commander.spec.side != side:
                        if not storms or step > 1 or "wounded" not in commander.marks:
                            continue
                    elif with_chief:
                        continue
                    ends = True
                ground = static[near] if static is not None else battle.ground(near)
                if ground.closed or (ground.infantry_only and not walks):
                    continue
                if structures and not may_enter(battle, near, side, walks, cell, climbs=climbs):
                    continue
                if structures and battle.is_shut_out(near, side):  # the climb ends the move (AFR-331)
                    climbed = step - 1 + battle.book.file.ladder_moves.climb
                    if climbed <= limit:
                        found[near] = climbed
                    continue
                found[near] = step
                if not ends and (guided or not ground.stop):
                    following.append(near)
        frontier = following
    del found[start]
    return found
