"""Odds of machine guns (FBN-229 to FBN-232)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from zareba.base.state import facts
from zareba.odds import Formula, SmallBattle, after_step, count_outcomes, outcomes_of, refuse
from zareba.rules import Rules
from zareba_rulesets.fixed_baynet.book.numbers import BANDS, FbnBook
from zareba_rulesets.fixed_baynet.chapters.fire.fire import Defence, ShotFacts, Skill
from zareba_rulesets.fixed_baynet.chapters.guns.machine_guns import roll_for_jam
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.odds.fire import LOSSES, Men, losses, shot_by_shot, target_of
from zareba_rulesets.fixed_baynet.odds.stage import PROCEDURES, bare_battle, battery, does, passive, sheltered

__all__ = ["MachineGunFacts"]


@facts
class MachineGunFacts(ShotFacts):
    """Salvos of a machine gun in one turn at a unit of `men`.

    `jam_die`: the jam die is rolled before the first salvo (FBN-232). `leader`: the first man is a leader, who is the
    target until a hit location takes him down (FBN-125).
    """

    ds: Defence = 4
    cs: Skill = -1
    salvos: Annotated[int, Field(ge=1, le=3)] = 3
    men: Men = 20
    jam_die: bool = True
    leader: bool = False


def _refuse(rules: Rules, facts: MachineGunFacts) -> float:
    """Return the range of a salvo. Raises ZarebaError for a salvo that is not possible."""
    book = FbnBook(rules)
    limit = book.gun_bands["machine_gun"][BANDS.index(facts.band)]
    refuse(
        facts.saddle or facts.sniper,
        "a crew fires a machine gun, not a rider or sniper: saddle, sniper (FBN-229)",
    )
    refuse(
        facts.dark and limit > book.file.night.inches,
        f"too far to see at night: dark with band={facts.band} (FBN-235)",
    )
    return limit


def _salvo_by_shots(rules: Rules, facts: MachineGunFacts) -> dict[tuple[bool, int], Fraction]:
    """Return the exact outcome of a turn's salvos: jammed or not, and men down (FBN-229, FBN-232)."""
    _refuse(rules, facts)
    first = facts.jam_die and rules.settings["jam_roll"] == "before_first_salvo"
    jam = SmallBattle(bare_battle(rules), [lambda table, *_: first and roll_for_jam(table, "gun")])
    lost = shot_by_shot(rules, facts, facts.salvos * FbnBook(rules).file.salvo.shots, facts.leader)

    def fire(jammed: bool) -> dict[tuple[bool, int], Fraction]:
        return outcomes_of(lost, lambda losses_by_fire: (jammed, 0 if jammed else losses_by_fire.down))

    return after_step(count_outcomes(rules, jam), lambda jammed: fire(jammed).items())


@PROCEDURES.of("FBN-229", closed=Formula(_salvo_by_shots, LOSSES | {"machine_gun.salvo"}), jammed=bool, down=int)
def machine_gun(rules: Rules, facts: MachineGunFacts) -> SmallBattle:
    """Machine-gun salvos, with the jam die."""
    limit = _refuse(rules, facts)
    gun = battery("machine_gun", facts.cs, FbnBook(rules))
    gun.guns[0].jam = "" if facts.jam_die else "clear"
    target = target_of(facts, facts.men, limit, leaders=int(facts.leader))
    battle = bare_battle(rules, [gun, target], sheltered(rules, (100.0, 10.0 + limit), facts.cv))
    battle.book.settings = battle.book.settings.but(figures_block_los=False)
    battle.night = facts.dark

    def outcome(battle: Battle, _: None) -> tuple[bool, int]:
        return battle.units["battery"].guns[0].jam == "jammed", losses(battle).down

    return SmallBattle(battle, [does("battery", ("salvo", 0, "target"))] * facts.salvos, outcome, answer=passive)
