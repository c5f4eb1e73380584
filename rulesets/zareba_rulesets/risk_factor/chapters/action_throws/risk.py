"""The Risk Factor of a unit: a modifier breakdown over what the unit sees, suffers and does (RSK-113 to RSK-126)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from zareba.base.state import facts
from zareba.space.bearings import bearing_to, in_arc
from zareba.space.field.unit_index import IndexedSide
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.chapters.sight.aim import clearly_sees, sees_nearest_clearly
from zareba_rulesets.risk_factor.chapters.sight.sight import nearest_visible, sees, sees_somebody, visible_enemies
from zareba_rulesets.risk_factor.forces.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.forces.weapons import longest_reach
from zareba_rulesets.risk_factor.ground.sight_lines import nearest_in_sight

__all__ = [
    "RiskFacts",
    "Surroundings",
    "casualty_steps",
    "is_covered",
    "is_flanked",
    "platoon_facts",
    "risk_facts",
    "surroundings",
]


@facts
class RiskFacts:
    """The lines of Table R as facts. Lines that join two conditions with "or" are stored both separately and combined
    (`rf.or_lines`, RSK-117).
    """

    nothing_in_view: bool = False
    hero: bool = False
    superior: bool = False
    in_cover: bool = False
    advancing: bool = False
    in_range: bool = False
    raw_in_range: bool = False
    casualties: int = 0
    flank: bool = False
    friends: bool = False
    cavalry: bool = False
    routing: bool = False
    worse: bool = False

    @property
    def hero_or_superior(self) -> bool:
        return self.hero or self.superior

    @property
    def cover_or_advancing(self) -> bool:
        return self.in_cover or self.advancing

    @property
    def flank_or_friends(self) -> bool:
        return self.flank or self.friends

    @property
    def routing_or_worse(self) -> bool:
        return self.routing or self.worse

    @property
    def start(self) -> int:
        """The number that the modifiers are added to: 0 (RSK-125)."""
        return 0


def casualty_steps(lost: int, original: int, rounding: str) -> int:
    """Return the tenths of the original strength that are wounded or killed, rounded by the setting (RSK-120)."""
    if original <= 0:
        return 0
    if rounding == "up":
        return -(-10 * lost // original)
    return (20 * lost + original) // (2 * original) if rounding == "nearest" else 10 * lost // original


@dataclass(slots=True)
class Surroundings:
    """Facts that all units of a side share: its groups that fall back, its heroes, and the enemy cavalry.

    `armed` maps enemies with missiles to their longest range in cm. `enemies` are all enemies where they are now.
    """

    back: list[Unit]
    heroes: list[Unit]
    riders: list[Unit]
    armed: dict[str, int]
    enemies: IndexedSide


def surroundings(battle: Battle, side: str) -> Surroundings:
    """Collect the facts that all units of a side share, once for the whole side."""
    own, enemies = battle.of(side), battle.against(side)
    return Surroundings(
        back=[unit for unit in own if unit.status in BACKWARD and not unit.spec.leader],
        heroes=[unit for unit in own if unit.spec.troop_class == "hero"],
        riders=[enemy for enemy in enemies if enemy.spec.cavalry and enemy.mounted and not enemy.spec.leader],
        armed={enemy.spec.id: reach for enemy in enemies if (reach := longest_reach(battle, enemy))},
        enemies=battle.standing(battle.enemy(side)),
    )


def risk_facts(battle: Battle, unit: Unit, around: Surroundings | None = None) -> RiskFacts:
    """Return the Risk Factor facts of a unit now. The caller collects them for all units before any dice are thrown
    (RSK-043).
    """
    around = around or surroundings(battle, unit.spec.side)
    settings, lengths = battle.book.settings, battle.book.lengths
    hero = unit.spec.troop_class == "hero" or (
        bool(around.heroes) and bool(battle.within(unit, around.heroes, lengths["with_group"]))
    )
    back = [friend for friend in around.back if friend is not unit] if around.back else []
    alone = bool(unit.spec.leader) and settings.rf_lone_leader_casualties == "ignore"
    threatened, in_range = _under_fire(battle, unit, around)
    return RiskFacts(
        nothing_in_view=not sees_somebody(battle, unit, around.enemies)
        and not any(_has_in_view(battle, unit, friend) for friend in back),
        hero=hero,
        superior=_is_superior(battle, unit),
        in_cover=is_covered(battle, unit),
        advancing=unit.action in ("advance", "attack"),
        in_range=in_range,
        raw_in_range=unit.spec.troop_class == "raw" and threatened,
        casualties=0 if alone else casualty_steps(unit.casualties, unit.original, settings.rf_casualty_rounding),
        flank=is_flanked(battle, unit),
        friends=bool(back) and bool(battle.within(unit, back, lengths["friends_back"])),
        cavalry=unit.spec.native and _fears_cavalry(battle, unit, around.riders),
        routing=unit.status == "routing",
        worse=_worse_in_melee(unit, settings.rf_melee_window),
    )


def _has_in_view(battle: Battle, unit: Unit, friend: Unit) -> bool:
    """Return True if a unit has a friend in sight (RSK-114). Friends in cover are seen without a die (RSK-151)."""
    found = battle.field.views[unit.body, friend.body]
    return found.plain or found.deep < inf


def _under_fire(battle: Battle, unit: Unit, around: Surroundings) -> tuple[bool, bool]:
    """Return two flags: an enemy in sight has a weapon that reaches the unit, and such an enemy is in clear sight
    (RSK-118).

    One enemy in clear sight settles both, so the nearest are checked first. The slower check of all figures runs only
    if no enemy shows its nearest figure.
    """
    units, enemies = battle.units, around.enemies
    own_weapon = battle.book.settings.rf_in_range_of == "own_weapon"
    own = longest_reach(battle, unit) if own_weapon else 0
    hidden: list[Unit] = []
    for gap, k in sorted(zip(enemies.row(unit.body), range(len(enemies.names)), strict=True)):
        name = enemies.names[k]
        reach = own if own_weapon else around.armed.get(name, 0)
        if not reach or gap > reach:
            continue
        enemy = units[name]
        if not enemies.reaches(k, unit.body, reach) or not sees(battle, unit, enemy):
            continue
        if sees_nearest_clearly(battle, unit, enemy):
            return True, True
        hidden.append(enemy)
    return bool(hidden), any(clearly_sees(battle, unit, enemy) for enemy in hidden)


def _is_superior(battle: Battle, unit: Unit) -> bool:
    """Return True if the scenario flags the unit as superior, or with `rf.superior` set to relative, if its class is
    better than that of every enemy group in sight (RSK-016).
    """
    if battle.book.settings.rf_superior == "flag":
        return unit.spec.superior_quality
    order = battle.book.orders
    groups = [enemy for enemy in visible_enemies(battle, unit) if not enemy.spec.leader]
    return bool(groups) and all(order[unit.spec.troop_class] > order[enemy.spec.troop_class] for enemy in groups)


def is_covered(battle: Battle, unit: Unit) -> bool:
    """Return True if every figure has cover from the nearest visible enemy, or has any cover if no enemy is visible
    (RSK-116).
    """
    if not battle.field.sheltered[unit.body]:
        return False
    nearest = nearest_visible(battle, unit)
    looks_from: Point | None = nearest[0].body.at[nearest[1].other] if nearest is not None else None
    return battle.field.all_in_cover(unit.body, looks_from)


def is_flanked(battle: Battle, unit: Unit) -> bool:
    """Return True if the nearest visible figure of an enemy unit is outside the frontal arc of the group (RSK-122).

    If the whole circle round an enemy unit is inside or outside the arc, its nearest figure need not be found.
    """
    enemies = battle.standing(battle.enemy(unit.spec.side))
    arc, centre = battle.book.settings.rf_front_half_arc, unit.body.centre
    for name, body in zip(enemies.names, enemies.bodies, strict=True):
        inside = body.lies_in_arc(centre, unit.facing, arc)
        if inside is None:
            inside = in_arc(
                unit.facing, arc, bearing_to(centre, body.at[nearest_in_sight(battle.field, unit.body, body)])
            )
        if not inside and sees(battle, unit, battle.units[name]):
            return True
    return False


def _fears_cavalry(battle: Battle, unit: Unit, riders: list[Unit]) -> bool:
    """Return True if living enemy cavalry is within 50 cm. It must also be in sight with `rf.cavalry_needs_sight`
    (RSK-123).
    """
    near = battle.within(unit, riders, battle.book.lengths["cavalry"]) if riders else []
    if battle.book.settings.rf_cavalry_needs_sight:
        near = [enemy for enemy in near if sees(battle, unit, enemy)]
    return bool(near)


def _worse_in_melee(unit: Unit, window: str) -> bool:
    """Return True if a unit took more casualties in melee than it caused, since its last throw or in the last melee phase
    (RSK-124).
    """
    if window == "since_last_roll":
        return unit.lost > unit.caused
    return unit.round_lost > unit.round_caused


def platoon_facts(battle: Battle, squads: Sequence[Unit], each: Sequence[RiskFacts]) -> RiskFacts:
    """Return the facts of a platoon taken as one group (RSK-147). Some lines must apply to every squad; the other lines
    need one squad only.

    For a line that counts once, either of its conditions is enough for a squad (`rf.or_lines`, RSK-117).
    """
    rounding = battle.book.settings.rf_casualty_rounding
    once = battle.book.settings.rf_or_lines == "once"
    lost, original = sum(s.casualties for s in squads), sum(s.original for s in squads)
    return RiskFacts(
        nothing_in_view=all(found.nothing_in_view for found in each),
        hero=all(f.hero or (once and f.superior) for f in each) and any(f.hero for f in each),
        superior=all(f.superior or (once and f.hero) for f in each) and any(f.superior for f in each),
        in_cover=all(f.in_cover or (once and f.advancing) for f in each) and any(f.in_cover for f in each),
        advancing=all(f.advancing or (once and f.in_cover) for f in each) and any(f.advancing for f in each),
        in_range=any(found.in_range for found in each),
        raw_in_range=any(found.raw_in_range for found in each),
        casualties=casualty_steps(lost, original, rounding),
        flank=any(found.flank for found in each),
        friends=any(found.friends for found in each),
        cavalry=any(found.cavalry for found in each),
        routing=any(found.routing for found in each),
        worse=any(found.worse for found in each),
    )
