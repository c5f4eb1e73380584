"""The companion act of a shot (RSK-098)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.space.geometry import Point
from zareba.table import Answer, Table
from zareba_rulesets.risk_factor.chapters.shooting import HOLD, shoot
from zareba_rulesets.risk_factor.chapters.targets import may_name_target, may_pick_figures
from zareba_rulesets.risk_factor.companion.book import (
    ASIDE,
    HAIR,
    NO_UNIT,
    STAGE,
    Count,
    Length,
    end_wait,
    enemy_units,
    figure_count,
    reach_of,
    set_positions,
    shooters,
    table_of,
)
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
    arms_of,
    limits_of,
    missile_weapons,
)

_OUT_OF_CONTACT = 1.0
"""The least distance in cm of a layout for shooting: who touches the enemy does not shoot."""
SPLIT = "split"
"""The limit of a volley whose second half has another target."""
HOLDS, BEHIND, SAFE = "holds ", "behind ", "safe "
"""What limits a volley for one leader, before his id: he does not shoot, shoots from the next range, or cannot be hit.
"""
_CLOSE_BEHIND = 3.5
"""How far in cm behind the first figures a leader may stand and still be with them (RSK-048)."""
_DEEP = 8.0
"""The depth in cm of an ordinary group: if its nearest figure is so near the limit of a range, some may be beyond it.
"""


def _shot_at(battle: Battle, shooter: str) -> list[str]:
    """Return the units that may be shot at. A Player Character may pick out a leader (RSK-087, RSK-104)."""
    if may_pick_figures(battle, battle.units[shooter]):
        return [enemy.id for enemy in battle.against(battle.units[shooter].spec.side)]
    return enemy_units(battle, shooter)


def _is_group(battle: Battle, scene: Scene) -> bool:
    """Return True if each figure of the unit shoots for itself. A gun needs only one man of its crew with a clear
    shot.
    """
    unit = battle.units[scene.actor]
    return unit.count > 1 and not unit.spec.support


def _shooting_weapon(battle: Battle, unit: Unit) -> str:
    """Return the weapon of a unit with the longest range."""
    return max(missile_weapons(battle, unit), key=lambda weapon: limits_of(battle, unit, weapon)[-1])


def _next_limit(battle: Battle, scene: Scene) -> int | None:
    """Return the limit of the range at which the nearest figure shoots, if farther ranges follow."""
    unit = battle.units[scene.actor]
    limits = limits_of(battle, unit, _shooting_weapon(battle, unit))
    return next((limit for limit in limits[:-1] if scene["distance"] <= limit), None)


def _some_are_farther(battle: Battle, scene: Scene) -> bool:
    limit = _next_limit(battle, scene)
    return _is_group(battle, scene) and limit is not None and scene["distance"] > limit - _DEEP


def _not_clear(battle: Battle, scene: Scene) -> Choices:
    """Return what may keep figures out of a volley, beyond its distance and cover; each has its own question."""
    name, target = battle.units[scene.actor].spec.name, battle.units[scene.target].spec.name
    burst = bool(battle.book.weapons[_shooting_weapon(battle, battle.units[scene.actor])].blast)
    possible = {
        "blocked": (_is_group, f"figures of {name} have no clear shot"),
        "farther": (_some_are_farther, f"figures of {name} shoot from more than {_next_limit(battle, scene)} cm"),
        "unseen": (_figures_differ, f"figures of {target} cannot be hit{', or are beyond the burst' if burst else ''}"),
        SPLIT: (_may_split, f"the half of {name} nearer to {target} shoots at it, the other half at another target"),
    }
    found = {fact: words for fact, (is_possible, words) in possible.items() if is_possible(battle, scene)}
    return {**found, **_leaders_who_differ(battle, scene)}


def _leaders_who_differ(battle: Battle, scene: Scene) -> Choices:
    """Return what may be different for a leader than for the figures of his group (RSK-087)."""
    found = {}
    for leader in _leaders_of_group(battle, scene.actor):
        found[HOLDS + leader.id] = f"{leader.spec.name} does not shoot with them"
        if _is_near_next_limit(battle, scene):
            found[BEHIND + leader.id] = f"{leader.spec.name} shoots from more than {_next_limit(battle, scene)} cm"
    for leader in _leaders_of_group(battle, scene.target):
        found[SAFE + leader.id] = f"{leader.spec.name} cannot be hit"
    return found


def _leaders_of_group(battle: Battle, name: str) -> list[Unit]:
    """Return the leaders with a group; none for a leader alone."""
    unit = battle.units[name]
    return [] if unit.spec.leader else battle.leaders_with(unit)


def _is_near_next_limit(battle: Battle, scene: Scene) -> bool:
    """Return True if a leader who stands with the first figures can be beyond the limit of their range."""
    limit = _next_limit(battle, scene)
    return limit is not None and scene["distance"] > limit - _CLOSE_BEHIND


def _may_split(battle: Battle, scene: Scene) -> bool:
    """Return True if the unit may divide its fire between two targets (RSK-086)."""
    unit = battle.units[scene.actor]
    allowed = battle.book.settings.shooting_split_fire and not unit.spec.support and may_name_target(battle, unit)
    return allowed and unit.count > 1 and bool(_other_targets(battle, scene))


def _other_targets(battle: Battle, scene: Scene) -> Choices:
    return {name: battle.units[name].spec.name for name in _shot_at(battle, scene.actor) if name != scene.target}


def _other_distance_text(battle: Battle, scene: Scene) -> str:
    """How far from the unit to the other target?"""
    return f"How far from {{actor}} to {battle.units[scene['other']].spec.name}?"


def _other_cover_text(battle: Battle, scene: Scene) -> str:
    """Cover of the other target?"""
    return f"Cover of {battle.units[scene['other']].spec.name}?"


def _is_named(fact: str) -> Callable[[Battle, Scene], bool]:
    """Return a function that tells if people have said that figures are out of a volley for a reason."""
    return lambda battle, scene: fact in scene["limits"]


def _farther_text(battle: Battle, scene: Scene) -> str:
    """The number of figures that shoot from beyond the first range."""
    return f"How many of the others shoot from more than {_next_limit(battle, scene)} cm?"


def _limits(battle: Battle, scene: Scene) -> Choices:
    """Return the limits in cm of the ranges of all weapons that may shoot (RSK-029).

    A limit stands for every distance down to the one before it. People may say as well that some figures are farther.
    """
    unit = battle.units[scene.actor]
    found = {
        limit
        for shooter in (unit, *_leaders_of_group(battle, unit.id))
        for weapon in missile_weapons(battle, shooter)
        for limit in limits_of(battle, shooter, weapon)
    }
    return {float(limit): f"up to {limit} cm" for limit in sorted(found) if limit <= reach_of(battle, unit)}


def _in_reach(battle: Battle, scene: Scene, cm: float) -> float:
    """Return a distance. Raises ZarebaError if no weapon reaches so far (RSK-029)."""
    unit = battle.units[scene.actor]
    reach = reach_of(battle, unit)
    if cm > reach:
        raise ZarebaError(f"{unit.spec.name} reaches {reach} cm, not {cm:g} (RSK-029)")
    return float(cm)


def _figures_of_actor(battle: Battle, scene: Scene, count: float) -> int:
    return figure_count(battle.units[scene.actor].count, count)


def _figures_of_target(battle: Battle, scene: Scene, count: float) -> int:
    return figure_count(battle.units[scene.target].count, count)


def _figures_differ(battle: Battle, scene: Scene) -> bool:
    """Return True if it matters which figures of a target are in sight: some are wounded, leaders are with them, or a
    shell may strike several (RSK-008).
    """
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    wounded = _some_are_wounded(target)
    led = not target.spec.leader and bool(battle.leaders_with(target))
    return target.count > 1 and bool(wounded or led or battle.book.weapons[_shooting_weapon(battle, unit)].blast)


def _wounded_of_unseen_matter(battle: Battle, scene: Scene) -> bool:
    """Return True if it matters how many of the figures that cannot be hit are wounded."""
    target = battle.units[scene.target]
    return _some_are_wounded(target) and 0 < scene["unseen"] < target.count


def _some_are_wounded(unit: Unit) -> bool:
    return any(unit.hurt) and not all(unit.hurt)


def _usually_wounded(battle: Battle, scene: Scene) -> int:
    """Return how many of the figures that cannot be hit are wounded if these are the last in the book."""
    hidden = scene.answers.get("unseen") or 0
    if not hidden:
        return 0
    target = battle.units[scene.target]
    return sum(target.hurt[index] for index in _last_figures(battle, target)[:hidden])


def _last_figures(battle: Battle, target: Unit) -> list[int]:
    """Return the figures of a target, those in contact first, then the last of the unit."""
    engaged = battle.figures_in_contact(target)
    return sorted(range(target.count), key=lambda index: (index not in engaged, -index))


def _wounded_of_unseen(battle: Battle, scene: Scene, count: float) -> int:
    """Return a number of wounded figures. Raises ZarebaError if it does not fit the number that cannot be hit."""
    target, hidden = battle.units[scene.target], scene["unseen"]
    fewest, most = max(0, hidden - target.hurt.count(False)), min(hidden, target.hurt.count(True))
    if not fewest <= count <= most:
        raise ZarebaError(f"of these {amount(hidden, 'figure')} {fewest} to {most} are wounded, not {count:g}")
    return int(count)


def _unseen_text(battle: Battle, scene: Scene) -> str:
    """How many figures of the target cannot be hit, out of sight or in contact? (a shell: or beyond its burst)"""
    blast = battle.book.weapons[_shooting_weapon(battle, battle.units[scene.actor])].blast
    where = (
        f"out of sight, in contact, or beyond {blast:g} cm from where the shell bursts"
        if blast
        else "out of sight or in contact"
    )
    return f"How many figures of {{target}} cannot be hit, {where}?"


def _picks(battle: Battle, scene: Scene) -> bool:
    target = battle.units[scene.target]
    return _some_are_wounded(target) and may_pick_figures(battle, battle.units[scene.actor])


def _shooting_first(battle: Battle, unit: Unit, weapon: str) -> list[int]:
    """Return the figures of a unit in the order in which people count them as shooters: those with its weapon first,
    then the unhurt.
    """

    def rank(index: int) -> tuple[bool, bool, int]:
        carries = unit.armed[index] and arms_of(battle, unit, index).weapon == weapon
        return not carries, unit.hurt[index], index

    return sorted(range(unit.count), key=rank)


def _wider(leader: Unit, group: Unit) -> float:
    """Return how much farther back a leader stands whose base is larger than those of his group."""
    return max(0.0, leader.body.radius - group.body.radius)


def _hidden_figures(battle: Battle, target: Unit, count: int, wounded: int) -> list[int]:
    """Return so many figures of a target, of which so many are wounded."""
    order = _last_figures(battle, target)
    hurt = [index for index in order if target.hurt[index]]
    return hurt[:wounded] + [index for index in order if not target.hurt[index]][: count - wounded]


def _lay_out_shot(battle: Battle, scene: Scene) -> None:
    """Put shooters and targets at the distances that people measure, and out of contact or sight if they say so."""
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    cm, room = max(scene["distance"], _OUT_OF_CONTACT) - HAIR, unit.body.radius + target.body.radius
    own_leaders = [] if unit.spec.leader else battle.leaders_with(unit)
    other_leaders = [] if target.spec.leader else battle.leaders_with(target)
    at, away = (ASIDE, STAGE), (ASIDE, STAGE - ASIDE)
    limit = _next_limit(battle, scene)
    far = (at[0], at[1] - ((limit or 0) + 1.0 - cm)) if scene["farther"] else at
    order = _shooting_first(battle, unit, _shooting_weapon(battle, unit))
    able, farther = unit.count - scene["blocked"], scene["farther"]
    places = {
        index: away if place >= able else far if place >= able - farther else at for place, index in enumerate(order)
    }
    set_positions(unit, [places[index] for index in range(unit.count)])
    for number, leader in enumerate(own_leaders, start=1):
        behind = (limit or 0) + 1.0 - cm if BEHIND + leader.id in scene["limits"] else 0.0
        place = (at[0] + number / 100, at[1] - _wider(leader, unit) - behind)
        set_positions(leader, [away if HOLDS + leader.id in scene["limits"] else place])
    seen, unseen = (at[0], at[1] + room + cm), (at[0], at[1] + room + cm + 0.01)
    hidden = _hidden_figures(battle, target, scene["unseen"], scene["unseen_wounded"])
    set_positions(target, [unseen if index in hidden else seen for index in range(target.count)])
    field = table_of(battle).new_plain()
    field.unseen = {unseen}
    for number, leader in enumerate(other_leaders, start=1):
        place = (seen[0] + number / 100, seen[1] + _wider(leader, target) + 0.02)
        set_positions(leader, [place])
        if SAFE + leader.id in scene["limits"]:
            field.unseen.add(place)
    covers = {aimed_at.body: scene["cover"] for aimed_at in (target, *other_leaders)}
    if SPLIT in scene["limits"]:
        second = battle.units[scene["other"]]
        _lay_out_second_target(battle, unit, second, at, far, max(scene["other_distance"], _OUT_OF_CONTACT) - HAIR)
        covers |= {aimed_at.body: scene["other_cover"] for aimed_at in (second, *battle.leaders_with(second))}
    field.cover = {body: cover for body, cover in covers.items() if cover != "open"}
    battle.field = field


def _lay_out_second_target(battle: Battle, unit: Unit, target: Unit, at: Point, far: Point, cm: float) -> None:
    """Put a second target to the east, so that the near and the far figures of the shooters have the same distance."""
    leaders = [] if target.spec.leader else battle.leaders_with(target)
    half = (at[1] - far[1]) / 2
    gap = unit.body.radius + target.body.radius + cm
    x, y = at[0] + max(gap**2 - half**2, 0.0) ** 0.5, at[1] - half
    set_positions(target, [(x, y)] * target.count)
    for number, leader in enumerate(leaders, start=1):
        set_positions(leader, [(x + _wider(leader, target) + 0.02, y + number / 100)])


def _shoot(table: Table, battle: Battle, scene: Scene) -> None:
    end_wait(battle, scene.actor)
    shoot(table, battle, battle.units[scene.actor])


def _at_target(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return the target, or for the other half of a volley the other target. `question.about` are those who have
    fired.
    """
    target = scene["other"] if question.about else scene.target
    return target if target in question.options else HOLD


