"""Fire at a real table: volleys, guns and rockets."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, CompanionAct, Scene, first
from zareba.space.lazy import Lazy
from zareba.table import Event, Table
from zareba_rulesets.vcc.chapters.casualties import resolve_checks
from zareba_rulesets.vcc.chapters.fire import FireFacts, could_fire, fire_rocket, may_pivot, targets
from zareba_rulesets.vcc.chapters.morale import check_morale, must_check_after_fire
from zareba_rulesets.vcc.chapters.sight import range_key_of
from zareba_rulesets.vcc.companion.common import COVER, done, is_apart, on_table, take
from zareba_rulesets.vcc.companion.real_table import plain_of
from zareba_rulesets.vcc.forces import Battle
from zareba_rulesets.vcc.sequence import shoot


def _firers(battle: Battle) -> list[str]:
    return [
        u.id for u in on_table(battle) if u.spec.weapon != "rocket" and could_fire(battle, u) and targets(battle, u)
    ]


def _rockets(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle) if unit.spec.weapon == "rocket" and could_fire(battle, unit)]


def _targets(battle: Battle, firer: str) -> list[str]:
    return [unit.id for unit in targets(battle, battle.unit(firer))]


def _bands(battle: Battle, scene: Scene) -> Choices:
    """Return the range bands of the firer's weapon, each with its reach in boxes."""
    range_key = range_key_of(battle, battle.unit(scene.actor))
    limits = battle.book.bands[range_key] if isinstance(range_key, str) else range_key
    return {band: f"{band} (up to {amount(limit, 'box', 'boxes')})" for band, limit in limits}


def _band_at(battle: Battle, scene: Scene, boxes: float) -> str:
    """Return the range band at so many boxes (VCC-081). Raises ZarebaError beyond the reach of the weapon."""
    unit = battle.unit(scene.actor)
    range_key = range_key_of(battle, unit)
    limits = battle.book.bands[range_key] if isinstance(range_key, str) else range_key
    found = next((band for band, limit in limits if boxes <= limit), None)
    if found is None:
        raise ZarebaError(f"{unit.spec.name} reaches {amount(limits[-1][1], 'box', 'boxes')}, not {boxes:g} (VCC-081)")
    return str(found)


def _may_pivot(battle: Battle, scene: Scene) -> bool:
    return may_pivot(battle, battle.unit(scene.actor)) and is_apart(battle, scene)


def _flank_fire_counts(battle: Battle, scene: Scene) -> bool:
    target = battle.unit(scene.target)
    has_flank = target.spec.troop != "wagon" and "square" not in target.marks
    return battle.book.settings.flanked_by == "melee_and_fire" and has_flank and is_apart(battle, scene)


def _everyone_there(battle: Battle, scene: Scene) -> Choices:
    return {unit.id: unit.spec.name for unit in on_table(battle)}


def _has_landed(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return any(event.kind == "rocket" and event.data["landing"] is not None for event in events)


def _lay_out_shot(battle: Battle, scene: Scene) -> None:
    """Set range, cover and facings of a shot as people see them."""
    firer, target = battle.unit(scene.actor), battle.unit(scene.target)
    field = plain_of(battle).with_changes()
    if is_apart(battle, scene):
        band, cover = scene["band"], scene["cover"]
        field.range_bands = Lazy(lambda _: band)
        field.cover = Lazy(lambda _: cover)

    def in_arc(key: tuple[int, int, int]) -> bool:
        facing, box, _ = key
        if box == firer.box and scene["pivots"]:
            return facing != firer.facing
        return not (box == target.box and scene["flank"])

    field.front_arcs = Lazy(in_arc)
    battle.field = field


def _fire(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, scene.actor)
    shoot(table, battle, battle.unit(scene.actor))


def _check_leader_of_target(table: Table, battle: Battle, scene: Scene) -> None:
    battle.checks = [check for check in battle.checks if check.unit == scene.target]
    resolve_checks(table, battle, "fire")


def _check_morale_of_target(table: Table, battle: Battle, scene: Scene) -> None:
    target = battle.unit(scene.target)
    if must_check_after_fire(battle, target):
        check_morale(table, battle, target)


def _fire_rocket(table: Table, battle: Battle, scene: Scene) -> None:
    """Fire a rocket well away from all units; people say which ones stand where it lands (VCC-098 to VCC-102)."""
    done(battle, scene.actor)
    unit, field = battle.unit(scene.actor), plain_of(battle)
    drift = battle.book.file.rocket.drift_distance.die
    aim = (field.middle + drift + 2) * field.grid.columns + field.grid.columns // 2
    battle.move(unit, aim - (drift + 1) * field.grid.columns)
    fire_rocket(table, battle, unit, aim)
    for struck in scene["struck"]:
        battle.unit(struck).mark("rocketed")


FIRE_ACT: CompanionAct[Battle] = CompanionAct(
    name="fire",
    title="fire",
    rule="VCC-074",
    run=_fire,
    actors=_firers,
    targets=_targets,
    target_question="Which enemy should {actor} fire at?",
    facts=FireFacts,
    asks=(
        Asked(
            "band",
            "How many boxes from {actor} to {target}?",
            choices=_bands,
            when=is_apart,
            unit="boxes",
            measured=_band_at,
        ),
        COVER,
        Asked("pivots", "Must {actor} turn to face the target first?", default=False, kind=bool, when=_may_pivot),
        Asked(
            "flank",
            "Does the shot come from the flank of {target}?",
            default=False,
            kind=bool,
            when=_flank_fire_counts,
        ),
    ),
    lay_out=_lay_out_shot,
    preset_answers={"fire at": take(lambda scene: scene.target), "pivot to": first},
    choice="fire at",
    consequences=(_check_leader_of_target, _check_morale_of_target),
)


ROCKET_ACT: CompanionAct[Battle] = CompanionAct(
    name="rocket",
    title="fire a rocket",
    rule="VCC-098",
    run=_fire_rocket,
    actors=_rockets,
    has_odds=False,
    asks=(
        Asked(
            "struck",
            "Which units are in the box where the rocket lands?",
            default=(),
            choices=_everyone_there,
            many=True,
            after=_has_landed,
        ),
    ),
)
