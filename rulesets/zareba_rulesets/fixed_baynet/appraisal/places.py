"""What points, bearings and smaller choices are worth to a commander."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import atan2, degrees, hypot
from typing import Any

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.space.bearings import angle_between
from zareba_rulesets.fixed_baynet.after_move import nearest_enemy
from zareba_rulesets.fixed_baynet.aiming import fire_targets
from zareba_rulesets.fixed_baynet.appraisal.acts import NOTHING, STANDOFF
from zareba_rulesets.fixed_baynet.appraisal.prospects import (
    MAN,
    aim_of,
    cover_at,
    is_civil,
    is_melee,
    is_urgent,
    menace,
    sample,
)
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.troops import box_gap

__all__ = ["activate", "aim", "answers", "bearing", "deploy", "hold", "load", "points", "ride_on"]

WINDS = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")


def activate(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    """The defenceless first, then those nearest to the enemy, before he acts."""
    found = []
    for key in question.options:
        unit = battle.units.get(key)
        if unit is None:
            found.append(NOTHING)
            continue
        away = min(nearest_enemy(battle, unit)[0], 100.0)
        bare = is_civil(unit) and any(not figure.prone for figure in unit.figures.values())
        exposed = 0.0 if sample(unit).prone or unit.guns else 0.02 * menace(battle, unit)
        reason = partial('the enemy is {:.0f}" away'.format, away)
        found.append(Appraisal(ground=1 / (4 + away) + exposed + bare, reason=reason))
    return found


def points(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    """Nearer to the enemy for those who strike, at a good range for those who shoot, towards where a unit should be."""
    unit = battle.units.get(question.actor)
    if unit is None:
        return [NOTHING] * len(question.suggestions)
    foe = nearest_enemy(battle, unit)[1]
    aim = aim_of(battle, scenario, unit)
    melee, civil = is_melee(battle, unit), is_civil(unit)
    pull = 0.0
    if aim is not None:
        pull = 0.05 if aim.units or is_urgent(battle, scenario, unit, aim) else 0.004 if melee else 0.01
    standoff = (
        STANDOFF if melee or any(fire_targets(battle, unit)) or foe is None or box_gap(unit.box, foe.box) > 20 else 0.0
    )
    found = []
    for x, y in question.suggestions:
        ground, away, left = 0.0, 0.0, 0.0
        if foe is not None:
            away = box_gap((x, y, x, y), foe.box)
            ground += 0.002 * min(away, 20.0) if civil else -0.012 * (away if melee else abs(away - standoff))
            ground += 0.0 if civil or melee else 0.02 * cover_at(battle, unit, foe, x, y)
        if aim is not None:
            left = hypot(x - aim.at[0], y - aim.at[1])
            ground -= pull * left
        words = '{:.0f}" from the enemy, {:.0f}" from where they should be' if aim else '{:.0f}" from the enemy'
        found.append(Appraisal(ground=ground, reason=partial(words.format, away, left)))
    return found


def deploy(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    count = len(question.suggestions)
    return [Appraisal(ground=-0.001 * index, reason="where the scenario puts it (FBN-011)") for index in range(count)]


def bearing(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    """Towards the nearest enemy."""
    unit = battle.units.get(question.actor.rpartition(" ")[0]) or battle.units.get(question.actor)
    foe = nearest_enemy(battle, unit)[1] if unit is not None else None
    if unit is None or foe is None:
        return [NOTHING] * len(question.options)
    (x, y), (fx, fy) = unit.middle, foe.middle
    wanted = degrees(atan2(fx - x, fy - y))
    found = []
    for option in question.options:
        way = 45.0 * WINDS.index(option) if option in WINDS else float(option)
        off = angle_between(wanted, way)
        found.append(Appraisal(ground=-off / 1000, reason=partial("{:.0f} degrees off the nearest enemy".format, off)))
    return found


def answers(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    reason = "dying men's answers cost 1 AC that they lose anyway (FBN-096)"
    return [
        Appraisal(inflicts=2 * MAN if option == "answer every hit" else 0.0, reason=reason)
        for option in question.options
    ]


def load(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    reason = "shell bursts over 2 to 6 inches (FBN-216)"
    return [Appraisal(inflicts=0.1 if option == "shell" else 0.0, reason=reason) for option in question.options]


def aim(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    """Leaders before others, and anybody rather than nobody."""
    found = []
    for option in question.options:
        spec = battle.specs.get(str(option))
        worth = 0.0 if spec is None or spec.side == question.seat else MAN * (1.5 if spec.leads else 1.0)
        found.append(Appraisal(inflicts=worth, reason="a leader, glory +1 (FBN-140)" if worth > MAN else "1 man"))
    return found


def hold(battle: Battle, scenario: Scenario, question: Any) -> list[Appraisal]:
    return [
        Appraisal(ground=0.01 if option == "nothing" else 0.0, reason="the squad acts as 1 (FBN-016)")
        for option in question.options
    ]


def ride_on(battle: Battle, scenario: Scenario, question: Any) -> Sequence[Appraisal]:
    """Home if a charge is open, on if not."""
    worth = {"ride on": 0.01, "halt": 0.0}
    return [
        Appraisal(ground=worth.get(str(option), 0.1), reason="a charge after 1 turn (FBN-180)")
        for option in question.options
    ]
