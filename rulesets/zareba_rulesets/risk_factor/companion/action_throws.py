"""Companion acts of the Action throws: Risk Factors from what units see, and who attacks (RSK-127, RSK-138)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.action_moves import (
    action_this_turn,
)
from zareba_rulesets.risk_factor.chapters.action_throws import (
    RiskFacts,
    UnitSnapshot,
    action_throws,
    risk_facts,
    surroundings,
    throwing_units,
    update_works_mark,
)
from zareba_rulesets.risk_factor.chapters.charge import TOUCH
from zareba_rulesets.risk_factor.chapters.victory import check_after_throws
from zareba_rulesets.risk_factor.companion.book import (
    ATTACK,
    IN_COVER,
    groups_of_leaders,
    no_actors,
    place_all,
    reach_of,
    set_positions,
    table_of,
    unit_choices,
)
from zareba_rulesets.risk_factor.forces import (
    BACKWARD,
    Battle,
    Unit,
    action_table,
)

_LASTING = ("no_enemy", IN_COVER, "works", "in_range", "hero", "superior", "platoons")
"""Facts that stay as they are for units that do not move, as a rule."""


def _throwers(battle: Battle, but: Collection[str] = ()) -> list[Unit]:
    return [unit for unit in throwing_units(battle, battle.side) if unit.id not in but]


def _all_throwers(battle: Battle, scene: Scene) -> Choices:
    return unit_choices(battle, _throwers(battle))


def _see_friends(battle: Battle, scene: Scene) -> Choices:
    """Return the units that see no enemy, if any friends go back (RSK-114)."""
    return {name: word for name, word in _near_friends(battle, scene).items() if name in scene["no_enemy"]}


def _seers(battle: Battle, scene: Scene) -> Choices:
    """Return the units that see an enemy."""
    return unit_choices(battle, _throwers(battle, scene["no_enemy"]))


def _covered(battle: Battle, scene: Scene) -> Choices:
    """Return the units in cover that may stand in works."""
    covered = [unit for unit in _throwers(battle) if unit.id in scene["in_cover"]]
    return unit_choices(battle, [unit for unit in covered if "charger" not in unit.marks])


def _in_enemy_range(battle: Battle, scene: Scene) -> Choices:
    """Return the units that see an enemy, if weapons could reach them (RSK-118)."""
    own = battle.book.settings.rf_in_range_of == "own_weapon"
    enemies = any(reach_of(battle, enemy) for enemy in battle.against(battle.side))
    seers = _throwers(battle, scene["no_enemy"])
    return unit_choices(battle, [unit for unit in seers if (reach_of(battle, unit) if own else enemies)])


def _raw(battle: Battle, scene: Scene) -> Choices:
    """Return raw units that are not in clear sight of an enemy in range (RSK-119)."""
    open_to = _in_enemy_range(battle, scene)
    raw = [unit for unit in _throwers(battle, scene["in_range"]) if unit.spec.troop_class == "raw"]
    return unit_choices(battle, [unit for unit in raw if unit.id in open_to])


def _near_friends(battle: Battle, scene: Scene) -> Choices:
    """Return the units that have friends who go back (RSK-122)."""
    back = [unit.id for unit in battle.groups(battle.side) if unit.status in BACKWARD]
    return unit_choices(battle, [unit for unit in _throwers(battle) if [name for name in back if name != unit.id]])


def _natives(battle: Battle, scene: Scene) -> Choices:
    """Return the natives, if the enemy has cavalry (RSK-123)."""
    cavalry = any(e.spec.cavalry and e.mounted and not e.spec.leader for e in battle.against(battle.side))
    return unit_choices(battle, [unit for unit in _throwers(battle) if unit.spec.native and cavalry])


def _near_hero(battle: Battle, scene: Scene) -> Choices:
    """Return the units that have no Hero by the book, if the side has one (RSK-115)."""
    heroes = [unit for unit in battle.of(battle.side) if unit.spec.troop_class == "hero"]
    around = surroundings(battle, battle.side)
    return unit_choices(battle, [u for u in _throwers(battle) if heroes and not risk_facts(battle, u, around).hero])


def _maybe_better(battle: Battle, scene: Scene) -> Choices:
    """Return the units that see an enemy, if superior quality depends on the enemies they see (RSK-016)."""
    relative = battle.book.settings.rf_superior == "relative"
    return unit_choices(battle, _throwers(battle, scene["no_enemy"]) if relative else [])


def _platoons(battle: Battle, scene: Scene) -> Choices:
    """Return the platoons whose squads may throw as one (RSK-147)."""
    squads: dict[str, list[Unit]] = {}
    for unit in battle.groups(battle.side):
        if unit.spec.platoon:
            squads.setdefault(unit.spec.platoon, []).append(unit)
    shared = battle.book.settings.actions_platoon_roll != "off"
    may = [
        label
        for label, units in squads.items()
        if shared and len(units) > 1 and not any("commanded" in u.marks or not u.spec.formed for u in units)
    ]
    return {label: scene.game.narrator.name_of(label) for label in may}


def _draw_up(battle: Battle, squads: Sequence[Unit], at: Point) -> None:
    """Bring the squads of a platoon together in a file from a point, each with its own leaders (RSK-147)."""
    (x, y), gap = at, battle.book.lengths["platoon"] - 2 * TOUCH
    with_them = [battle.leaders_with(unit) for unit in squads]
    for unit, leaders in zip(squads, with_them, strict=True):
        set_positions(unit, [(x, y)] * unit.count)
        for number, leader in enumerate(leaders):
            beside = unit.body.radius + leader.body.radius + 2.0  # with this group only
            set_positions(leader, [(x + beside, y + number / 100)])
        y -= gap + 2 * unit.body.radius


def _ranks(battle: Battle) -> list[tuple[Unit, Unit]]:
    """Return the leaders who keep a platoon together, each with his group, those who are no Heroes first."""
    able = [u for u in battle.of(battle.side) if u.spec.leader and not u.spec.musician and not u.spec.non_combatant]
    found = [(unit, host) for unit in able if (host := battle.host(unit)) is not None]
    return sorted(found, key=lambda pair: pair[0].spec.troop_class == "hero")


def _lay_out_throws(battle: Battle, scene: Scene) -> None:
    """Set what units see, their cover and works, and bring the squads of a platoon together."""
    place_all(battle, groups_of_leaders(battle), ())
    platoons = [[u for u in battle.groups(battle.side) if u.spec.platoon == label] for label in scene["platoons"]]
    led = [any(host is squad for _, host in _ranks(battle) for squad in squads) for squads in platoons]
    for squads, has_leader in zip(platoons, led, strict=True):
        if has_leader:
            _draw_up(battle, squads, squads[0].body.centre)
    for squads, has_leader in zip(platoons, led, strict=True):
        if not has_leader and (ranks := _ranks(battle)):
            leader, _ = ranks[0]
            (x, y), near = leader.body.at[0], battle.book.lengths["platoon"] - 2 * TOUCH
            _draw_up(battle, squads, (x + leader.body.radius + near + squads[0].body.radius, y))
    field = table_of(battle).new_plain()
    bodies = {unit.id: unit.body for unit in battle.of(battle.side)}
    field.blind = {bodies[name] for name in scene["no_enemy"]}
    field.cover = {bodies[name]: "soft" for name in scene["in_cover"]}
    in_works = [battle.units[name] for name in scene["works"]]
    with_them = [leader for unit in in_works if not unit.spec.leader for leader in battle.leaders_with(unit)]
    field.in_fieldworks = {unit.body for unit in (*in_works, *with_them)}
    battle.field = field


def _throw(table: Table, battle: Battle, scene: Scene) -> None:
    """Throw for the whole side on the Risk Factors that people and the book give (RSK-113, RSK-127)."""
    around, snapshots = surroundings(battle, battle.side), []
    for unit in battle.of(battle.side):
        update_works_mark(battle, unit)
    for unit in throwing_units(battle, battle.side):
        name, known = unit.id, risk_facts(battle, unit, around)
        told = {fact: name in scene[fact] for fact in ("in_cover", "in_range", "flank", "friends", "cavalry")}
        found = replace(
            known,
            nothing_in_view=name in scene["no_enemy"] and name not in scene["sees_friends"],
            hero=known.hero or name in scene["hero"],
            superior=name in scene["superior"] if battle.book.settings.rf_superior == "relative" else known.superior,
            raw_in_range=unit.spec.troop_class == "raw" and name in {*scene["in_range"], *scene["raw_in_range"]},
            **told,
        )
        risk = table.tally("risk_factor", found, unit).total
        back = unit.action in ("retreat", "rout")
        snapshots.append(UnitSnapshot(unit, found, risk, action_table(battle, unit), back))
    action_throws(table, battle, snapshots)
    check_after_throws(table, battle)
    field = table_of(battle)
    field.seen = {**field.seen, battle.side: {fact: tuple(scene[fact]) for fact in _LASTING}}
    battle.waiting = [ATTACK] if _advancing(battle) else []


def _advancing(battle: Battle) -> list[Unit]:
    """Return the close-combat troops that come on and attack if an enemy in sight is near enough (RSK-138)."""
    able = [
        u for u in throwing_units(battle, battle.side) if "free" not in u.marks and action_this_turn(u) == "advance"
    ]
    return [u for u in able if action_table(battle, u) == "melee" and not battle.enemies_in_contact(u)]


def _who_advances(battle: Battle, scene: Scene) -> Choices:
    return unit_choices(battle, _advancing(battle))


def _near_text(battle: Battle, scene: Scene) -> str:
    """The units that advance on an enemy in sight and near enough to attack."""
    return f"Which of these advance on an enemy in sight within {battle.book.lengths['advance_to_attack']:g} cm?"


def _friends_text(battle: Battle, scene: Scene) -> str:
    """Which have friends who go back close by?"""
    return f"Which have friends who go back within {battle.book.lengths['friends_back']:g} cm?"


def _cavalry_text(battle: Battle, scene: Scene) -> str:
    """Which are near enemy cavalry?"""
    return f"Which are within {battle.book.lengths['cavalry']:g} cm of enemy cavalry?"


def _hero_text(battle: Battle, scene: Scene) -> str:
    """Which others have a Hero close by?"""
    return f"Which others have a Hero within {battle.book.lengths['with_group']:g} cm?"


def _platoons_text(battle: Battle, scene: Scene) -> str:
    """Which platoons stand together, with a leader?"""
    cm = f"{battle.book.lengths['platoon']:g} cm"
    return f"Which platoons have squads no more than {cm} apart, and a leader within {cm}?"


def _attack(table: Table, battle: Battle, scene: Scene) -> None:
    """Turn the advance of units near the enemy into an attack (RSK-138)."""
    battle.waiting = []
    for name in scene["near"]:
        battle.units[name].result = "attack"
    table.emit("attackers", "RSK-138", units=[*scene["near"]])


def _seen_before(fact: str) -> Callable[[Battle, Scene], tuple[str, ...]]:
    """Return a function for what people said of a fact at the last throws, of the units that have not moved since."""

    def known(battle: Battle, scene: Scene) -> tuple[str, ...]:
        return table_of(battle).seen.get(battle.side, {}).get(fact, ())

    return known


MAKE_ACTION_THROWS: CompanionAct[Battle] = CompanionAct(
    name="throw",
    title="make the Action throws",
    rule="RSK-127",
    run=_throw,
    actors=no_actors,
    facts=RiskFacts,
    asks=(
        Asked(
            "no_enemy", "Which units see no enemy?", default=_seen_before("no_enemy"), choices=_all_throwers, many=True
        ),
        Asked(
            "sees_friends",
            "Which of these see friends who go back?",
            default=(),
            choices=_see_friends,
            many=True,
        ),
        Asked(
            "in_cover",
            "Which are wholly in cover from the nearest enemy?",
            default=_seen_before("in_cover"),
            choices=_all_throwers,
            many=True,
        ),
        Asked("works", "Which of these stand in works?", default=_seen_before("works"), choices=_covered, many=True),
        Asked(
            "in_range",
            "Which are in clear sight of an enemy whose weapons reach them?",
            default=_seen_before("in_range"),
            choices=_in_enemy_range,
            many=True,
        ),
        Asked(
            "raw_in_range",
            "Which are in reach of an enemy in sight who has no clear shot?",
            default=(),
            choices=_raw,
            many=True,
        ),
        Asked("flank", "Which have an enemy in sight on their flank or rear?", default=(), choices=_seers, many=True),
        Asked("friends", _friends_text, default=(), choices=_near_friends, many=True),
        Asked("cavalry", _cavalry_text, default=(), choices=_natives, many=True),
        Asked("hero", _hero_text, default=_seen_before("hero"), choices=_near_hero, many=True),
        Asked(
            "superior",
            "Which are of a better class than all enemies they see?",
            default=_seen_before("superior"),
            choices=_maybe_better,
            many=True,
        ),
        Asked(
            "platoons",
            _platoons_text,
            default=_seen_before("platoons"),
            choices=_platoons,
            many=True,
        ),
    ),
    lay_out=_lay_out_throws,
    has_odds=False,
    out_of_turn=False,
    roll_groups=(frozenset({"action"}), frozenset({"platoon action"})),
)


SEE_WHO_ATTACKS: CompanionAct[Battle] = CompanionAct(
    name="attack",
    title="see who attacks",
    rule="RSK-138",
    run=_attack,
    actors=no_actors,
    asks=(Asked("near", _near_text, default=(), choices=_who_advances, many=True),),
    out_of_turn=False,
)