def _picked(battle: Battle, scene: Scene, question: Any) -> Answer:
    """Return a figure in the state that people name."""
    hurt = battle.units[scene.target].hurt
    alike = [index for index in question.options if hurt[index] == scene["wounded_man"]]
    return (alike or list(question.options))[0]


def _splits_fire(battle: Battle, scene: Scene, question: Any) -> Answer:
    return SPLIT in scene["limits"]


_COVERS: Choices = {"open": "in the open", "soft": "soft", "hard": "hard"}


_SECOND_TARGET: tuple[Asked[Battle], ...] = (
    Asked("other", "What does the other half of {actor} shoot at?", choices=_other_targets, when=_is_named(SPLIT)),
    Asked(
        "other_distance",
        _other_distance_text,
        choices=_limits,
        kind=Length,
        unit="cm",
        when=_is_named(SPLIT),
        measured=_in_reach,
    ),
    Asked(
        "other_cover",
        _other_cover_text,
        default="open",
        choices=lambda battle, scene: _COVERS,
        when=_is_named(SPLIT),
    ),
)


FIRE: CompanionAct[Battle] = CompanionAct(
    name="fire",
    title="fire",
    rule="RSK-098",
    run=_shoot,
    actors=shooters,
    targets=_shot_at,
    target_question="Which enemy should {actor} fire at?",
    asks=(
        Asked(
            "distance",
            "How far from {actor} to {target}?",
            choices=_limits,
            kind=Length,
            unit="cm",
            measured=_in_reach,
        ),
        Asked("cover", "Cover of {target}?", default="open", choices=lambda battle, scene: _COVERS),
        Asked("limits", "Does anything limit the volley?", default=(), choices=_not_clear, many=True),
        Asked(
            "blocked",
            "How many figures of {actor} have no clear shot?",
            default=0,
            kind=Count,
            when=_is_named("blocked"),
            measured=_figures_of_actor,
        ),
        Asked(
            "farther",
            _farther_text,
            default=0,
            kind=Count,
            when=_is_named("farther"),
            measured=_figures_of_actor,
        ),
        Asked(
            "unseen",
            _unseen_text,
            default=0,
            kind=Count,
            when=_is_named("unseen"),
            measured=_figures_of_target,
        ),
        Asked(
            "unseen_wounded",
            "How many of the figures of {target} that cannot be hit are wounded?",
            default=_usually_wounded,
            kind=Count,
            when=_wounded_of_unseen_matter,
            measured=_wounded_of_unseen,
        ),
        *_SECOND_TARGET,
        Asked("wounded_man", "At a wounded man?", default=False, kind=bool, when=_picks),
    ),
    lay_out=_lay_out_shot,
    preset_answers={"shoot at": _at_target, "split fire": _splits_fire, "pick a man": _picked},
)


