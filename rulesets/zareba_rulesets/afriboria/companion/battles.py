"""Battles of units on the ground at a real table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.space.lazy import Lazy
from zareba.table import Answer, Choose, Event, Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.breakthrough import HOLD as STAY
from zareba_rulesets.afriboria.chapters.combat import dice_of, may_battle, spend_battle
from zareba_rulesets.afriboria.chapters.engagement import (
    HOLD,
    Target,
    all_targets,
    choose_target,
    fight,
    strike,
)
from zareba_rulesets.afriboria.chapters.exchange import DiceFacts
from zareba_rulesets.afriboria.companion.common import (
    ASK,
    BATTLE_SETTLED,
    HILLTOP,
    IN_THE_WAY,
    IN_THE_WAY_AGAIN,
    OWN,
    REACTION_AGAIN,
    REACTIONS_ALONE,
    RETREATS,
    SECTION,
    TARGET,
    USUAL,
    WAY_BACK,
    WAY_BACK_AGAIN,
    hexes_phrase,
    is_enemy,
    named,
    own_units,
    reach_of_actor,
    section_phrase,
    strike_off,
    titles,
)
from zareba_rulesets.afriboria.companion.real_table import (
    begin_with_section,
    carry_structures,
    hexes_of,
    lay_out_way_back,
    piece_named,
    places_of_sections,
    put_sections,
    put_stack,
    table_of,
)
from zareba_rulesets.afriboria.forces.battle import Battle, reach_of
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit


def _fighters(battle: Battle) -> list[str]:
    return [unit.spec.id for unit in own_units(battle) if may_battle(battle, unit) and _enemies(battle, unit.spec.id)]


def _enemies(battle: Battle, fighter: str) -> list[str]:
    """Return the enemy units, and lone commanders, that a unit has not battled yet (AFR-164, AFR-206, AFR-220)."""
    unit = battle.units[fighter]
    enemy = battle.field.enemy(unit.spec.side)
    found = [other.spec.id for other in battle.side_units(enemy) if other.spec.id not in unit.battled]
    if unit.profile.storms:
        found += [chief.spec.id for chief in battle.side_commanders(enemy) if battle.is_alone(chief)]
    if battle.fliers and unit.profile.dice and not unit.profile.jams:
        found += [flier.spec.id for flier in battle.fliers.values() if is_enemy(flier, enemy) and not flier.airborne]
    return found


def _enemies_again(battle: Battle, fighter: str) -> list[str]:
    """Return the targets of a second fire (AFR-165, AFR-166)."""
    unit = battle.units[fighter]
    enemy = battle.field.enemy(unit.spec.side)
    every = battle.book.settings.double_fire_targets == "any"
    found = [other.spec.id for other in battle.side_units(enemy) if every or other.spec.id not in unit.battled]
    return found + [name for name in _enemies(battle, fighter) if name in battle.commanders]


def _fire_again(battle: Battle) -> list[str]:
    return [name for name in battle.waiting if name in battle.units] if battle.stage == "battles" else []


def _hexes_to_target(battle: Battle, scene: Scene) -> Choices:
    nearest = 2 if battle.units[scene.actor].shots else 1
    return {hexes: hexes_phrase(hexes) for hexes in range(nearest, reach_of_actor(battle, scene) + 1)}


def _is_in_one_hex(battle: Battle, scene: Scene) -> bool:
    return not battle.units[scene.actor].sections


def _is_in_sections(battle: Battle, scene: Scene) -> bool:
    return not _is_in_one_hex(battle, scene)


def _firing_sections(battle: Battle, scene: Scene) -> Choices:
    """Return the sections of a unit on walls, each with the ranges at which it could fire (AFR-322)."""
    distances = _hexes_to_target(battle, scene)
    return {
        (cell, hexes): f"{section_phrase(battle, scene.actor, cell)}, {words}"
        for cell in battle.units[scene.actor].sections
        for hexes, words in distances.items()
    }


def _checked_range(battle: Battle, scene: Scene, hexes: float) -> int:
    """Return a range that people have counted. Raises ZarebaError for one that no battle can have."""
    known = _hexes_to_target(battle, scene)
    if hexes in known:
        return int(hexes)
    actor = named(scene, scene.actor)
    if hexes > max(known, default=0):
        raise ZarebaError(
            f"the dice of {actor} reach {amount(reach_of_actor(battle, scene), 'hex', 'hexes')} (AFR-162)"
        )
    raise ZarebaError(f"count the hexes from {actor}, its own not included: {min(known)} or more (AFR-165, AFR-180)")


def _grounds(battle: Battle, scene: Scene, *, rides_on: bool = False) -> dict[Any, str]:
    """Return the ground of the two hexes as far as it matters, kinds of equal effect together (Table 5).

    With `rides_on` the attacker may break through and fight a second battle there, unless the ground forbids it
    (AFR-254).
    """
    book, unit = battle.book, battle.units[scene.actor]
    groups: dict[Any, list[str]] = {}
    for name, effect in _effects_on_target(book, unit, rides_on):
        groups.setdefault((TARGET, effect), []).append(name)
    if unit.profile.bombards or book.counts_as_gun(unit.profile):
        groups[OWN, (HILLTOP, "+1 die")] = [HILLTOP]
    for name, effect in _effects_on_own(battle, scene):
        groups.setdefault((OWN, effect), []).append(name)
    whose_hex = {TARGET: "target's hex", OWN: f"own hex of {named(scene, unit.spec.id)}"}
    return {
        (whose, _plainest(book, names)): f"{whose_hex[whose]}: {titles(book, names)} ({effect[-1]})"
        for (whose, effect), names in groups.items()
    }


def _plainest(book: AfrBook, names: Sequence[str]) -> str:
    """Return the first of some kinds of ground on which troops may battle, because their other effects are equal."""
    terrain = book.file.terrain
    return next((name for name in names if name == HILLTOP or not terrain[name].no_battle), names[0])


_Effect = tuple[Any, ...]


def _effects_on_target(book: AfrBook, unit: Unit, rides_on: bool) -> Iterator[tuple[str, _Effect]]:
    """Yield the kinds of ground that matter in the target's hex, each with its effects; the last one is in words."""
    alone = book.settings.terrain_stack == "sum"
    for name, entry in book.file.terrain.items():
        guns = not unit.profile.storms and entry.cover_guns is not None
        cover = entry.cover_guns if guns and entry.cover_guns is not None else entry.cover
        said = [f"-{amount(cover, 'die', 'dice')}"] if cover else []
        said += ["one defence die less"] if entry.hampers and book.settings.minus_defender != "off" else []
        said += ["only guns, and foot from the next hex"] if entry.infantry_only else []
        said += ["may ignore the first flag"] if name == "sandbags" else []
        said += ["no second battle after a breakthrough"] if rides_on and entry.no_battle else []
        if said:
            apart = name if alone or name in ("sandbags", "hill") else ""
            yield name, (cover, entry.hampers, entry.infantry_only, apart, ", ".join(said))


