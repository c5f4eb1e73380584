"""Walking in rooms with figures (FBN-240, FBN-241): suggested points, for players who do not measure."""

from __future__ import annotations

from collections.abc import Callable

from zareba.base.exact import dist, hypot
from zareba.battle.positions.move_suggestions import MoveSuggestions
from zareba.space.geometry import Point
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["room_walks"]

NEAREST = 2
BESIDE = 0.001


def room_walks(battle: Battle, unit: Unit, man: Figure, legal: Callable[[Point], str | None]) -> MoveSuggestions:
    """Return points in a man's room that he can reach with one action: towards enemies, openings and corners."""
    section, radius, most = battle.field.sections[man.place], battle.radius(man), float(allowance(battle, man))
    west, south, east, north = section.box
    w, s, e, n = west + radius, south + radius, east - radius, north - radius
    foes = [foe for other in battle.enemies(unit.spec.side) for foe in other.figures.values() if foe.place == man.place]
    foes.sort(key=lambda foe: dist(foe.at, man.at))
    house = battle.field.buildings[section.building]
    ways = [way.at for way in house.openings.values() if section.id in (way.section, way.other)]
    goals = [(foe.x, foe.y, radius + battle.radius(foe) + BESIDE) for foe in foes[:NEAREST]]
    goals += [(min(max(x, w), e), min(max(y, s), n), 0.0) for x, y in [*ways, (w, s), (w, n), (e, s), (e, n)]]

    def farthest(place: int) -> Point | None:
        x, y, stop = goals[place]
        away = hypot(x - man.x, y - man.y)
        for length in (min(away - stop, most), most / 2):
            if 0.1 <= length <= away:
                point = man.x + (x - man.x) * length / away, man.y + (y - man.y) * length / away
                if legal(point) is None:
                    return point
        return None

    return MoveSuggestions(len(goals), farthest, legal)
