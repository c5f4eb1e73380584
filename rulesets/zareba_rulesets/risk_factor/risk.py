"""The Risk Factor of a unit (RSK-113 to RSK-126): a tally over what it sees, suffers and does."""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, degrees, dist

from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.state import facts
from zareba_rulesets.risk_factor.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.body import bearing_to
from zareba_rulesets.risk_factor.sight import clearly_sees, sees, visible_enemies
from zareba_rulesets.risk_factor.weapons import longest_reach

__all__ = ["RiskFacts", "casualty_steps", "is_covered", "platoon_facts", "risk_facts"]


@facts
class RiskFacts:
    """Table R as facts. Lines of two conditions joined by "or" stand apart and together (`rf.or_lines`, RSK-117)."""

    nothing_in_view: bool = False
    hero: bool = False
    superior: bool = False
    hero_or_superior: bool = False
    in_cover: bool = False
    advancing: bool = False
    cover_or_advancing: bool = False
    in_range: bool = False
    raw_in_range: bool = False
    casualties: int = 0
    flank: bool = False
    friends: bool = False
    flank_or_friends: bool = False
    cavalry: bool = False
    routing: bool = False
    worse: bool = False
    routing_or_worse: bool = False
    start: int = 0


def joined(found: RiskFacts) -> RiskFacts:
    """The same facts with the lines that join two of them filled in."""
    return RiskFacts(
        found.nothing_in_view,
        found.hero,
        found.superior,
        found.hero or found.superior,
        found.in_cover,
        found.advancing,
        found.in_cover or found.advancing,
        found.in_range,
        found.raw_in_range,
        found.casualties,
        found.flank,
        found.friends,
        found.flank or found.friends,
        found.cavalry,
        found.routing,
        found.worse,
        found.routing or found.worse,
    )