def _effects_on_own(battle: Battle, scene: Scene) -> Iterator[tuple[str, _Effect]]:
    """Yield the kinds of ground that matter in the attacker's own hex, each with its effects."""
    book = battle.book
    target = battle.units.get(scene.target)
    all_dice = book.settings.minus_defender == "all_dice"
    defends = book.defends and target is not None and "defended" not in target.marks
    if target is not None and _nearest(scene) > reach_of(battle, target):
        defends = False
    sheltered = defends and book.settings.defence_terrain == "dice"
    for name, entry in book.file.terrain.items():
        guns = target is not None and not target.profile.storms and entry.cover_guns is not None
        cover = (entry.cover_guns if guns and entry.cover_guns is not None else entry.cover) if sheltered else 0
        said = [f"defence -{amount(cover, 'die', 'dice')}"] if cover else []
        hampers = entry.hampers and all_dice
        said += ["-1 die"] if hampers else []
        shelters = sheltered and entry.infantry_only
        said += ["no defence, except by guns or foot in the next hex"] if shelters else []
        level = name == "hill" and book.settings.hill_vs_hill == "none"
        said += ["level with an enemy on a hill"] if level else []
        if said:
            apart = name if level or book.settings.terrain_stack == "sum" else ""
            yield name, (cover, hampers, shelters, apart, ", ".join(said))


_REACTION: tuple[str, str] = ("reaction", "other")
"""Stands for a reaction other than the usual one, among the kinds of ground that matter."""
_UNSEEN_GUN: tuple[str, str] = (OWN, "over friends")
"""Stands for a gun that its target does not see, because it fires over friends (AFR-159)."""


