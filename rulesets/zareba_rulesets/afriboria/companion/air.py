"""Aircraft and airships at a real table."""

from __future__ import annotations

from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, join_with_or
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Choose, Table
from zareba_rulesets.afriboria.chapters.air import air_targets, fly
from zareba_rulesets.afriboria.chapters.combat import may_battle
from zareba_rulesets.afriboria.chapters.engagement import (
    Target,
    all_targets,
    fight,
    strike_from_air,
)
from zareba_rulesets.afriboria.chapters.exchange import DiceFacts
from zareba_rulesets.afriboria.companion.common import (
    BATTLE_SETTLED,
    IN_THE_WAY,
    REACTIONS_ALONE,
    SECTION,
    TARGET,
    USUAL,
    WAY_BACK,
    is_enemy,
    may_move,
    named,
    own_units,
    take,
)
from zareba_rulesets.afriboria.companion.real_table import (
    begin_with_section,
    carry_structures,
    hexes_of,
    lay_out_way_back,
    piece_named,
    put_stack,
    table_of,
)
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Flier, Unit


def _flying_enemies(battle: Battle, piece: str) -> list[str]:
    """Return the enemy fliers in the air."""
    side = (battle.units.get(piece) or battle.fliers[piece]).spec.side
    enemy = battle.field.enemy(side)
    return [flier.spec.id for flier in battle.fliers.values() if is_enemy(flier, enemy) and flier.airborne]


def _anti_aircraft(battle: Battle) -> list[str]:
    """Return the units that may fire at fliers (AFR-276)."""
    able = [unit for unit in own_units(battle) if battle.fliers and unit.profile.anti_air and may_battle(battle, unit)]
    return [unit.spec.id for unit in able if _flying_enemies(battle, unit.spec.id)]


def _ordered_fliers(battle: Battle) -> list[str]:
    return [name for name, flier in battle.fliers.items() if _is_own(battle, flier) and may_move(flier)]


def _is_own(battle: Battle, flier: Flier) -> bool:
    return flier.hex != OFF and flier.spec.side == battle.active


def _flying_fighters(battle: Battle) -> list[str]:
    """Return the fliers with an order that may attack: they have flown 2 hexes at most (AFR-265)."""
    return [
        name
        for name, flier in battle.fliers.items()
        if _is_own(battle, flier)
        and "ordered" in flier.marks
        and "acted" not in flier.marks
        and flier.airborne
        and flier.flown <= battle.book.file.air[flier.spec.kind].act  # type: ignore[index]  # aircraft or airship
        and not battle.in_force("ev_sandstorm")
    ]


def _targets_from_air(battle: Battle, name: str) -> list[str]:
    flier = battle.fliers[name]
    ground = [unit.spec.id for unit in battle.side_units(battle.field.enemy(flier.spec.side))]
    return [*ground, *(_flying_enemies(battle, name) if flier.spec.gun else [])]


def _hexes_in_air(battle: Battle, scene: Scene) -> Choices:
    """Return the ranges from a flier to its target (Table 7)."""
    flier = battle.fliers.get(scene.actor)
    if scene.target in battle.fliers:
        return {hexes: amount(hexes, "hex", "hexes") for hexes in range(len(battle.book.air_dice) + 1)}
    found: dict[Any, str] = {}
    if flier is not None and flier.bombs:
        found[0] = "0 hexes: a bomb on the hex beneath"
    if flier is None or flier.spec.gun:
        reach = len(battle.book.file.air_ground_dice.dice)
        found |= {hexes: amount(hexes, "hex", "hexes") for hexes in range(1, reach + 1)}
    return found


def _checked_air_range(battle: Battle, scene: Scene, hexes: float) -> int:
    """Return a range in the air. Raises ZarebaError for one that no attack can have."""
    known = _hexes_in_air(battle, scene)
    if hexes not in known:
        raise ZarebaError(
            f"{named(scene, scene.actor)} attacks at {join_with_or(map(str, known))} hexes (AFR-269, AFR-272)"
        )
    return int(hexes)


def _is_on_ground(battle: Battle, scene: Scene) -> bool:
    return scene.target in battle.units


def _grounds_from_air(battle: Battle, scene: Scene) -> Choices:
    """Return the ground of the target that takes dice from an attack from the air."""
    found: dict[Any, str] = {}
    for name, entry in battle.book.file.terrain.items():
        cover = entry.cover if entry.cover_guns is None else entry.cover_guns
        if cover or name == "sandbags":
            found[TARGET, name] = f"{entry.title} (-{amount(cover, 'die', 'dice')})"
    return found


def _flights(battle: Battle, scene: Scene) -> Choices:
    """Return what an ordered flier may do (AFR-264, AFR-265, AFR-282, AFR-286)."""
    flier = battle.fliers[scene.actor]
    entry = battle.book.file.air[flier.spec.kind]  # type: ignore[index]  # aircraft or airship
    near = range(entry.act + 1) if "passive" not in flier.marks else range(1)
    if not flier.airborne:
        return {("take off", hexes): f"take off and fly {amount(hexes, 'hex', 'hexes')}" for hexes in near}
    found: dict[Any, str] = {
        ("fly", hexes): f"fly {amount(hexes, 'hex', 'hexes')}" + ("" if hexes in near else ": no attack")
        for hexes in range(1, entry.fly + 1)
    }
    return found | {("land", hexes): f"fly {amount(hexes, 'hex', 'hexes')} and land" for hexes in near}