# --- Fire of a side without a player ----------------------------------------------------------------------------------


def _solo_shooters(battle: Battle) -> list[str]:
    """Return the units of a side without a player that may still shoot in this turn (RSK-085)."""
    if not battle.is_solo(battle.side) or battle.phase != "shoot":
        return []
    return [unit for unit in shooters(battle) if unit in battle.waiting]


def _nearest_text(battle: Battle, scene: Scene) -> str:
    """The nearest enemy in sight and range."""
    return f"Which enemy in sight of {{actor}} is nearest, within {reach_of(battle, battle.units[scene.actor])} cm?"


def _enemies_or_none(battle: Battle, scene: Scene) -> Choices:
    return {NO_UNIT: "none", **{name: battle.units[name].spec.name for name in enemy_units(battle, scene.actor)}}


def _at_enemy(scene: Scene) -> Scene:
    """Return a scene in which the enemy that people have named is the target."""
    return replace(scene, target=scene.answers.get("enemy") or "")


_CHOICES_OF_A_PLAYER = {"wounded_man", *(asked.fact for asked in _SECOND_TARGET)}
"""The questions about a volley that a side without a player does not need."""


def _about_enemy(asked: Asked[Battle]) -> Asked[Battle]:
    """Return a question about a target as a question about the enemy that people have named; without one it is not
    asked.
    """
    when, text, choices, measured, usual = asked.when, asked.question, asked.choices, asked.measured, asked.default

    def question(battle: Battle, scene: Scene) -> str:
        words = text if isinstance(text, str) else text(battle, _at_enemy(scene))
        return words.replace("{target}", battle.units[scene["enemy"]].spec.name)

    question.__doc__ = (
        text.replace("{target}", "it").replace("{actor}", "the unit") if isinstance(text, str) else text.__doc__
    )
    return replace(
        asked,
        question=question,
        default=(lambda b, s: usual(b, _at_enemy(s))) if callable(usual) else usual,
        when=lambda b, s: bool(s.answers.get("enemy")) and (when is None or when(b, _at_enemy(s))),
        choices=(lambda b, s: choices(b, _at_enemy(s))) if choices is not None else None,
        measured=(lambda b, s, number: measured(b, _at_enemy(s), number)) if measured is not None else None,
    )