def _circumstances(battle: Battle, scene: Scene) -> Choices:
    """Return the ground of the two hexes as far as it matters, and a target that does not simply stand."""
    reacts = f"{named(scene, scene.target)} retreats before the dice, or decides after them"
    rides_on = battle.units[scene.actor].profile.arm == "mounted" and "guided" not in battle.units[scene.actor].marks
    found = _grounds(battle, scene, rides_on=rides_on)
    if _may_be_unseen(battle, scene):
        found[_UNSEEN_GUN] = (
            f"{named(scene, scene.actor)} fires from a hill over friends, and {named(scene, scene.target)} does not see "
            "it (no defence)"
        )
    if _may_react(battle, scene):
        found[_REACTION] = reacts
    return found


def _nearest(scene: Scene) -> int:
    """Return the hexes to the target, from the nearest section that fires; 1 if people have not said it."""
    return min((hexes for _, hexes in scene.answers.get("sections", ())), default=scene.answers.get("hexes") or 1)


def _may_be_unseen(battle: Battle, scene: Scene) -> bool:
    """Return True if the attacker is a gun, and the target could defend itself if it saw the gun (AFR-159, AFR-208)."""
    target, hexes = battle.units.get(scene.target), _nearest(scene)
    if target is None or not battle.book.counts_as_gun(battle.units[scene.actor].profile):
        return False
    is_near = 2 <= hexes <= reach_of(battle, target)
    return battle.book.defends and "defended" not in target.marks and is_near


def _grounds_of_target(battle: Battle, scene: Scene) -> Choices:
    return {key: words for key, words in _grounds(battle, scene).items() if key[0] == TARGET}


_FIGHTS_ON = "fights on"
_ONCE_MORE = "once more"


def _second_battles(battle: Battle, scene: Scene) -> Choices:
    return {_ONCE_MORE: f"fight {named(scene, scene.target)} once more", STAY: "stay"}


def _fight_on(battle: Battle, scene: Scene, question: Choose) -> Answer | None:
    """Fight the unit that was driven off once more, or stay (AFR-255); None if people have not said which."""
    wanted = scene.answers.get(_FIGHTS_ON)
    return None if wanted is None else STAY if wanted == STAY else question.options[0]


def _rides_on(battle: Battle, scene: Scene) -> bool:
    return scene.answers.get(_FIGHTS_ON) == _ONCE_MORE


