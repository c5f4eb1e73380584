"""Targets: which units may shoot, at what rate, and at which enemies (RSK-081 to RSK-097)."""

from __future__ import annotations

from zareba_rulesets.risk_factor.chapters.sight import sees, sees_any_other
from zareba_rulesets.risk_factor.forces import Battle, Unit, loading_of, missile_weapons, reach_of


def may_pick_figures(battle: Battle, unit: Unit) -> bool:
    """Return True for Player Characters, who shoot at the full rate and may pick any figure (RSK-087). Solo sides have
    none (RSK-044).
    """
    return battle.is_commander(unit) and not battle.is_solo(unit.spec.side)


def shoots_at_full_rate(unit: Unit) -> bool:
    """Return True if a unit shoots at the full rate: a commanded unit with volleys (RSK-067, RSK-068), or a linked
    leader.
    """
    if unit.spec.leader:
        return "linked" in unit.marks
    return "commanded" in unit.marks and (unit.spec.volley or bool(unit.spec.support))


def may_name_target(battle: Battle, unit: Unit) -> bool:
    """Return True if the owner names the target (RSK-086). Commanded troops without volleys do so only with
    `shooting.no_volley_scope` set to rate_only (RSK-067).
    """
    if battle.is_solo(unit.spec.side):
        return False
    if may_pick_figures(battle, unit) or shoots_at_full_rate(unit):
        return True
    return "commanded" in unit.marks and battle.book.settings.shooting_no_volley_scope == "rate_only"


def may_use(battle: Battle, unit: Unit, weapon: str) -> bool:
    """Return True if loading and movement allow a unit to use a weapon (RSK-088, RSK-089, RSK-090, RSK-091, RSK-092).

    The limits bind commanded troops and Player Characters, and all other troops with `shooting.uncommanded_loading`
    set to tracked (RSK-084). A muzzle-loader must be loaded and have moved at half speed at most. A breech-loader, bow
    or sling must have moved at half speed at most. Magazine and hurled weapons have no limit.
    """
    if unit.spec.support and "moved" in unit.marks:
        return False
    bound = may_pick_figures(battle, unit) or shoots_at_full_rate(unit)
    if not bound and battle.book.settings.shooting_uncommanded_loading == "free":
        return True
    loading = loading_of(battle, unit, weapon)
    if loading == "muzzle":
        return "loaded" in unit.marks and "far" not in unit.marks
    return loading != "breech" or "far" not in unit.marks


def may_shoot(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit may shoot. Routers may not (RSK-096), nor leaders who threw for command without declaring
    it (RSK-053).
    """
    if not unit.is_on_table or unit.status == "routing" or "fired_now" in unit.marks or _threw_undeclared(unit):
        return False
    return any(may_use(battle, unit, weapon) for weapon in missile_weapons(battle, unit))


def has_loaded(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit that did not fire spent its whole turn loading: without moving and out of contact
    (RSK-088).

    Units that killed prisoners do not load (RSK-159), nor do leaders who threw for command without declaring it
    (RSK-053).
    """
    if unit.marks & {"moved", "footing"} or unit.killers or battle.enemies_in_contact(unit) or _threw_undeclared(unit):
        return False
    return not any(unit.spec.id in names for names in battle.fights)


def _threw_undeclared(unit: Unit) -> bool:
    """Return True for a leader who threw with a group and is not busy."""
    return bool(unit.spec.leader) and "linked" in unit.marks and "busy" not in unit.marks


def ready_to_shoot(battle: Battle) -> list[str]:
    """Return the units of the active side that have an enemy within range: groups, and leaders with no group (RSK-039,
    RSK-087).

    Leaders in contact with an enemy do not shoot (RSK-094).
    """
    names = []
    enemies = battle.standing(battle.enemy(battle.side))
    for unit in battle.of(battle.side):
        if not may_shoot(battle, unit):
            continue
        if unit.spec.leader and not may_pick_figures(battle, unit) and battle.host(unit) is not None:
            continue
        if unit.spec.leader and battle.enemies_in_contact(unit) and not battle.book.settings.shooting_charge_throw:
            continue
        reach = max(reach_of(battle, unit, w) for w in missile_weapons(battle, unit) if may_use(battle, unit, w))
        if min(enemies.least_gaps(unit.body), default=reach + 1) <= reach:
            names.append(unit.spec.id)
    return names


def is_open_target(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if a target shows a unit any figure that may be aimed at because it is not in contact with an enemy
    (RSK-097).
    """
    if battle.book.settings.shooting_at_engaged == "allow":
        return True
    if any(may_hurl_at(battle, unit, target, weapon) for weapon in missile_weapons(battle, unit)):
        return True
    engaged = battle.figures_in_contact(target)
    return not engaged or (len(engaged) < target.count and sees_any_other(battle, unit, target, engaged))


def may_hurl_at(battle: Battle, unit: Unit, target: Unit, weapon: str) -> bool:
    """Return True if chargers may hurl a weapon at the unit they charged, whether or not it is in contact (RSK-094)."""
    if not battle.book.settings.shooting_charge_throw or loading_of(battle, unit, weapon) != "hurled":
        return False
    return any(
        enemy.spec.id == unit.spec.id and "charged" in enemy.marks for enemy in battle.enemies_in_contact(target)
    )


def nearest_target(battle: Battle, unit: Unit) -> Unit | None:
    """Return the nearest enemy unit in sight that may be shot at, measured from the unit's closest figure (RSK-085,
    RSK-148).

    A leader with a group is not a separate target, but one of the figures of the group that may be hit (RSK-105).
    """
    units, enemies = battle.units, battle.standing(battle.enemy(unit.spec.side))

    def is_target(k: int) -> bool:
        enemy = units[enemies.names[k]]
        return battle.is_a_unit(enemy) and is_open_target(battle, unit, enemy) and sees(battle, unit, enemy)

    nearest = enemies.nearest_that(unit.body, is_target)
    if nearest is None:
        return None
    index, _ = nearest
    return units[enemies.names[index]]


def possible_targets(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemy units in sight within range of a usable weapon.

    Only a Player Character can single out a leader who is with a group (RSK-087, RSK-104).
    """
    reach = max(
        [reach_of(battle, unit, w) for w in missile_weapons(battle, unit) if may_use(battle, unit, w)], default=0
    )
    near = battle.enemies_within(unit, reach)
    if not may_pick_figures(battle, unit):
        near = [enemy for enemy in near if battle.is_a_unit(enemy)]
    return [enemy for enemy in near if is_open_target(battle, unit, enemy) and sees(battle, unit, enemy)]
