"""The value of charges: the bases that both sides lose in the melee."""

from __future__ import annotations

from zareba.plugins.ruleset import Evaluation
from zareba_rulesets.vcc.book.tables import Cover
from zareba_rulesets.vcc.chapters.melee import MeleeFacts
from zareba_rulesets.vcc.evaluation.side_view import BASE, STEP, bases_lost
from zareba_rulesets.vcc.forces.battle import Battle, Unit

__all__ = ["charge_worth"]


def charge_worth(battle: Battle, unit: Unit, enemy: Unit) -> Evaluation:
    """Return the expected exchange: the enemy's volley on the way in, morale, then melee both ways (VCC-094, VCC-134)."""
    field, per_base, modifier = battle.field, battle.book.settings.hits_per_base, battle.book.modifier
    flank = enemy.spec.troop != "wagon" and "square" not in enemy.marks and unit.box != enemy.box
    flank = flank and not field.front[enemy.facing, enemy.box, unit.box]
    volley = 0.0
    shoots = enemy.spec.weapon in ("musket", "rifle") and enemy.spec.fire_die and not enemy.mounted
    if shoots and "broken" not in enemy.marks:
        close, prone = modifier("fire_dice", "close", 1.0), modifier("fire_dice", "prone", 1.0)
        volley = enemy.strength * close * (enemy.spec.fire_die + 1) / 2 / per_base
        volley *= prone if "prone" in enemy.marks else 1.0
    strength_left = max(0.0, unit.strength - volley)
    faces, quality = battle.book.file.morale_die.faces, unit.spec.quality
    bonus = modifier("morale", quality, 0.0) if quality in ("elite", "raw") else 0.0
    pass_chance = min(1.0, max(0.0, (strength_left + bonus) / faces))
    own_hits = _mean_hits(
        battle,
        unit,
        strength_left,
        charging=True,
        flank=flank,
        enemy=enemy,
        uphill=field.level[unit.box] < field.level[enemy.box],
        cover=field.cover[unit.box, enemy.box],
    )
    enemy_hits = _mean_hits(
        battle, enemy, float(enemy.strength), charging=False, flank=False, enemy=unit, uphill=False, cover="none"
    )
    inflicts = min(own_hits / per_base, enemy.strength) * pass_chance
    suffers = min(volley + enemy_hits / per_base * pass_chance, unit.strength)
    flank_modifier = modifier("morale", "flanked", 0.0)
    fail_chance = 1 - min(1.0, max(0.0, (enemy.strength - inflicts + flank_modifier * flank) / faces))

    def reason() -> str:
        price = "more" if suffers > inflicts + 0.2 else "less" if suffers < inflicts - 0.2 else "about as much"
        return f"the charge would cost the enemy {bases_lost(inflicts)}, and this unit {price}"

    return Evaluation(
        inflicts=inflicts * BASE + 0.5 * fail_chance * pass_chance,
        suffers=suffers * BASE * 0.8,
        ground=STEP,
        reason=reason,
    )


def _mean_hits(
    battle: Battle, unit: Unit, strength: float, *, charging: bool, flank: bool, enemy: Unit, uphill: bool, cover: Cover
) -> float:
    """Return the mean hits of a melee roll."""
    situation = MeleeFacts(
        bases=round(strength),
        quality=unit.spec.quality,
        charging=charging,
        flank=flank,
        lancers=unit.spec.lancers and unit.mounted,
        enemy_broken="broken" in enemy.marks,
        mounted=unit.mounted,
        enemy_dervish_foot=enemy.dervish_foot,
        broken="broken" in unit.marks,
        uphill=uphill,
        cover=cover,
    )
    dice: int = battle.book.rules.tally("melee_dice", situation, battle, unit, enemy).total
    return dice * (unit.spec.melee_die + 1) / 2 if strength > 0 else 0.0