def _may_fight_on(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    """Return True if mounted troops have broken through and are next to the unit that they drove off (AFR-255)."""
    unit, other = battle.units[scene.actor], battle.units.get(scene.target)
    broken_through = any(event.kind == "breakthrough" for event in events)
    if not broken_through or other is None or other.hex == OFF or unit.hex == OFF or "no_battle" in unit.marks:
        return False
    return unit.profile.arm == "mounted" and battle.field.distance[unit.hex][other.hex] == 1 and not battle.over


_REACTIONS: Choices = {
    USUAL: "stands; uses its defence dice if it has any, and saves or ignores flags",
    RETREATS: "retreats voluntarily before the dice",
    ASK: "stands, and decides about defence and flags after the dice",
}


def _reactions(battle: Battle, scene: Scene) -> Choices:
    return _REACTIONS if scene.target in battle.units else REACTIONS_ALONE


def _may_react(battle: Battle, scene: Scene) -> bool:
    return scene.target not in battle.fliers


def _reacts(battle: Battle, scene: Scene) -> bool:
    return _REACTION in scene["ground"]


def _has_ladder(battle: Battle, scene: Scene) -> bool:
    """Return True if a ladder stands against the structure in which the target is."""
    at = _hex_of_target(battle, scene)
    return scene.answers.get("hexes") == 1 and any(wall == at for wall, _ in battle.ladders)


def _of_two_types(battle: Battle, scene: Scene) -> bool:
    """Return True if the target shares its hex with a unit of another type (AFR-169)."""
    if scene.target not in battle.units:
        return False
    return len({other.profile.type for other in battle.units_in(_hex_of_target(battle, scene))}) > 1


def _units_with_target(battle: Battle, scene: Scene) -> Choices:
    return {unit.spec.id: unit.spec.name for unit in battle.units_in(_hex_of_target(battle, scene))}


def _lay_out_battle(battle: Battle, scene: Scene) -> None:
    """Set range, ground and the way back of the target as people see them."""
    field, unit = table_of(battle), battle.units[scene.actor]
    ways, hexes = (scene[IN_THE_WAY], scene[IN_THE_WAY_AGAIN]), _nearest(scene)
    side = battle.field.enemy(unit.spec.side)
    target = battle.units.get(scene.target)
    if target is not None and target.sections:
        begin_with_section(battle, target, scene["section"])
    homes = unit.hexes
    ground: dict[int, tuple[str, ...]] = {}
    if scene.target in battle.fliers:
        targets_at: tuple[int, ...] = ()
        row = field.middle_row
        battle.fliers[scene.target].hex = field.arena_hex(row)
    else:
        targets_at = hexes_of(piece_named(battle, scene.target))
        row, ground = lay_out_way_back(battle, scene.target, *ways)
    origin, cell = field.arena_hex(field.behind(side, row, -hexes)), field.arena_hex(row)
    if unit.sections:
        if len({section for section, _ in scene["sections"]}) < max(1, len(scene["sections"])):
            raise ZarebaError(f"name each section of {named(scene, scene.actor)} that fires once, with its range")
        put_sections(battle, places_of_sections(battle, cell, dict(scene["sections"]), unit.spec.side))
    else:
        put_stack(battle, unit.hex, origin)
    told = scene["ground"]
    kinds = {cell: [kind for whose, kind in told if whose == TARGET]}
    back = field.arena_hex(field.behind(side, row, 1))
    if scene["ground behind"]:
        kinds[back] = [kind for whose, kind in scene["ground behind"] if whose == TARGET]
    own = [place for place in told if place[0] == OWN and place != _UNSEEN_GUN]
    kinds[origin] = ["hill" if kind == HILLTOP else kind for _, kind in own]
    hilltops = [origin] if (OWN, HILLTOP) in told else [cell]  # without any, each hill would count as a hilltop
    battle.field = field.with_ground({**ground, **kinds}, hilltops=hilltops)
    if _UNSEEN_GUN in told:
        battle.field.sight_lines = Lazy(lambda pair: None if pair == (cell, origin) else ((), ()))
    if targets_at:
        carry_structures(battle, targets_at, piece_named(battle, scene.target))
    carry_structures(battle, homes, unit)
    if scene["ladder"]:
        battle.ladders.append((cell, origin))


def _hex_of_target(battle: Battle, scene: Scene) -> int:
    """Return the hex of the target; of one that is spread over walls, that of the section that people name."""
    if scene.target in battle.fliers:
        return battle.fliers[scene.target].hex
    return scene.answers.get("section") or piece_named(battle, scene.target).hex


def _target(battle: Battle, scene: Scene) -> Target:
    """Return the target of an act as play names it."""
    if scene.target in battle.fliers:
        return ("parked", scene.target)
    unit = battle.units.get(scene.target)
    return ("hex", unit.hex) if unit is not None else ("commander", scene.target)


def _fight(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.units[scene.actor]
    target = choose_target(table, unit, [_legal_target(battle, scene)])
    if target == HOLD:
        spend_battle(battle, unit)
    elif fight(table, battle, unit, target):
        battle.waiting = [*battle.waiting, unit.spec.id]


def _fight_again(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.units[scene.actor]
    strike_off(battle, scene.actor)
    target = choose_target(table, unit, [_legal_target(battle, scene)])
    if target != HOLD:
        strike(table, battle, unit, target)
        unit.shots += 1


def _named_target(battle: Battle, scene: Scene, question: Choose) -> Any:
    """Return the target that people name. Raises ZarebaError if a house rule forbids it."""
    target = _target(battle, scene)
    if target not in question.options:
        raise ZarebaError(
            f"{named(scene, scene.actor)} cannot battle {named(scene, scene.target)}: a house rule forbids it"
        )
    return target


def _legal_target(battle: Battle, scene: Scene) -> Target:
    """Return the target if the rules allow it. Raises ZarebaError with the reason if they do not."""
    unit, target = battle.units[scene.actor], _target(battle, scene)
    if target in all_targets(battle, unit, second=unit.shots > 0):
        return target
    name, goal = unit.spec.name, named(scene, scene.target)
    cell = battle.fliers[scene.target].hex if scene.target in battle.fliers else piece_named(battle, scene.target).hex
    other = battle.units.get(scene.target)
    far = battle.field.distance[unit.hex][cell] > 1
    ground = battle.ground(cell)
    if ground.shelters(
        battle.field.distance[unit.hex][cell], walks=unit.profile.walks, gun=battle.book.counts_as_gun(unit.profile)
    ):
        why = "only guns, and foot from the next hex, attack into a depression (AFR-134)"
    elif dice_of(battle, unit, unit.hex, cell) <= 0:
        why = "no dice are left (AFR-182)"
    elif far and ("no_far" in unit.marks or battle.in_force("ev_sandstorm")):
        why = "an event forbids battles beyond the next hex (AFR-340)"
    elif far and other is not None and "engaged" in other.marks:
        why = f"{goal} was in close combat this turn (AFR-168)"
    else:
        why = "the rules do not allow it (AFR-162, AFR-164, AFR-320)"
    raise ZarebaError(f"{name} cannot battle {goal}: {why}")


def _hold_fire(table: Table, battle: Battle, scene: Scene) -> None:
    spend_battle(battle, battle.units[scene.actor])


_BATTLE_ASKS: tuple[Asked[Battle], ...] = (
    SECTION,
    Asked(
        "attacked",
        "The units in the hex of {target} are of two types: which one does the defender choose?",
        choices=_units_with_target,
        when=_of_two_types,
    ),
    Asked(
        "hexes",
        "How many hexes from {actor} to {target}?",
        choices=_hexes_to_target,
        when=_is_in_one_hex,
        unit="hexes",
        measured=_checked_range,
    ),
    Asked(
        "sections",
        "Which sections of {actor} fire at {target}, and from how many hexes?",
        default=(),
        choices=_firing_sections,
        when=_is_in_sections,
        many=True,
    ),
    Asked(
        "ground",
        "What matters? (none: both in the open, and {target} stands)",
        default=(),
        choices=_circumstances,
        many=True,
    ),
    Asked("reaction", "How does {target} react?", default=USUAL, choices=_reactions, when=_reacts),
    Asked("ladder", "Does {actor} stand at the foot of a ladder there?", default=False, kind=bool, when=_has_ladder),
    WAY_BACK,
    Asked(
        _FIGHTS_ON,
        "Does {actor} fight once more?",
        choices=_second_battles,
        instead_of=frozenset({"fight on against"}),
    ),
    Asked(
        "ground behind",
        "Ground of {target} now, for the second battle? (none: open)",
        default=(),
        choices=_grounds_of_target,
        when=_rides_on,
        after=_may_fight_on,
        many=True,
    ),
    Asked(
        REACTION_AGAIN,
        "How does {target} react to the second battle?",
        default=USUAL,
        choices=lambda battle, scene: {key: _REACTIONS[key] for key in (USUAL, RETREATS)},
        instead_of=frozenset({"defender"}),
    ),
    WAY_BACK_AGAIN,
)


_SETTLED = {**BATTLE_SETTLED, "battle against": _named_target, "fight on against": _fight_on}


ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="battle",
        title="battle",
        rule="AFR-162",
        run=_fight,
        actors=_fighters,
        targets=_enemies,
        target_question="Which enemy should {actor} battle?",
        facts=DiceFacts,
        asks=_BATTLE_ASKS,
        lay_out=_lay_out_battle,
        preset_answers=_SETTLED,
        choice="battle against",
    ),
    CompanionAct(
        name="again",
        title="fire a second time",
        rule="AFR-165",
        run=_fight_again,
        actors=_fire_again,
        targets=_enemies_again,
        target_question="Which enemy should {actor} fire at a second time?",
        facts=DiceFacts,
        asks=_BATTLE_ASKS,
        lay_out=_lay_out_battle,
        preset_answers=_SETTLED,
        choice="battle against",
    ),
    CompanionAct(
        name="hold",
        title="give up its battle of this turn",
        rule="AFR-162",
        run=_hold_fire,
        actors=lambda battle: [unit.spec.id for unit in own_units(battle) if may_battle(battle, unit)],
    ),
)