def casualty_steps(lost: int, original: int, rounding: str) -> int:
    """Tenths of the original strength wounded or killed, rounded as set (RSK-120)."""
    if original <= 0:
        return 0
    if rounding == "up":
        return -(-10 * lost // original)
    return (20 * lost + original) // (2 * original) if rounding == "nearest" else 10 * lost // original


def risk_facts(battle: Battle, unit: Unit) -> RiskFacts:
    """What bears on a unit now; its caller takes them for all units before any dice are thrown (RSK-043)."""
    seen = visible_enemies(battle, unit)
    settings = battle.book.settings
    shooters = [(enemy, reach) for enemy in seen if (reach := _threat(battle, unit, enemy))]
    alone = bool(unit.spec.leader) and settings.rf_lone_leader_casualties == "ignore"
    return joined(
        RiskFacts(
            nothing_in_view=not seen and not _friends_back(battle, unit, None),
            hero=_hero_with(battle, unit),
            superior=_is_superior(battle, unit, seen),
            in_cover=is_covered(battle, unit, seen),
            advancing=unit.action in ("advance", "attack"),
            in_range=any(clearly_sees(battle, unit, enemy) for enemy, _ in shooters),
            raw_in_range=unit.spec.troop_class == "raw" and bool(shooters),
            casualties=0 if alone else casualty_steps(unit.casualties, unit.original, settings.rf_casualty_rounding),
            flank=_is_flanked(battle, unit, seen),
            friends=_friends_back(battle, unit, battle.book.lengths["friends_back"]),
            cavalry=unit.spec.native and _fears_cavalry(battle, unit),
            routing=unit.status == "routing",
            worse=_worse_in_melee(unit, settings.rf_melee_window),
        )
    )


def _threat(battle: Battle, unit: Unit, enemy: Unit) -> int:
    """The range of the weapons that count, if unit and enemy are that near (RSK-118); 0 if not."""
    reach = longest_reach(battle, enemy if battle.book.settings.rf_in_range_of == "enemy_weapon" else unit)
    if not reach or battle.field.circle_gap(unit.body, enemy.body) > reach:
        return 0
    return reach if battle.gap(unit, enemy).gap <= reach else 0


def _hero_with(battle: Battle, unit: Unit) -> bool:
    """A Hero within 5 cm of the unit, himself for a lone one (RSK-115)."""
    if unit.spec.troop_class == "hero":
        return True
    heroes = [u for u in battle.of(unit.spec.side) if u.spec.troop_class == "hero"]
    return bool(heroes) and bool(battle.within(unit, heroes, battle.book.lengths["with_group"]))


def _is_superior(battle: Battle, unit: Unit, seen: Sequence[Unit]) -> bool:
    """RSK-016: flagged by the scenario, or of a better class than every enemy group in sight."""
    if battle.book.settings.rf_superior == "flag":
        return unit.spec.superior_quality
    order = battle.book.orders
    groups = [enemy for enemy in seen if not enemy.spec.leader]
    return bool(groups) and all(order[unit.spec.troop_class] > order[enemy.spec.troop_class] for enemy in groups)


def is_covered(battle: Battle, unit: Unit, seen: Sequence[Unit]) -> bool:
    """RSK-116: every figure has cover from the nearest visible enemy, or any cover if none is visible."""
    if not battle.field.near_cover[unit.body]:
        return False
    nearest = battle.nearest(unit, list(seen))
    looks_from: Point | None = nearest[0].body.at[nearest[1].other] if nearest is not None else None
    return battle.field.all_in_cover(unit.body, looks_from)


def _is_flanked(battle: Battle, unit: Unit, seen: Sequence[Unit]) -> bool:
    """RSK-122: the nearest figure of an enemy in sight lies outside the frontal arc of the group."""
    arc, centre = battle.book.settings.rf_front_half_arc, unit.body.centre
    for enemy in seen:
        away = dist(centre, enemy.body.centre)
        off = angle_between(unit.facing, bearing_to(centre, enemy.body.centre))
        if away > enemy.body.reach:
            half = degrees(asin(enemy.body.reach / away))
            if off + half <= arc:
                continue
            if off - half > arc:
                return True
        figure = enemy.body.at[battle.gap(unit, enemy).other]
        if angle_between(unit.facing, bearing_to(centre, figure)) > arc + 1e-9:
            return True
    return False


def _friends_back(battle: Battle, unit: Unit, cm: float | None) -> bool:
    """Whether other groups of the side are retreating or routing, within `cm`, or anywhere in sight (None)."""
    friends = [g for g in battle.groups(unit.spec.side) if g is not unit and g.status in BACKWARD]
    if cm is None:
        return any(sees(battle, unit, friend) for friend in friends)
    return bool(friends) and bool(battle.within(unit, friends, cm))


def _fears_cavalry(battle: Battle, unit: Unit) -> bool:
    """RSK-123: living enemy cavalry within 50 cm, seen or not unless the setting says otherwise."""
    riders = [e for e in battle.against(unit.spec.side) if e.spec.cavalry and e.mounted]
    near = battle.within(unit, riders, battle.book.lengths["cavalry"]) if riders else []
    if battle.book.settings.rf_cavalry_needs_sight:
        near = [enemy for enemy in near if sees(battle, unit, enemy)]
    return bool(near)


def _worse_in_melee(unit: Unit, window: str) -> bool:
    """RSK-124: more casualties taken than caused in melee, since its last throw or in the last melee phase."""
    if window == "since_last_roll":
        return unit.lost > unit.caused
    return unit.round_lost > unit.round_caused


def platoon_facts(battle: Battle, squads: Sequence[Unit], each: Sequence[RiskFacts]) -> RiskFacts:
    """The facts of a platoon taken as one group (RSK-147): some lines must hold for every squad, the rest for one."""
    rounding = battle.book.settings.rf_casualty_rounding
    lost, original = sum(s.casualties for s in squads), sum(s.original for s in squads)
    return joined(
        RiskFacts(
            nothing_in_view=all(found.nothing_in_view for found in each),
            hero=all(found.hero or found.superior for found in each) and any(found.hero for found in each),
            superior=all(found.hero or found.superior for found in each) and any(found.superior for found in each),
            in_cover=all(found.in_cover or found.advancing for found in each) and any(f.in_cover for f in each),
            advancing=all(found.in_cover or found.advancing for found in each) and any(f.advancing for f in each),
            in_range=any(found.in_range for found in each),
            raw_in_range=any(found.raw_in_range for found in each),
            casualties=casualty_steps(lost, original, rounding),
            flank=any(found.flank for found in each),
            friends=any(found.friends for found in each),
            cavalry=any(found.cavalry for found in each),
            routing=any(found.routing for found in each),
            worse=any(found.worse for found in each),
        )
    )