def _lay_out_solo_shot(battle: Battle, scene: Scene) -> None:
    if scene["enemy"]:
        _lay_out_shot(battle, _at_enemy(scene))


def _solo_shoot(table: Table, battle: Battle, scene: Scene) -> None:
    """Shoot at the nearest enemy, if there is one in sight and range."""
    if scene["enemy"]:
        _shoot(table, battle, scene)
    else:
        end_wait(battle, scene.actor)
        table.emit("no target", "RSK-085", unit=scene.actor)


def _settle_at_enemy(
    settle: Callable[..., Answer | None], battle: Battle, scene: Scene, question: Any
) -> Answer | None:
    return settle(battle, _at_enemy(scene), question)


SOLO_FIRE: CompanionAct[Battle] = replace(
    FIRE,
    name="solo_fire",
    title="fire at the nearest enemy",
    rule="RSK-085",
    run=_solo_shoot,
    actors=_solo_shooters,
    targets=None,
    asks=(
        Asked("enemy", _nearest_text, default=NO_UNIT, choices=_enemies_or_none),
        *(_about_enemy(asked) for asked in FIRE.asks if asked.fact not in _CHOICES_OF_A_PLAYER),
    ),
    lay_out=_lay_out_solo_shot,
    preset_answers={purpose: partial(_settle_at_enemy, settle) for purpose, settle in FIRE.preset_answers.items()},
    out_of_turn=False,
)
