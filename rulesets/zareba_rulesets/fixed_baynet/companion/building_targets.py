"""Fire at buildings at a real table: small arms and guns (FBN-247 to FBN-250).

The scenario says which buildings there are. For an act, one of them stands on the plain with the firers east of it, and
the men that people name stand in one of its rooms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, Scene
from zareba.table import Event, Table
from zareba_rulesets.fixed_baynet.chapters.artillery import fire_gun_at_building
from zareba_rulesets.fixed_baynet.chapters.buildings import fire_at_building
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts
from zareba_rulesets.fixed_baynet.chapters.targets import firers
from zareba_rulesets.fixed_baynet.companion.book import (
    HAIR,
    SHOTS,
    WEST,
    Count,
    active_if,
    has_gun,
    has_name,
    limit_at,
    make_act,
    man_limits,
    plain_of,
    put_men,
    ranges_in_words,
)
from zareba_rulesets.fixed_baynet.companion.guns import (
    BURST_ROLLS,
    GUN_DISTANCE,
    LOAD,
    ask_burst,
    ask_gun,
    chosen_gun,
    guns_for_direct_fire,
    lay_out_impact,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

_ROOM_FOR_FIRERS = 20.0
"""The inches of the plain east of the firers."""


def _standing(battle: Battle) -> list[str]:
    return [name for name, house in battle.houses.items() if house.points > 0]


def _men(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the men who may fire small arms at a building (FBN-247)."""
    if battle.book.settings.building_targets == "artillery" or has_gun(unit) or not _standing(battle):
        return []
    return [man for man in firers(battle, unit) if man.weapon in battle.book.weapons]


def _guns(battle: Battle, unit: Unit) -> list[int]:
    return guns_for_direct_fire(battle, unit) if _standing(battle) else []


def _building_choices(battle: Battle, scene: Scene) -> Choices:
    name_of = scene.game.narrator.name_of
    return {key: f"{name_of(key)}: {amount(battle.houses[key].points, 'point')} left" for key in _standing(battle)}


def _ranges(battle: Battle, scene: Scene) -> Choices:
    """Return the range bands of the men's weapons."""
    men = _men(battle, battle.units[scene.actor])
    weapons = {man.weapon: man for man in men}
    return ranges_in_words(battle, weapons.values(), {limit for man in men for limit in man_limits(battle, man)})


def _at_distance(battle: Battle, scene: Scene, inches: float) -> float:
    return limit_at(battle, scene, _ranges(battle, scene), inches)


def _units_inside(battle: Battle, scene: Scene) -> Choices:
    return {enemy.spec.id: enemy.spec.name for enemy in battle.enemies(battle.units[scene.actor].spec.side)}


def _some_are_inside(battle: Battle, scene: Scene) -> bool:
    return bool(scene.answers.get("inside"))


def _inside_count(battle: Battle, scene: Scene, count: float) -> int:
    return min(int(count), sum(len(battle.units[unit].figures) for unit in scene["inside"]))


def _place(battle: Battle, scene: Scene) -> tuple[float, float]:
    """Put the building and those inside on the plain, and return the middle of its east wall."""
    name, own = scene["building"], scene.game.origin.field
    house = own.buildings[name]
    _, south, east, north = house.box
    wall = east, (south + north) / 2
    battle.field = plain_of(battle).copy_with(
        width=east + float(scene["distance"]) + _ROOM_FOR_FIRERS,
        depth=own.depth,
        pieces=(own.by_name[name],),
        buildings={name: house},
        names=own.names,
    )
    room, left = next(iter(house.sections)), scene["men_inside"]
    for key in scene["inside"]:
        unit = battle.change(battle.units[key])
        for man in sorted(unit.figures.values(), key=has_name)[:left]:
            man.place, man.post = room, ""
            man.x, man.y = house.sections[room].middle
            left -= 1
        unit.measure()
    return wall


def _lay_out_volley(battle: Battle, scene: Scene) -> None:
    x, y = _place(battle, scene)
    unit = battle.change(battle.units[scene.actor])
    put_men(battle, unit.figures.values(), (x + float(scene["distance"]) - HAIR, y), WEST, side=1)
    unit.measure()


def _lay_out_round(battle: Battle, scene: Scene) -> None:
    x, y = _place(battle, scene)
    unit = battle.change(battle.units[scene.actor])
    gun = unit.guns[scene["gun"]]
    away = float(scene["distance"]) - HAIR + battle.book.radius["gun"]
    dx, dy = x + away - gun.x, y - gun.y
    for man in unit.figures.values():
        battle.put(man, man.x + dx, man.y + dy)
    for piece in unit.guns:
        piece.x, piece.y, piece.bearing = piece.x + dx, piece.y + dy, WEST
    unit.measure()


def _fire(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    fire_at_building(table, battle, unit, scene["building"], firers(battle, unit))


def _gun_fires(table: Table, battle: Battle, scene: Scene) -> None:
    unit, landed = battle.change(battle.units[scene.actor]), partial(lay_out_impact, battle, scene)
    fire_gun_at_building(table, battle, unit, chosen_gun(battle, scene), scene["building"], scene["load"], landed)


def _misses(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    """Return True if a round has missed the building, and bursts elsewhere."""
    return any(event.kind == "gun fires" and not event.data["hit"] for event in events)


_BUILDING: Asked[Battle] = Asked("building", "At which building?", choices=_building_choices)
_INSIDE: tuple[Asked[Battle], ...] = (
    Asked("inside", "Which enemies are in the room that is hit?", default=(), choices=_units_inside, many=True),
    Asked("men_inside", "How many men?", default=1, kind=Count, when=_some_are_inside, measured=_inside_count),
)


def _act(name: str, title: str, run: Any, actors: Any, *asks: Asked[Battle], **more: Any) -> Any:
    return make_act(name, title, "FBN-247", run, active_if(actors), *asks, facts=ShotFacts, **more)


BUILDING_ACT = _act(
    "at_building",
    "fire at a building",
    _fire,
    _men,
    _BUILDING,
    Asked("distance", "How far from {actor} to its wall?", choices=_ranges, unit="inches", measured=_at_distance),
    *_INSIDE,
    lay_out=_lay_out_volley,
    roll_groups=SHOTS,
)


GUN_AT_BUILDING_ACT = _act(
    "gun_at_building",
    "gun fires at a building",
    _gun_fires,
    _guns,
    ask_gun(_guns),
    _BUILDING,
    replace(GUN_DISTANCE, question="How far from the gun to its wall?"),
    *_INSIDE,
    LOAD,
    *(replace(asked, after=_misses) if asked.after is not None else asked for asked in ask_burst()),
    lay_out=_lay_out_round,
    roll_groups=BURST_ROLLS,
)
