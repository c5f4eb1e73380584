"""The companion act of a charge (RSK-162)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import asind
from zareba.companion import Asked, CompanionAct, Scene
from zareba.space.bearings import direction
from zareba.space.geometry import Point
from zareba.table import Event, Table
from zareba_rulesets.risk_factor.chapters.charge import TOUCH, carry_out_charge
from zareba_rulesets.risk_factor.companion.book import (
    ASIDE,
    HAIR,
    STAGE,
    Count,
    Length,
    end_wait,
    enemy_units,
    figure_count,
    place_ahead,
    place_alone,
    set_positions,
    table_of,
)
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
)


def _chargers(battle: Battle) -> list[str]:
    if battle.phase != "charge":
        return []
    units = [battle.units[name] for name in battle.waiting]
    return [u.id for u in units if u.is_on_table and not u.spec.support and not battle.enemies_in_contact(u)]


def _charged(battle: Battle, charger: str) -> list[str]:
    """Return the enemies that a unit may charge: the one that it was ordered to, or any on the table."""
    unit = battle.units[charger]
    ordered = battle.units.get(unit.target)
    if ordered is not None and ordered.is_on_table:
        return [ordered.id]
    return enemy_units(battle, charger)


_COLUMN = 120.0
"""The distance between the columns of a layout, so that no figure reaches from one to another."""


def _comes_home(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return any(event.kind == "charge" for event in events)


def _step_round(unit: Unit, enemy: Unit) -> float:
    """Return the degrees between two figures of a unit that touch the same enemy."""
    return 2 * asind(unit.body.radius / (unit.body.radius + enemy.body.radius + TOUCH)) + 0.5


def _figures_that_meet(battle: Battle, scene: Scene) -> int | None:
    """Return how many figures come into contact if each meets another enemy; None before the charge, which has no
    figures in contact yet.
    """
    return None if not scene.events else min(battle.units[scene.actor].count, battle.units[scene.target].count)


def _target_text(battle: Battle, charger: str) -> str:
    """Return the question for the target of a charge: the nearest enemy for a unit that no player moves freely."""
    unit = battle.units[charger]
    if "free" in unit.marks:
        return f"Which enemy does {unit.spec.name} charge?"
    return f"{unit.spec.name} must attack. Which enemy in sight is nearest? (next if there is none)"


def _most_in_contact(battle: Battle, scene: Scene, count: float) -> int:
    unit, enemy = battle.units[scene.actor], battle.units[scene.target]
    most = min(battle.book.settings.melee_max_contact, int(360 / _step_round(unit, enemy)))
    return figure_count(min(unit.count, enemy.count * most), count)


def _lay_out_charge(battle: Battle, scene: Scene) -> None:
    """Put the enemy at the distance of the charge, and as many figures as come into contact each before an enemy."""
    unit, enemy, cm = battle.units[scene.actor], battle.units[scene.target], max(scene["distance"], TOUCH)
    unit.target = enemy.id
    companions = place_alone(battle, unit, (ASIDE, STAGE))
    count = scene["contact"]
    if count is None:
        place_ahead(battle, unit, enemy, cm)
        battle.field = table_of(battle).new_plain()
        return
    columns = [ASIDE + _COLUMN * number for number in range(enemy.count)]
    set_positions(enemy, [(x, STAGE) for x in columns])
    room, step = unit.body.radius + enemy.body.radius, _step_round(unit, enemy)
    order = sorted(range(unit.count), key=lambda index: unit.hurt[index])  # the wounded fall behind (RSK-072)
    places: dict[int, Point] = {}
    for number, index in enumerate(order):
        place, column = number // len(columns), columns[number % len(columns)]
        dx, dy = direction(180.0 + (place + 1) // 2 * step * (-1 if place % 2 else 1))
        away = room + (min(cm, 1.0) if unit.hurt[index] else cm) - HAIR
        places[index] = (column + dx * away, STAGE + dy * away)
        if number >= count:
            places[index] = (columns[0], STAGE - ASIDE - 3 * unit.body.radius * number)
    set_positions(unit, [places[index] for index in range(unit.count)])
    last = places[order[-1]]
    for number, leader in enumerate(companions, start=1):
        x, y = last
        set_positions(leader, [(x - number / 100, y - unit.body.radius - leader.body.radius - 1.0)])
    battle.field = table_of(battle).new_plain()


def _charge(table: Table, battle: Battle, scene: Scene) -> None:
    end_wait(battle, scene.actor)
    carry_out_charge(table, battle, battle.units[scene.actor])


CHARGE: CompanionAct[Battle] = CompanionAct(
    name="charge",
    title="charge",
    rule="RSK-162",
    run=_charge,
    actors=_chargers,
    targets=_charged,
    target_question=_target_text,
    asks=(
        Asked("distance", "How far from {actor} to {target}?", kind=Length, unit="cm"),
        Asked(
            "contact",
            "How many figures of {actor} come into contact?",
            _figures_that_meet,
            kind=Count,
            after=_comes_home,
            measured=_most_in_contact,
        ),
    ),
    lay_out=_lay_out_charge,
    out_of_turn=False,
)