def _air_reactions(battle: Battle, scene: Scene) -> Choices:
    """Return the reactions to an attack from the air, against which there is no defence (AFR-281)."""
    return REACTIONS_ALONE


def _lay_out_air_attack(battle: Battle, scene: Scene) -> None:
    """Put a flier, or a gun that fires at one, at its distance from its target, with the ground of the target."""
    field, hexes = table_of(battle), scene["hexes"] or 0
    row = field.middle_row
    ground: dict[int, tuple[str, ...]] = {}
    if scene.target in battle.fliers:
        battle.fliers[scene.target].hex = field.arena_hex(row)
    else:
        piece = piece_named(battle, scene.target)
        if isinstance(piece, Unit) and piece.sections:
            begin_with_section(battle, piece, scene["section"])
        homes = hexes_of(piece)
        row, ground = lay_out_way_back(battle, scene.target, scene[IN_THE_WAY])
        ground[field.arena_hex(row)] = tuple([kind for _, kind in scene["ground"]])
    side = (battle.fliers.get(scene.actor) or battle.units[scene.actor]).spec.side
    origin = field.arena_hex(field.behind(battle.field.enemy(side), row, -hexes))
    if scene.actor in battle.fliers:
        battle.fliers[scene.actor].hex = origin
    else:
        put_stack(battle, battle.units[scene.actor].hex, origin)
    battle.field = field.with_ground(ground)
    if scene.target in battle.units:
        carry_structures(battle, homes, battle.units[scene.target])


def _lay_out_flight(battle: Battle, scene: Scene) -> None:
    """Put a flier into the arena, with its base where it takes off or lands: people see if that is allowed
    (AFR-260).
    """
    field, flier = table_of(battle), battle.fliers[scene.actor]
    _, hexes = scene["flight"]
    flier.hex = field.arena_hex(field.middle_row)
    battle.field = field.with_ground()
    battle.field.bases = {flier.spec.side: (flier.hex, field.arena_hex(field.middle_row + hexes))}


def _fly(table: Table, battle: Battle, scene: Scene) -> None:
    fly(table, battle, battle.fliers[scene.actor])


def _attack_from_air(table: Table, battle: Battle, scene: Scene) -> None:
    flier = battle.fliers[scene.actor]
    unit = battle.units.get(scene.target)
    kind = "bomb" if not scene["hexes"] else "hex"
    target: Target = ("flier", scene.target) if unit is None else (kind, unit.hex)
    if target not in air_targets(battle, flier):
        raise ZarebaError(
            f"{flier.spec.name} cannot attack {named(scene, scene.target)} there (AFR-168, AFR-269, AFR-295)"
        )
    strike_from_air(table, battle, flier, target)


def _fire_at_flier(table: Table, battle: Battle, scene: Scene) -> None:
    unit, target = battle.units[scene.actor], ("flier", scene.target)
    if target not in all_targets(battle, unit):
        raise ZarebaError(f"{unit.spec.name} cannot fire at {named(scene, scene.target)} at that range (AFR-276)")
    fight(table, battle, unit, target)


def _take_flight(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Take the flight that people tell: straight on, into the middle column of the arena."""
    verb, hexes = scene["flight"]
    goal = table_of(battle).arena_hex(table_of(battle).middle_row + hexes)
    if (verb, goal) not in question.options:
        raise ZarebaError(f"{named(scene, scene.actor)} cannot {verb} now (AFR-260, AFR-263, AFR-283)")
    return verb, goal


ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="fly",
        title="fly",
        rule="AFR-265",
        run=_fly,
        actors=_ordered_fliers,
        asks=(Asked("flight", "What does {actor} do?", choices=_flights),),
        lay_out=_lay_out_flight,
        preset_answers={"fly": _take_flight},
    ),
    CompanionAct(
        name="from_air",
        title="attack from the air",
        rule="AFR-269",
        run=_attack_from_air,
        actors=_flying_fighters,
        targets=_targets_from_air,
        target_question="Which enemy should {actor} attack from the air?",
        facts=DiceFacts,
        asks=(
            SECTION,
            Asked(
                "hexes",
                "How many hexes from {actor} to {target}?",
                choices=_hexes_in_air,
                unit="hexes",
                measured=_checked_air_range,
            ),
            Asked(
                "ground",
                "Ground of {target}? (none: open)",
                default=(),
                choices=_grounds_from_air,
                when=_is_on_ground,
                many=True,
            ),
            Asked("reaction", "How does {target} react?", default=USUAL, choices=_air_reactions, when=_is_on_ground),
            WAY_BACK,
        ),
        lay_out=_lay_out_air_attack,
        preset_answers=BATTLE_SETTLED | {"which unit is attacked": take(lambda battle, scene: scene.target)},
    ),
    CompanionAct(
        name="anti_air",
        title="fire at an aircraft or airship",
        rule="AFR-276",
        run=_fire_at_flier,
        actors=_anti_aircraft,
        targets=_flying_enemies,
        target_question="Which enemy aircraft or airship should {actor} fire at?",
        facts=DiceFacts,
        asks=(
            Asked(
                "hexes",
                "How many hexes from {actor} to {target}?",
                choices=_hexes_in_air,
                unit="hexes",
                measured=_checked_air_range,
            ),
        ),
        lay_out=_lay_out_air_attack,
    ),
)
