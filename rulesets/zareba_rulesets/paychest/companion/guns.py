"""Companion acts of guns and machine guns."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from zareba.base.grammar import join_with_and
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Table
from zareba_rulesets.paychest.actions.fire import FiringUnit, Unjam
from zareba_rulesets.paychest.actions.wording import plain_name
from zareba_rulesets.paychest.chapters.fire import FireFacts
from zareba_rulesets.paychest.chapters.guns import fit_crew, is_ready, servers
from zareba_rulesets.paychest.chapters.machines import crew_at
from zareba_rulesets.paychest.companion.common import (
    FIRE_DETAIL,
    OVER_EDGE,
    STAND_OR_RUN,
    TO_STAGE,
    aimed_at,
    altitude_inches,
    cover_choices,
    differing_cover,
    enemy_units,
    fire_as,
    lay_out_runners_from,
    lay_out_targets,
    range_question,
    target_choices,
    units_that,
    units_with_enemies_that,
    wants_detail,
)
from zareba_rulesets.paychest.companion.real_table import BEST, DETAIL, EXPOSURES, HAIR, WHOLE, real_table_of
from zareba_rulesets.paychest.forces.battle import Bands, Battle, bands_of, kind_of
from zareba_rulesets.paychest.forces.units import Unit


def _ready_guns(battle: Battle, unit: Unit) -> list[str]:
    return [key for key in battle.guns_of(unit) if is_ready(battle, battle.engines[key])]


def _jammed(battle: Battle, unit: Unit) -> list[str]:
    """Return the guns whose crew may clear a jam with one shot (PAY-176)."""
    return [action.gun for action in Unjam.options(FiringUnit(battle, unit))]


def _bands_of_gun(battle: Battle, scene: Scene) -> dict[str, Bands]:
    engine = battle.engines[scene["gun"]]
    return {kind_of(engine): bands_of(battle, engine, kind_of(engine))}


def _all_in_reach(battle: Battle, scene: Scene) -> Choices:
    return {WHOLE: "yes", DETAIL: "no, or others too"}


def _gun_ready_choices(battle: Battle, scene: Scene) -> Choices:
    return {key: battle.engines[key].name for key in _ready_guns(battle, battle.unit(scene.actor))}


def _lay_out_gun(battle: Battle, scene: Scene) -> None:
    """Put a gun with its crew at its range from the target (PAY-178, PAY-179)."""
    targets, (x, y) = lay_out_targets(battle, scene), real_table_of(battle).stage
    unit, key = battle.change(scene.actor), scene["gun"]
    crew, at = crew_at(battle, battle.engines[key]), (x, y - (scene["range"] - HAIR - altitude_inches(battle, scene)))
    battle.engines.change(key).at = at
    for man in crew:
        unit.figures[man.spec.id].at = at
    unit.measure()
    lay_out_runners_from(battle, scene, targets, EXPOSURES, ())


def _crews(battle: Battle, scene: Scene) -> Choices:
    """Return the crews that may serve a gun (PAY-178, PAY-184)."""
    engine = battle.engines[scene["gun"]]
    crews = combinations([man.spec.id for man in fit_crew(battle, engine)], len(servers(battle, engine)))
    return {BEST: "the best shots", **{c: join_with_and(plain_name(battle, key) for key in c) for c in crews}}


def _served_by(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return the crew that people name, or the first one: the best shots."""
    return scene["crew"] if scene["crew"] in question.options else question.options[0]


def _fire_gun(table: Table, battle: Battle, scene: Scene) -> None:
    fire_as(table, battle, battle.change(scene.actor), ("gun", scene["gun"]))


def _unjam(table: Table, battle: Battle, scene: Scene) -> None:
    fire_as(table, battle, battle.change(scene.actor), ("unjam", scene["gun"]))


def _jam_choices(battle: Battle, scene: Scene) -> Choices:
    return {key: battle.engines[key].name for key in _jammed(battle, battle.unit(scene.actor))}


FIRE_GUN: CompanionAct[Battle] = CompanionAct(
    name="gun",
    title="fire a gun or machine gun",
    rule="PAY-178",
    run=_fire_gun,
    actors=units_with_enemies_that("gun", _ready_guns),
    targets=enemy_units,
    target_question="Which enemy should {actor} fire its gun at?",
    facts=FireFacts,
    asks=(
        Asked("gun", "Which gun?", choices=_gun_ready_choices),
        Asked("who", "Does it fire at all of {target}?", default=WHOLE, choices=_all_in_reach),
        range_question(_bands_of_gun),
        Asked("cover", "Cover of most standing figures of {target}?", default="none", choices=cover_choices(guns=True)),
        Asked("crew", "Who serves it?", default=BEST, choices=_crews, when=wants_detail),
        *FIRE_DETAIL,
        *differing_cover("Who of the target has another cover?", target_choices, guns=True),
        *OVER_EDGE,
    ),
    lay_out=_lay_out_gun,
    roll_groups=(STAND_OR_RUN,),
    preset_answers={"gun at": aimed_at, "served by": _served_by, **TO_STAGE},
)


CLEAR_JAM: CompanionAct[Battle] = CompanionAct(
    name="unjam",
    title="clear a jam (uses one shot)",
    rule="PAY-176",
    run=_unjam,
    actors=units_that("unjam", _jammed),
    asks=(Asked("gun", "Which gun?", choices=_jam_choices),),
    has_odds=False,
)
