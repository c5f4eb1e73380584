"""Destinations for a whole unit (FBN-039, FBN-173), computed once for the AI player and the move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from zareba.battle.positions.move_suggestions import GOALS, MoveSuggestions, StepSuggestions
from zareba.space.geometry import Point
from zareba.table import Option
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import Cavalcade, ride_points, riders
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import nearest_enemy
from zareba_rulesets.fixed_baynet.chapters.movement.manoeuvre import March, goes_away, movers
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance
from zareba_rulesets.fixed_baynet.chapters.victory import exit_edges
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["goals", "ways_to_march", "ways_to_ride"]

Ways: TypeAlias = tuple[list[Figure], MoveSuggestions]


def _is_foe_seen(battle: Battle, unit: Unit, other: str) -> bool:
    carrier = battle.units[other]
    return carrier.spec.side != unit.spec.side and "hidden" not in carrier.marks


def goals(battle: Battle, unit: Unit) -> list[Point]:
    """Return points a unit may want to reach: its exit, the nearest enemy and the scenario's objectives."""
    found = [_to_edge(battle, unit, edge) for edge, _ in exit_edges(battle, unit)]
    foe = nearest_enemy(battle, unit)[1]
    if foe is not None:
        found.append(((foe.box[0] + foe.box[2]) / 2, (foe.box[1] + foe.box[3]) / 2))
    found += [
        prize.at
        for prize in battle.prizes.values()
        if not prize.taken_by and (not prize.carrier or _is_foe_seen(battle, unit, prize.carrier))
    ]
    found += battle.field.places
    if not found:
        found.append((battle.field.width / 2, battle.field.depth / 2))
    return found


def _to_edge(battle: Battle, unit: Unit, edge: str) -> Point:
    """Return the position of a unit's middle when its first man has reached an edge."""
    (x, y), (w, s, e, n), field = unit.middle, unit.box, battle.field
    over = {"north": (0.0, field.depth - n), "south": (0.0, -s), "east": (field.width - e, 0.0), "west": (-w, 0.0)}
    east, north = over[edge]
    return x + east, y + north


def ways_to_march(battle: Battle, unit: Unit) -> Ways:
    """Return the men who take part in a move of their unit, and the points they can all reach."""
    return _found_once(battle, unit, "move", _ways_to_march)


def _ways_to_march(battle: Battle, unit: Unit) -> Ways:
    men = movers(battle, unit)
    x, y = unit.middle
    march = March(battle, unit, men, float(max([allowance(battle, man) for man in men])))

    def legal(point: Point) -> str | None:
        if unit.back and not goes_away(battle, unit.spec.side, men, point[0] - x, point[1] - y):
            return "it must fall back from the enemy (FBN-160)"
        return march.refused(point[0] - x, point[1] - y)

    return men, StepSuggestions(march, unit.middle, goals(battle, unit), legal, unit.back)


def ways_to_ride(battle: Battle, unit: Unit, gait: int) -> Ways:
    """Return the riders of a unit, and the points they can all reach at a gait."""
    return _found_once(battle, unit, ("ride", gait), lambda battle, unit: _ways_to_ride(battle, unit, gait))


def _ways_to_ride(battle: Battle, unit: Unit, gait: int) -> Ways:
    men = riders(battle, unit)
    x, y = unit.middle
    cavalcade = Cavalcade(battle, unit, men, gait)

    def legal(point: Point) -> str | None:
        if unit.back and not goes_away(battle, unit.spec.side, men, point[0] - x, point[1] - y):
            return "it must fall back from the enemy (FBN-160)"
        return cavalcade.refused(point[0] - x, point[1] - y)

    return men, ride_points(battle, unit, cavalcade, goals(battle, unit)[:GOALS], legal)


def _found_once(battle: Battle, unit: Unit, act: Option, find: Callable[[Battle, Unit], Ways]) -> Ways:
    """Return the destinations of an act. Those for the current choice are cached on its menu."""
    menu = battle.menu
    if menu is None or not menu.is_for(battle, unit):
        return find(battle, unit)
    ways: dict[Option, Ways] = menu.ways
    if act not in ways:
        ways[act] = find(battle, unit)
    return ways[act]
