"""The odds of melee (VCC-118 to VCC-136)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Faces, Rules
from zareba.state import facts
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.vcc.battle import Battle, Contact
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.dice import roll_pool
from zareba_rulesets.vcc.fire import Quality
from zareba_rulesets.vcc.hits import apply_hits, is_alive
from zareba_rulesets.vcc.leaders import call_for_check, resolve_checks
from zareba_rulesets.vcc.melee import Blow, MeleeFacts, melee_facts, must_check_after_melee, open_melee
from zareba_rulesets.vcc.odds.fire import PoolOutcome
from zareba_rulesets.vcc.odds.stage import (
    OPEN,
    Marker,
    Room,
    Wounds,
    bare_battle,
    bases_left,
    checked,
    leader_state,
    lone_unit,
    morale_stage,
    put_commander,
    state_key,
)
from zareba_rulesets.vcc.tables import Bases, Cover

__all__ = ["PROCEDURES", "MeleeFightFacts", "MeleeOutcome", "MeleeRollFacts"]

Troop = Literal["foot", "mounted", "artillery", "machine_gun", "rocket", "wagon"]


@facts
class MeleeRollFacts(MeleeFacts):
    """One unit's melee roll. `bases` bases or gunners without the leader base; `melee_die` faces."""

    melee_die: Faces = 6


def _melee_roll_legs(rules: Rules, facts: MeleeRollFacts) -> list[Leg]:
    book = VccBook(rules)

    def strike(table: Table, slate: Slate) -> None:
        dice = table.tally("melee_dice", facts).total
        slate.values = roll_pool(table, book, dice, facts.melee_die, why="melee", rule="VCC-118", actor="unit")

    return [slate_leg(strike)]


def _melee_roll_tallies(rules: Rules, facts: MeleeRollFacts) -> list[Tally]:
    return [rules.tally("melee_dice", facts)]


@facts
class MeleeFightFacts:
    """A charger `a` against the charged unit `b`: hits, leader checks and morale of both (VCC-134).

    `..._bases` without the leader base, `..._hits` the marker. `flank`, `uphill`, `cover` are those of the charge;
    `charging` is false in a later turn of the same contact. `..._commander`: the Army Commander is in the box (VCC-143),
    with `..._commander_attached` attached to the unit and at risk with it (VCC-163); `..._commander_wounds` are his.
    `..._flanked`: another enemy is in contact on its flank (VCC-148). `..._jest`: a jest waits for the unit's next check (VCC-111). `..._room_behind`: boxes into which it can fall back, then
    comes its own edge (`..._edge_behind`) or it is barred (VCC-156).
    """

    a_bases: Bases
    b_bases: Bases
    a_leader: bool = True
    b_leader: bool = True
    a_quality: Quality = "ordinary"
    b_quality: Quality = "ordinary"
    a_hits: Marker = 0
    b_hits: Marker = 0
    a_wounds: Wounds = 0
    b_wounds: Wounds = 0
    a_troop: Troop = "foot"
    b_troop: Troop = "foot"
    a_melee_die: Faces = 6
    b_melee_die: Faces = 6
    a_lancers: bool = False
    a_dervish_foot: bool = False
    b_dervish_foot: bool = False
    b_regular: bool = False
    b_square: bool = False
    b_broken: bool = False
    a_flanked: bool = False
    b_flanked: bool = False
    a_jest: bool = False
    b_jest: bool = False
    a_commander: bool = False
    b_commander: bool = False
    a_commander_attached: bool = False
    b_commander_attached: bool = False
    a_commander_wounds: Wounds = 0
    b_commander_wounds: Wounds = 0
    a_room_behind: Room = OPEN
    b_room_behind: Room = OPEN
    a_edge_behind: bool = False
    b_edge_behind: bool = False
    charging: bool = True
    flank: bool = False
    uphill: bool = False
    cover: Cover = "none"


@dataclass(frozen=True)
class MeleeOutcome:
    """Bases with the leader base at the end, the leader, and the result of the morale check, for both sides."""

    a_bases: int
    a_leader: str
    a_result: str
    b_bases: int
    b_leader: str
    b_result: str


def _melee_battle(rules: Rules, facts: MeleeFightFacts) -> Battle:
    a = lone_unit(
        "a",
        "red",
        facts.a_bases,
        facts.a_leader,
        facts.a_quality,
        facts.a_troop,
        hits=facts.a_hits,
        wounds=facts.a_wounds,
        melee_die=facts.a_melee_die,
        lancers=facts.a_lancers,
        dervish_foot=facts.a_dervish_foot,
        marks={"charged": facts.charging, "flanked": facts.a_flanked, "jest": facts.a_jest},
    )
    b = lone_unit(
        "b",
        "blue",
        facts.b_bases,
        facts.b_leader,
        facts.b_quality,
        facts.b_troop,
        hits=facts.b_hits,
        wounds=facts.b_wounds,
        melee_die=facts.b_melee_die,
        dervish_foot=facts.b_dervish_foot,
        regular=facts.b_regular,
        marks={
            "square": facts.b_square,
            "broken": facts.b_broken,
            "prone": facts.b_broken,
            "flanked": facts.b_flanked and not facts.b_square,
            "jest": facts.b_jest,
        },
    )
    behind_a, behind_b = (facts.a_room_behind, facts.a_edge_behind), (facts.b_room_behind, facts.b_edge_behind)
    battle = bare_battle(rules, [a, b], "melee", behind_b, behind_a)
    battle.contacts = [Contact("a", "b", facts.flank and not facts.b_square, facts.uphill, facts.cover, 1)]
    open_melee(battle)
    for side, unit, there, attached, wounds in (
        ("red", "a", facts.a_commander, facts.a_commander_attached, facts.a_commander_wounds),
        ("blue", "b", facts.b_commander, facts.b_commander_attached, facts.b_commander_wounds),
    ):
        if there or attached:
            put_commander(battle, side, unit if attached else "", wounds)
    return battle


