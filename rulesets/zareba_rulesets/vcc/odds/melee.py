"""The odds of melee (VCC-118 to VCC-136)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

from zareba.base.state import facts as facts_class
from zareba.odds import Formula, SmallBattle, count_outcomes, refuse
from zareba.rules import Faces, Rules
from zareba.space.grid.boxes import E, W
from zareba.table import Draw, Roll, Table
from zareba_rulesets.vcc.book.dice import roll_pool
from zareba_rulesets.vcc.book.numbers import VccBook
from zareba_rulesets.vcc.book.tables import Bases, Cover, Quality
from zareba_rulesets.vcc.chapters.melee import MeleeFacts, must_check_after_melee
from zareba_rulesets.vcc.chapters.melee import melee as fight
from zareba_rulesets.vcc.chapters.movement import charge
from zareba_rulesets.vcc.forces.battle import Battle, Contact, Unit
from zareba_rulesets.vcc.odds import stage
from zareba_rulesets.vcc.odds.stage import (
    PROCEDURES,
    Wounds,
    bases_left,
    check_if_due,
    leader_state,
    small_table,
    unit_of,
)

__all__ = ["MeleeFightFacts", "MeleeRollFacts"]

TOUCHED = frozenset({"melee.step", "melee.roll", "hits.apply", "leaders.check", "morale.check", "movement.charge"})
"""Procedures that the formula relies on: a house rule for one of them may make a unit's losses depend on its own dice.
"""
Troop = Literal["foot", "mounted", "artillery", "machine_gun", "rocket", "wagon"]


@facts_class
class MeleeRollFacts(MeleeFacts):
    """One unit's melee roll. `bases` are bases or gunners without the leader base; `melee_die` is its number of faces."""

    melee_die: Faces = 6


@PROCEDURES.of("VCC-118", hits=int, highest_face=bool)
def melee_roll(rules: Rules, facts: MeleeRollFacts) -> SmallBattle:
    """Hits of one unit's melee dice.

    The `hits` of the pool; `highest_face` is true if a die showed its highest face.
    """

    def strike(table: Table, battle: Battle, _: None) -> tuple[int, bool]:
        dice = table.tally("melee_dice", facts, "unit").total
        return roll_pool(table, battle.book, dice, facts.melee_die, why="melee", rule="VCC-118", actor="unit")

    return SmallBattle(small_table(rules), [strike])


@facts_class
class MeleeFightFacts:
    """A charger `a` against the charged unit `b`: hits, leader checks and morale of both (VCC-134).

    `..._bases` without the leader base, `..._hits` the marker. `flank`, `uphill`, `cover` are those of the charge;
    `charging` is false in a later turn of the same contact. `..._commander`: the Army Commander is in the box
    (VCC-143), with `..._commander_attached` attached to the unit and at risk with it (VCC-163); `..._commander_wounds`
    are his. `..._flanked`: another enemy is in contact on its flank (VCC-148). `..._jest`: a jest waits for the unit's
    next check (VCC-111). `..._room_behind`: boxes into which it can fall back, before its own edge (`..._edge_behind`)
    or a barred way (VCC-156).
    """

    a_bases: Bases
    b_bases: Bases
    a_leader: bool = True
    b_leader: bool = True
    a_quality: Quality = "ordinary"
    b_quality: Quality = "ordinary"
    a_hits: stage.Marker = 0
    b_hits: stage.Marker = 0
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
    a_room_behind: stage.Room = stage.OPEN
    b_room_behind: stage.Room = stage.OPEN
    a_edge_behind: bool = False
    b_edge_behind: bool = False
    charging: bool = True
    flank: bool = False
    uphill: bool = False
    cover: Cover = "none"


def _stand_off(battle: Battle, a: Unit, b: Unit, facts: MeleeFightFacts) -> None:
    """Place the charger in the next box, before the enemy's front or on its flank, on ground as the facts describe it."""
    field = battle.field
    box = field.grid.neighbour(b.box, W)
    assert box is not None, "the middle of the table has neighbours in its row"
    b.facing = E if facts.flank else W
    battle.move(a, box)
    field.level = tuple(int(facts.uphill and box_number == b.box) for box_number in range(field.grid.size))
    field.cover[box, b.box] = facts.cover


def _count_separately(
    rules: Rules, facts: MeleeFightFacts
) -> dict[tuple[int, str, str, int, str, str], Fraction] | None:
    """Count each unit separately: its own dice do not affect its losses (VCC-134). Return None if only the loser checks
    morale.
    """
    if rules.settings["melee_morale"] == "loser_only":
        return None
    situation = melee(rules, facts)

    def chances_of(victim: str, part: slice) -> dict[tuple[int, str, str], Fraction]:
        def settled(question: Roll | Draw) -> tuple[int, bool] | None:
            return (0, False) if question.why == "melee" and question.actor == victim else None

        return count_outcomes(
            rules, replace(situation, settled=settled, outcome=lambda *end: situation.outcome(*end)[part])
        )

    a, b = chances_of("a", slice(3)), chances_of("b", slice(3, 6))
    return {(*of_a, *of_b): p * q for of_a, p in a.items() for of_b, q in b.items()}


WORDS = {"bases": int, "leader": str, "result": str}
SIDES: dict[str, Any] = {f"{side}_{word}": kind for side in "ab" for word, kind in WORDS.items()}


@PROCEDURES.of("VCC-134", closed=Formula(_count_separately, TOUCHED), **SIDES)
def melee(rules: Rules, facts: MeleeFightFacts) -> SmallBattle:
    """A melee both ways, with leader checks and morale.

    Bases with the leader base at the end, the leader, and the result of the morale check, of both sides.
    """
    refuse(
        facts.charging and not VccBook(rules).classes[facts.a_troop].charges,
        f"{facts.a_troop.replace('_', ' ')} does not charge: a_troop with charging (VCC-049)",
    )
    refuse(
        facts.charging and facts.flank and facts.b_troop == "wagon",
        "a wagon has no flank: flank with b_troop (VCC-059)",
    )
    a = unit_of(facts, "a", "red", "a_")
    marks = ["prone"] * facts.b_broken
    b = unit_of(facts, "b", "blue", "b_", marks, flanked=facts.b_flanked and not facts.b_square)
    battle = small_table(rules, a, b, phase="melee", facts=facts)
    if not facts.charging:
        battle.contacts = [Contact("a", "b", facts.flank and not facts.b_square, facts.uphill, facts.cover, 1)]
    elif facts.flank or facts.uphill or facts.cover != "none" or not facts.a_commander_attached:
        _stand_off(battle, a, b, facts)

    def go_in(table: Table, battle: Battle, _: None) -> None:
        charge(table, battle, battle.unit("a"), battle.unit("b"))

    def strike(table: Table, battle: Battle, _: None) -> None:
        fight(table, battle)

    def check(unit: str) -> Callable[[Table, Battle, tuple[Any, ...]], tuple[Any, ...]]:
        def act(table: Table, battle: Battle, gave: tuple[Any, ...]) -> tuple[Any, ...]:
            checked_unit = battle.unit(unit)
            return *(gave or ()), check_if_due(
                table, battle, checked_unit, must_check_after_melee(battle, checked_unit)
            )

        return act

    def outcome(battle: Battle, results: tuple[str, str]) -> tuple[Any, ...]:
        a, b = battle.unit("a"), battle.unit("b")
        return bases_left(a), leader_state(a), results[0], bases_left(b), leader_state(b), results[1]

    return SmallBattle(battle, [*[go_in] * facts.charging, strike, check("a"), check("b")], outcome)
