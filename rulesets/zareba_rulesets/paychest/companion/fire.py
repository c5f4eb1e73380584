"""Companion acts of fire: small arms, guns and machine guns."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import join_with_and
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Table
from zareba_rulesets.paychest.actions.fire import FiringUnit, Unjam
from zareba_rulesets.paychest.actions.wording import plain_name
from zareba_rulesets.paychest.chapters.fire import FireFacts, Firer
from zareba_rulesets.paychest.chapters.guns import fit_crew, is_ready, servers
from zareba_rulesets.paychest.chapters.machines import crew_at
from zareba_rulesets.paychest.chapters.sight import DOWN
from zareba_rulesets.paychest.chapters.targets import readiness
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
    figure_choices,
    figure_name,
    fire_as,
    hits_by_parts,
    lay_out_runners_from,
    lay_out_targets,
    range_question,
    target_choices,
    units_that,
    units_with_enemies_that,
    wants_detail,
)
from zareba_rulesets.paychest.companion.real_table import (
    BEST,
    COVERS,
    DETAIL,
    EXPOSURES,
    HAIR,
    LEADER,
    LEADERS,
    MEN,
    WHOLE,
    real_table_of,
)
from zareba_rulesets.paychest.forces.battle import Bands, Battle, bands_of, kind_of
from zareba_rulesets.paychest.forces.units import Unit

# --- Small arms: volleys and shots of leaders -------------------------------------------------------------------------


def _group(battle: Battle, unit: Unit) -> list[Firer]:
    return readiness(battle, unit).group


def _lone_shots(battle: Battle, unit: Unit) -> dict[str, Firer]:
    """Return the leaders of a unit who may fire on their own (PAY-092)."""
    return {key: firer for key, firer in readiness(battle, unit).leaders.items() if "held" not in firer.figure.marks}


def _volley_firers(battle: Battle, unit: Unit) -> list[Firer]:
    """Return the figures that may fire in a volley: the group and the leaders who may join it (PAY-094)."""
    ready = readiness(battle, unit)
    return [*ready.group, *ready.joining]


def _bands_of_volley(battle: Battle, scene: Scene) -> dict[str, Bands]:
    """Return the range bands of the weapons in a volley, by weapon."""
    ready = readiness(battle, battle.unit(scene.actor))
    firers = ready.group if scene["who"] == MEN else [*ready.group, *ready.joining]
    return {weapon: bands_of(battle, man, weapon) for man, weapon in firers}


def _bands_of_leader(battle: Battle, scene: Scene) -> dict[str, Bands]:
    man, weapon = _lone_shots(battle, battle.unit(scene.actor))[scene["man"]]
    return {weapon: bands_of(battle, man, weapon)}


def _who_fires(battle: Battle, scene: Scene) -> Choices:
    joining = readiness(battle, battle.unit(scene.actor)).joining
    leaders = {}
    if joining:
        leaders = {LEADERS: f"all men, and {join_with_and(firer.figure.spec.name for firer in joining)} with them"}
    return {MEN: "all men, at all of {target}".replace("{target}", battle.unit(scene.target).spec.name), **leaders,
            DETAIL: "not all fire, or not all can be hit"}  # fmt: skip


def _firer_choices(battle: Battle, scene: Scene) -> Choices:
    holding = scene.answers.get("holding", ())
    men = [firer.figure.spec.id for firer in _volley_firers(battle, battle.unit(scene.actor))]
    return figure_choices(battle, [key for key in men if key not in holding])


def _farther_choices(battle: Battle, scene: Scene) -> Choices:
    return {key: word for key, word in _firer_choices(battle, scene).items() if key in scene["farther"]}


def _some_farther(battle: Battle, scene: Scene) -> bool:
    return wants_detail(battle, scene) and bool(scene.answers.get("farther"))


def _differing(battle: Battle, scene: Scene) -> Choices:
    return target_choices(battle, scene) if hits_by_parts(battle) else _firer_choices(battle, scene)


def _differ_text(battle: Battle, scene: Scene) -> str:
    """Which figures have another cover?"""
    return (
        "Who of the target has another cover?"
        if hits_by_parts(battle)
        else "From whose line has the target another cover?"
    )


def _lay_out_volley(battle: Battle, scene: Scene) -> None:
    """Put each firer at his range, and the target in its cover, as each firer sees it."""
    targets, (x, y) = lay_out_targets(battle, scene), real_table_of(battle).stage
    unit, up = battle.change(scene.actor), altitude_inches(battle, scene)
    aside = set() if hits_by_parts(battle) else set(scene["differing"] or ())
    for figure, weapon in _volley_firers(battle, unit):
        key = figure.spec.id
        back = (key in (scene["farther"] or ())) + (key in (scene["farthest"] or ()))
        far = _range_of(bands_of(battle, figure, weapon), scene["range"], back) - HAIR - up
        if not figure.aboard:
            figure.at = (x + far, y) if key in aside else (x, y - far)
        else:
            figure.at = (x, y - far)
    unit.measure()
    kinds = EXPOSURES if hits_by_parts(battle) else COVERS
    lay_out_runners_from(battle, scene, targets, kinds, aside)


def _range_of(bands: Bands, limit: float, back: int) -> float:
    """Return a range in the band of `limit`, or so many bands farther."""
    number = next((place for place, (_, most) in enumerate(bands) if limit <= most), None)
    if number is None or number + back >= len(bands):
        return bands[-1][1] + 1.0
    return bands[number + back][1] if back else limit


def _fire_volley(table: Table, battle: Battle, scene: Scene) -> None:
    """Fire a volley of the men, with their leaders, or of some of them (PAY-094)."""
    unit = battle.change(scene.actor)
    verbs = {MEN: "volley", LEADERS: "volley with leaders", DETAIL: "volley of picked men"}
    fire_as(table, battle, unit, verbs[scene["who"]])


def _fires(battle: Battle, scene: Scene, question: Any) -> Answer:
    return question.actor not in (scene["holding"] or ())


def _leader_choices(battle: Battle, scene: Scene) -> Choices:
    return figure_choices(battle, _lone_shots(battle, battle.unit(scene.actor)))


def _figures_to_hit(battle: Battle, scene: Scene) -> Choices:
    """Return the figures of the target, its leader first, who is the usual aim (PAY-092)."""
    unit = battle.unit(scene.target)
    men = [man for man in unit.able if DOWN not in man.marks]
    keys = [man.spec.id for man in men]
    leads = {LEADER: f"{figure_name(battle, unit.leader)}, its leader"} if unit.leader in keys else {}
    return {**leads, **figure_choices(battle, [key for key in keys if key != unit.leader])}


def _man_hit(battle: Battle, scene: Scene) -> str:
    return battle.unit(scene.target).leader if scene["aim"] == LEADER else str(scene["aim"])


def _leader_is_free(battle: Battle, scene: Scene) -> bool:
    return not real_table_of(battle).contacts.get(scene.answers.get("man", ""))


def _lay_out_leader_shot(battle: Battle, scene: Scene) -> None:
    """Put a leader at his range from the figure that he aims at (PAY-092, PAY-103)."""
    aim, unit = _man_hit(battle, scene), battle.change(scene.actor)
    others = [man.spec.id for man in battle.unit(scene.target).able if man.spec.id != aim]
    told = replace(scene, answers={**scene.answers, "spared": others, "along": (), "differing": (), "other_cover": ""})
    targets, (x, y) = lay_out_targets(battle, told), real_table_of(battle).stage
    far = scene["range"] - HAIR - altitude_inches(battle, scene) if scene["range"] is not None else 1.0
    unit.figures[scene["man"]].at = (x, y - far)
    unit.measure()
    kinds = EXPOSURES if hits_by_parts(battle) else COVERS
    lay_out_runners_from(battle, told, targets, kinds, ())


def _fire_leader(table: Table, battle: Battle, scene: Scene) -> None:
    fire_as(table, battle, battle.change(scene.actor), ("leader", scene["man"]))


def _at_unit(battle: Battle, scene: Scene, question: Any) -> Answer:
    if scene.target not in question.options:
        raise ZarebaError(f"{plain_name(battle, scene['man'])} may not fire at that unit (PAY-092, PAY-102)")
    return scene.target


def _at_man(battle: Battle, scene: Scene, question: Any) -> Answer:
    aim = _man_hit(battle, scene)
    if aim not in question.options:
        raise ZarebaError(f"{plain_name(battle, aim)} cannot be fired at (PAY-101)")
    return aim


VOLLEY: CompanionAct[Battle] = CompanionAct(
    name="volley",
    title="fire a volley",
    rule="PAY-094",
    run=_fire_volley,
    actors=units_with_enemies_that("volley", _group),
    targets=enemy_units,
    target_question="Which enemy should {actor} fire a volley at?",
    facts=FireFacts,
    asks=(
        Asked("who", "Who fires?", default=MEN, choices=_who_fires),
        range_question(_bands_of_volley),
        Asked("cover", "Cover of most of {target}?", default="none", choices=cover_choices(guns=False)),
        Asked("holding", "Who does not fire?", default=(), choices=_firer_choices, many=True, when=wants_detail),
        Asked(
            "farther",
            "Which firers are one range band farther away?",
            default=(),
            choices=_firer_choices,
            many=True,
            when=wants_detail,
        ),
        Asked(
            "farthest",
            "Which of these are two range bands farther away?",
            default=(),
            choices=_farther_choices,
            many=True,
            when=_some_farther,
        ),
        *FIRE_DETAIL,
        *differing_cover(_differ_text, _differing, guns=False),
        *OVER_EDGE,
    ),
    lay_out=_lay_out_volley,
    roll_groups=(STAND_OR_RUN,),
    preset_answers={"volley at": aimed_at, "fires": _fires, **TO_STAGE},
)


LEADER_SHOT: CompanionAct[Battle] = CompanionAct(
    name="leader_shot",
    title="fire at one figure (leader)",
    rule="PAY-092",
    run=_fire_leader,
    actors=units_with_enemies_that("leader_shot", _lone_shots),
    targets=enemy_units,
    target_question="{actor} fires at one figure: in which enemy unit?",
    facts=FireFacts,
    asks=(
        Asked("man", "Who fires?", choices=_leader_choices),
        Asked("aim", "Which figure is the target?", default=LEADER, choices=_figures_to_hit),
        range_question(_bands_of_leader, _leader_is_free),
        Asked("cover", "His cover?", default="none", choices=cover_choices(guns=False)),
        *OVER_EDGE,
    ),
    lay_out=_lay_out_leader_shot,
    roll_groups=(STAND_OR_RUN,),
    preset_answers={"fire at unit": _at_unit, "fire at": _at_man},
)


# --- Guns and machine guns --------------------------------------------------------------------------------------------


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