def _melee_blow(rules: Rules, facts: MeleeFightFacts, unit: str) -> tuple[MeleeFacts, int]:
    battle = _melee_battle(rules, facts)
    enemy = "b" if unit == "a" else "a"
    return melee_facts(battle, Blow(unit, enemy, unit)), battle.unit(unit).spec.melee_die


def _struck_leg(rules: Rules, facts: MeleeFightFacts, victim: str) -> Leg:
    """What the enemy's roll does to one of the two; the other's roll does not bear on it."""
    striker = "b" if victim == "a" else "a"
    blow, die = _melee_blow(rules, facts, striker)

    def strike(table: Table, battle: Battle) -> None:
        _roll_against(table, battle, blow, die, striker, victim)

    def result(battle: Battle) -> tuple[int, str, str]:
        unit = battle.unit(victim)
        return bases_left(unit), leader_state(unit), battle.waiting[0]

    leaders: Callable[[Table, Battle], None] = lambda table, battle: resolve_checks(table, battle, "melee")  # noqa: E731  # a stage like the others
    return Leg(
        lambda: _melee_battle(rules, facts),
        [strike, leaders, morale_stage(victim, must_check_after_melee)],
        state_key,
        result,
    )


def _roll_against(table: Table, battle: Battle, blow: MeleeFacts, die: int, striker: str, victim: str) -> None:
    dice = table.tally("melee_dice", blow).total
    hits, highest = roll_pool(table, battle.book, dice, die, why="melee", rule="VCC-118", actor=striker)
    battle.dealt[striker] = hits
    battle.taken[victim] = hits
    apply_hits(table, battle, battle.unit(victim), hits, "melee")
    call_for_check(battle, battle.unit(victim), hits, highest, "close")


def _whole_melee_leg(rules: Rules, facts: MeleeFightFacts) -> Leg:
    """Both rolls in one leg, for rules by which one side's check hangs on the other's losses (`melee_morale`, VCC-136)."""
    blows = {unit: _melee_blow(rules, facts, unit) for unit in ("a", "b")}

    def strike(unit: str, enemy: str) -> Callable[[Table, Battle], None]:
        return lambda table, battle: _roll_against(table, battle, *blows[unit], unit, enemy)

    def leaders(table: Table, battle: Battle) -> None:
        resolve_checks(table, battle, "melee")
        due = [u for u in ("a", "b") if must_check_after_melee(battle, battle.unit(u))]
        battle.dealt, battle.taken = {}, {}
        battle.waiting = due

    def morale(name: str) -> Callable[[Table, Battle], None]:
        def stage(table: Table, battle: Battle) -> None:
            unit = battle.unit(name)
            if not is_alive(unit):
                outcome = "destroyed"
            elif name in battle.waiting:
                outcome = checked(table, battle, unit)
            else:
                outcome = "no check"
            battle.gone[name] = outcome

        return stage

    def key(battle: Battle) -> Hashable:
        return state_key(battle), tuple(battle.gone.items())

    def result(battle: Battle) -> tuple[Any, ...]:
        found: list[Any] = []
        for name in ("a", "b"):
            unit = battle.unit(name)
            found += [bases_left(unit), leader_state(unit), battle.gone[name]]
        return tuple(found)

    stages = [strike("a", "b"), strike("b", "a"), leaders, morale("a"), morale("b")]
    return Leg(lambda: _melee_battle(rules, facts), stages, key, result)


def _melee_legs(rules: Rules, facts: MeleeFightFacts) -> list[Leg]:
    if rules.settings["melee_morale"] == "loser_only":
        return [_whole_melee_leg(rules, facts)]
    return [_struck_leg(rules, facts, "a"), _struck_leg(rules, facts, "b")]


def _join_melee(*results: tuple[Any, ...]) -> MeleeOutcome:
    return MeleeOutcome(*(value for result in results for value in result))


def _melee_tallies(rules: Rules, facts: MeleeFightFacts) -> list[Tally]:
    return [rules.tally("melee_dice", _melee_blow(rules, facts, unit)[0]) for unit in ("a", "b")]


PROCEDURES = (
    Procedure(
        "melee_roll",
        "VCC-118",
        "Hits of one unit's melee dice",
        MeleeRollFacts,
        PoolOutcome,
        _melee_roll_legs,
        tallies=_melee_roll_tallies,
    ),
    Procedure(
        "melee",
        "VCC-134",
        "A melee both ways, with leader checks and morale",
        MeleeFightFacts,
        MeleeOutcome,
        _melee_legs,
        _join_melee,
        _melee_tallies,
    ),
)
