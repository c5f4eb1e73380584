"""The odds of machine guns (FBN-229 to FBN-232)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Closed, Procedure, Situation, counted
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.book import BANDS, FbnBook
from zareba_rulesets.fixed_baynet.fire import Defence, ShotFacts, Skill
from zareba_rulesets.fixed_baynet.machine_guns import jams
from zareba_rulesets.fixed_baynet.odds.fire import LOSSES, Men, losses, shot_by_shot, target_of
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, battery, does, passive, sheltered

__all__ = ["PROCEDURES", "MachineGunFacts"]


@facts
class MachineGunFacts(ShotFacts):
    """Salvos of a machine gun in one turn at a unit of `men`; `jam_die`: it is thrown before the first (FBN-232).

    `leader`: the first of them is a leader, aimed at until a location takes him down (FBN-125).
    """

    ds: Defence = 4
    cs: Skill = -1
    salvos: Annotated[int, Field(ge=1, le=3)] = 3
    men: Men = 20
    jam_die: bool = True
    leader: bool = False


@dataclass(frozen=True)
class MachineGunOutcome:
    jammed: bool
    down: int


def _machine_gun(rules: Rules, facts: MachineGunFacts) -> Situation:
    book = FbnBook(rules)
    limit = book.gun_bands["machine_gun"][BANDS.index(facts.band)]
    if facts.saddle or facts.sniper:
        raise ZarebaError("a crew fires a machine gun, from no saddle and no sniper: saddle, sniper (FBN-229)")
    if facts.dark and limit > book.file.night.inches:
        raise ZarebaError(f"nobody sees so far at night: dark with band={facts.band} (FBN-235)")

    def start() -> Battle:
        target = target_of(facts, facts.men, limit, leaders=int(facts.leader))
        gun = battery("machine_gun", facts.cs, book)
        gun.guns[0].jam = "" if facts.jam_die else "clear"
        battle = bare_battle(rules, [gun, target], sheltered(rules, (100.0, 10.0 + limit), facts.cv))
        battle.book.settings = replace(battle.book.settings, figures_block_los=False)
        battle.night = facts.dark
        return battle

    def outcome(battle: Battle, _: None) -> MachineGunOutcome:
        return MachineGunOutcome(battle.units["battery"].guns[0].jam == "jammed", losses(battle).down)

    return Situation(start, [does("battery", ("salvo", 0, "target"))] * facts.salvos, outcome, answer=passive)


def _jam(table: Table, battle: Battle, _: None) -> bool:
    return jams(table, "gun")


def _binomial(rules: Rules, facts: MachineGunFacts) -> dict[MachineGunOutcome, Fraction]:
    _machine_gun(rules, facts)  # it refuses what play does
    shots = facts.salvos * FbnBook(rules).file.salvo.shots
    first = facts.jam_die and rules.settings["jam_roll"] == "before_first_salvo"
    jam = counted(rules, Situation(lambda: bare_battle(rules, []), [_jam], lambda _, jammed: jammed)) if first else {}
    found: dict[MachineGunOutcome, Fraction] = {}
    for jammed, chance in (jam or {False: Fraction(1)}).items():
        for gone, p in shot_by_shot(rules, facts, shots, facts.leader).items():
            one = MachineGunOutcome(jammed, 0 if jammed else gone.down)
            found[one] = found.get(one, Fraction(0)) + chance * p
    return found


PROCEDURES = (
    Procedure(
        "machine_gun", "FBN-229", "salvos with the jam die", MachineGunFacts, MachineGunOutcome,
        situation=_machine_gun, closed=Closed(_binomial, LOSSES | {"machine_gun.salvo"}),
    ),
)  # fmt: skip
