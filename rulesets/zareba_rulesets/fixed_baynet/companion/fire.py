"""Fire of small arms at a real table: volleys, shots of some men, and one man picked out."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.base.errors import ZarebaError
from zareba.companion import Asked, Choices, Scene
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts, fire_volley
from zareba_rulesets.fixed_baynet.chapters.targets import firers, target_figures
from zareba_rulesets.fixed_baynet.companion.book import (
    ANSWERING,
    ANSWERS,
    COVER,
    EAST,
    HAIR,
    LIT,
    SHOTS,
    STAGE,
    WEST,
    Count,
    active_if,
    at_distance,
    fire_targets,
    has_name,
    make_act,
    may_fire,
    men_by_name,
    men_protected,
    put_men,
    range_choices,
    some_of,
    with_cover,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Flare
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit


def firing_men(battle: Battle, scene: Scene) -> list[Figure]:
    """Return the men who fire. Raises ZarebaError if people named more than there are."""
    unit = battle.units[scene.actor]
    return some_of(battle, unit, firers(battle, unit, scene.target), scene.answers.get("men"), "fire")


def aimed_men(battle: Battle, unit: Unit, target: Unit, unseen: int) -> list[Figure]:
    """Return the men who can be aimed at, common men first. The last `unseen` of them are left out."""
    men = sorted(target_figures(battle, unit.spec.side, target), key=has_name)
    if unseen >= len(men):
        raise ZarebaError(f"no man of {target.spec.name} is left to aim at")
    return men[: len(men) - unseen]


def _lay_out_shot(battle: Battle, scene: Scene) -> None:
    """Put the firers and their targets at the distance and in the cover that people see."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    unseen = scene.answers.get("unseen", men_protected(battle, scene.target))
    aimed = aimed_men(battle, unit, target, int(unseen))
    face_off(battle, firing_men(battle, scene), aimed, float(scene["distance"]))
    for measured in (unit, target):
        measured.measure()
    shelter_targets(battle, scene, aimed)


def face_off(battle: Battle, men: Iterable[Figure], aimed: Iterable[Figure], inches: float) -> None:
    """Put `men` some inches west of `aimed`, edge to edge. Common men stand `HAIR` / 2 nearer than named ones."""
    for man in aimed:
        near = 0.0 if has_name(man) else HAIR / 2
        put_men(battle, [man], (STAGE[0] - near, STAGE[1]), WEST, side=1)
    put_men(battle, men, (STAGE[0] - inches + HAIR, STAGE[1]), EAST, side=-1)


def shelter_targets(battle: Battle, scene: Scene, aimed: Iterable[Figure]) -> None:
    """Give the targets the cover and the light that people see."""
    widest = max(battle.radius(man) for man in aimed)
    battle.field = with_cover(battle, scene["cover"], STAGE, widest)
    battle.flares = [Flare(*STAGE, battle.turn)] if scene.answers.get("lit") else []


def _fire(table: Table, battle: Battle, scene: Scene) -> None:
    fire_volley(table, battle, battle.change(battle.units[scene.actor]), battle.units[scene.target])


def _picked_men(battle: Battle, scene: Scene) -> Choices:
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    return men_by_name(target_figures(battle, unit.spec.side, target))


def _lay_out_pick(battle: Battle, scene: Scene) -> None:
    """Put one man of the enemy at the distance that people name, and no one else."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    man = target.figures[scene["foe"]]
    face_off(battle, firing_men(battle, scene), [man], float(scene["distance"]))
    shelter_targets(battle, scene, [man])
    for measured in (unit, target):
        measured.measure()


DISTANCE: Asked[Battle] = Asked(
    "distance", "How far from {actor} to {target}?", choices=range_choices, unit="inches", measured=at_distance
)


MEN_FIRE: Asked[Battle] = Asked("men", "How many men of {actor} fire?", kind=Count)


FIRE_ACT = make_act(
    "fire",
    "fire",
    "FBN-092",
    _fire,
    active_if(may_fire),
    DISTANCE,
    COVER,
    LIT,
    ANSWERING,
    targets=fire_targets,
    target_question="Which enemy should {actor} fire at?",
    facts=ShotFacts,
    lay_out=_lay_out_shot,
    preset_answers=ANSWERS,
    roll_groups=SHOTS,
)


SHOOT_ACT = make_act(
    "shoot",
    "shoot with some of its men, or at some of the enemy's",
    "FBN-092",
    _fire,
    active_if(may_fire),
    MEN_FIRE,
    Asked(
        "unseen",
        "How many men of {target} cannot be aimed at, out of sight or in contact with friends?",
        default=lambda battle, scene: men_protected(battle, scene.target),
        kind=Count,
    ),
    DISTANCE,
    COVER,
    LIT,
    ANSWERING,
    targets=fire_targets,
    target_question="Which enemy should men of {actor} fire at?",
    facts=ShotFacts,
    lay_out=_lay_out_shot,
    preset_answers=ANSWERS,
    roll_groups=SHOTS,
)


PICK_ACT = make_act(
    "pick",
    "pick out one man as target",
    "FBN-093",
    _fire,
    active_if(may_fire),
    Asked("foe", "At which man of {target}?", choices=_picked_men),
    MEN_FIRE,
    DISTANCE,
    COVER,
    LIT,
    ANSWERING,
    targets=fire_targets,
    target_question="{actor} fires at one man: in which enemy unit?",
    facts=ShotFacts,
    lay_out=_lay_out_pick,
    preset_answers=ANSWERS,
    roll_groups=SHOTS,
)
