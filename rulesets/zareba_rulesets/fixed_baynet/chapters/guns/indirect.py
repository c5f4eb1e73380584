"""Indirect fire (FBN-222 to FBN-228): guessed ranges, observers and plots.

Nothing here reveals the distance to the player who guesses.
"""

from __future__ import annotations

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.dice import aimed
from zareba_rulesets.fixed_baynet.chapters.guns.bursts import Impact, emit_round, resolve_burst, roll_deviated_point
from zareba_rulesets.fixed_baynet.chapters.guns.crews import gun_targets_arc, is_touching, serve
from zareba_rulesets.fixed_baynet.chapters.sight.sight import sees_point
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import gun_limits
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = ["fire_indirect", "guess_limits", "land_indirect", "may_aim_indirect", "observers"]


def guess_limits(battle: Battle, unit: Unit, gun: Gun) -> tuple[int, int]:
    """Return the lowest and highest guess allowed for a gun (FBN-226)."""
    return battle.book.guns[gun.kind].least, int(gun_limits(battle, unit, gun)[2])


def observers(battle: Battle, unit: Unit, gun: Gun) -> list[Figure]:
    """Return the figures that may observe for an indirect shot: crewmen and callers (FBN-037, FBN-224)."""
    found = [figure for figure in unit.figures.values() if figure.able and is_touching(battle, figure, gun)]
    for side, battery, caller in battle.calls:
        if side == unit.spec.side and battery == unit.spec.id:
            home = battle.home(caller)
            if home is not None:
                found.append(home.figures[caller])
    return found


def may_aim_indirect(battle: Battle, unit: Unit, gun: Gun, point: Point) -> bool:
    """Return True if an observer sees the point and it is in the arc of the gun."""
    return gun_targets_arc(battle, gun, point) and any(
        sees_point(battle, man, point) for man in observers(battle, unit, gun)
    )


@procedure("artillery.indirect")
def land_indirect(table: Table, at: Point, goal: Point, guess: float, ammunition: str, actor: str) -> Impact:
    """Return where a round lands, from the guess and the deviation (FBN-219, FBN-222, FBN-223)."""
    away = dist(goal, at)
    point = (at[0] + (goal[0] - at[0]) / away * guess, at[1] + (goal[1] - at[1]) / away * guess)
    critical = False
    if table.rules.settings["indirect_lay_die"]:
        critical = aimed(table, 0, why="lay", rule="FBN-223", actor=actor) == 0
    return Impact(*roll_deviated_point(table, at, point, ammunition, critical, actor))


def fire_indirect(
    table: Table, battle: Battle, unit: Unit, gun: Gun, goal: Point, guess: float, ammunition: str
) -> None:
    """Fire at a point with the guessed range (FBN-222). A mortar's plot is used up (FBN-227)."""
    serve(battle, unit, gun, battle.book.file.gun_costs.fire, fires=True)
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = land_indirect(table, gun.at, goal, guess, ammunition, actor)
    gun.plot = ()
    emit_round(table, "FBN-222", unit, "", ammunition, impact)
    resolve_burst(table, battle, unit, gun, ammunition, impact, None)
