"""The odds procedures of these rules, built from the same functions as play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.base.state import blank
from zareba.base.state import facts as facts_class
from zareba.odds import Formula, Procedures, SmallBattle, count_outcomes, refuse
from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged, drives_back
from zareba.rules import Faces, Rules
from zareba.space.grid.boxes import COMPASS, BoxGrid, E, N, S, W
from zareba.table import Draw, Roll, Table
from zareba_rulesets.vcc.book import MOST_BOXES_BACK, MOST_WOUNDS, Band, Bases, Cover, Quality, VccBook, roll_pool
from zareba_rulesets.vcc.chapters.casualties import is_alive, resolve_checks
from zareba_rulesets.vcc.chapters.fire import FireFacts, check_all_overheating, fire, fire_rocket, landing_box
from zareba_rulesets.vcc.chapters.melee import MeleeFacts, must_check_after_melee
from zareba_rulesets.vcc.chapters.melee import melee as fight
from zareba_rulesets.vcc.chapters.morale import MoraleFacts, RallyFacts, check_morale, must_check_after_fire
from zareba_rulesets.vcc.chapters.morale import rally as roll_to_rally
from zareba_rulesets.vcc.chapters.movement import charge
from zareba_rulesets.vcc.chapters.sight import range_key_of
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, Contact, LeaderCheck, Unit, UnitSpec
from zareba_rulesets.vcc.ground import Field as Battlefield

# --- A small table for the odds: a few units, described by facts, on an empty plain -----------------------------------


Marker = Annotated[int, Field(ge=0, le=11)]
Wounds = Annotated[int, Field(ge=0, lt=MOST_WOUNDS)]
Room = Annotated[int, Field(ge=0, le=MOST_BOXES_BACK)]
"""The boxes behind a unit into which it can fall back (VCC-156)."""

OPEN = MOST_BOXES_BACK
"""Room for any retreat."""

LeaderState = Literal["none", "unhurt", "one wound", "two wounds", "three wounds", "four wounds", "five wounds", "dead"]
PROCEDURES = Procedures()
_HURT: tuple[LeaderState, ...] = get_args(LeaderState)[1:-1]
"""States of a living leader, indexed by wounds."""
_MARKS = ("broken", "flanked", "jest", "lost_base", "moved", "overheated", "prone", "rocketed", "square")
TRAITS = ("dervish_foot", "lancers", "regular")


def small_table(rules: Rules, *units: Unit, phase: str = "british_fire", facts: Any = None) -> Battle:
    """Return a battle on an empty plain with all units in the middle box, the one with number 1 in its row.

    The `facts` give the boxes behind blue (`room_behind` or `b_room_behind`) and behind red (`a_room_behind`), before
    the side's own edge (`..edge_behind`) or a barred way (VCC-156). They also give the Army Commanders (VCC-163):
    `commander` or `b_commander` for blue and `a_commander` for red, with `.._attached` and `.._wounds`.
    """
    book = VccBook(rules)
    sides = {"red": "a_", "blue": "b_" if hasattr(facts, "b_bases") else ""}
    rows = []
    for side in ("blue", "red"):
        edge = getattr(facts, f"{sides[side]}edge_behind", False)
        room = getattr(facts, f"{sides[side]}room_behind", OPEN)
        rows.append(["open"] * (room if edge else min(room, book.farthest_retreat)))
        if not edge and room < book.farthest_retreat:
            rows[-1].append("closed")
    north, south = rows
    terrain = [*reversed(south), "open", *north]
    grid = BoxGrid(3, len(terrain))
    middle = 3 * len(south) + 1
    by_side = {side: tuple(unit for unit in units if unit.spec.side == side) for side in ("red", "blue")}
    field = Battlefield(
        book,
        grid,
        tuple(book.file.terrain[kind] for kind in terrain for _ in range(3)),
        (0,) * grid.size,
        frozenset(),
        {},
        frozenset(),
        ("red", "blue"),
        {"red": S, "blue": N},
        {side: sum(unit.strength for unit in side_units) for side, side_units in by_side.items()},
        {side: tuple(unit.spec.id for unit in side_units) for side, side_units in by_side.items()},
    )
    battle = blank(Battle, turn=1, phase=phase, units={unit.spec.id: unit for unit in units}, book=book, field=field)
    for unit in units:
        refuse(
            unit.hits >= book.settings.hits_per_base,
            f"{amount(unit.hits, 'hit')} are a base lost, at {book.settings.hits_per_base} to a base (VCC-106)",
        )
        if unit.leader:
            _refuse_dead_leader(book, unit.wounds)
        battle.move(unit, middle)
    for side, prefix in sides.items():
        is_attached = getattr(facts, f"{prefix}commander_attached", False)
        if is_attached or getattr(facts, f"{prefix}commander", False):
            wounds = getattr(facts, f"{prefix}commander_wounds", 0)
            _refuse_dead_leader(book, wounds)
            led_unit = by_side[side][0].spec.id if is_attached else ""
            battle.commanders[side] = Commander(side, "commander", middle, led_unit, wounds)
    return battle


def _refuse_dead_leader(book: VccBook, wounds: int) -> None:
    """Raise ZarebaError if a leader with this number of wounds would be dead (VCC-115)."""
    mortal = book.file.leader_dies_at.wounds
    refuse(wounds >= mortal, f"a leader with {amount(wounds, 'wound')} is dead, since he dies at {mortal} (VCC-115)")


def unit_of(facts: Any, name: str, side: str, prefix: str = "", marks: Sequence[str] = (), **known: Any) -> Unit:
    """Return the unit described by facts whose names begin with `prefix`; `known` supplies values that the facts leave
    open.
    """

    def value_of(fact: str, default: Any) -> Any:
        return known.get(fact, getattr(facts, prefix + fact, default))

    spec = UnitSpec(
        id=name,
        name=name,
        side=side,
        profile="",
        troop=value_of("troop", "mounted" if value_of("mounted", False) else "foot"),
        weapon=known.get("weapon", "none"),
        fire_die=value_of("fire_die", 6),
        melee_die=value_of("melee_die", 6),
        bases=value_of("bases", 1),
        leader=value_of("leader", False),
        quality=value_of("quality", "ordinary"),
        **{trait: value_of(trait, False) for trait in TRAITS},
    )
    mark_set = frozenset([*marks, *(mark for mark in _MARKS if value_of(mark, False))])
    facing = S if side == "blue" else N
    return Unit(
        OFF_TABLE,
        facing,
        spec.bases,
        spec.leader,
        mark_set,
        hits=value_of("hits", 0),
        wounds=value_of("wounds", 0),
        streak=value_of("streak", 0),
        spec=spec,
    )


def leader_state(unit: Unit) -> LeaderState:
    """Return the state of a unit's leader as the odds name it."""
    if not unit.spec.leader:
        return "none"
    if not unit.leader:
        return "dead"
    return _HURT[unit.wounds]


def bases_left(unit: Unit) -> int:
    """Return the bases with the leader base; 0 for a unit that has routed off the table."""
    return unit.strength if is_alive(unit) else 0


def check_if_due(table: Table, battle: Battle, unit: Unit, is_due: bool) -> str:
    """Make the morale check of a unit if it is due. Return "passes", the line of failure, or "routs" off the table
    (VCC-156).
    """
    if not is_alive(unit):
        return "destroyed"
    if not is_due:
        return "no check"
    result = check_morale(table, battle, unit)
    return "routs" if unit.strength and not unit.on_table else result


# --- Morale -----------------------------------------------------------------------------------------------------------
# The odds of leader checks (VCC-110 to VCC-117), morale checks (VCC-137 to VCC-158) and rallies (VCC-159 to VCC-162).


@facts_class
class LeaderCheckFacts:
    """`checks` leader checks that are due, one after another, at a band (melee: close), on a leader with `wounds`."""

    band: Band = "close"
    wounds: Wounds = 0
    checks: Annotated[int, Field(ge=1, le=12)] = 1
    bases: Bases = 5


@PROCEDURES.register("VCC-110", leader=LeaderState, jest=bool)
def leader_check(rules: Rules, facts: LeaderCheckFacts) -> SmallBattle:
    """Leader checks that are due.

    The state of the leader at the end, and whether a jest waits for the unit's next check.
    """
    battle = small_table(rules, unit_of(facts, "unit", "blue", leader=True))

    def check(table: Table, battle: Battle, _: None) -> None:
        battle.checks = [LeaderCheck("unit", facts.band)]
        resolve_checks(table, battle, "fire")

    def outcome(battle: Battle, _: None) -> tuple[LeaderState, bool]:
        unit = battle.unit("unit")
        return leader_state(unit), "jest" in unit.marks

    return SmallBattle(battle, [check] * facts.checks, outcome)


@facts_class
class MoraleCheckFacts(MoraleFacts):
    """A morale check. `bases` are living bases or gunners without the leader base; `hits` is the marker of left-over
    hits.

    `room_behind`: boxes into which the unit can fall back, before its own edge (`edge_behind`) or a barred way
    (VCC-156).
    """

    hits: Marker = 0
    room_behind: Room = OPEN
    edge_behind: bool = False


def morale_battle(rules: Rules, facts: MoraleCheckFacts, *others: Unit) -> Battle:
    """Return a battle with the unit, the room behind it, and the Army Commander if he is there."""
    return small_table(rules, unit_of(facts, "unit", "blue"), *others, facts=facts)


def morale_of(is_due: Callable[[Battle], bool]) -> Callable[[Table, Battle, None], tuple[str, int]]:
    """Return an action that makes the unit's check if `is_due`, and returns the result and the bases left."""

    def check(table: Table, battle: Battle, _: None) -> tuple[str, int]:
        unit = battle.unit("unit")
        return check_if_due(table, battle, unit, is_due(battle)), bases_left(unit)

    return check


@PROCEDURES.register("VCC-137", result=str, bases=int)
def morale(rules: Rules, facts: MoraleCheckFacts) -> SmallBattle:
    """A morale check and its consequences.

    The result is "passes", a line of the chart for failed checks, or "routs" (off the table). The bases left include
    the leader base.
    """
    return SmallBattle(morale_battle(rules, facts), [morale_of(lambda _: True)])


@PROCEDURES.register("VCC-160", rallied=bool)
def rally(rules: Rules, facts: RallyFacts) -> SmallBattle:
    """A rally roll."""
    battle = small_table(rules, unit_of(facts, "unit", "blue", marks=("prone", "broken")), facts=facts)
    return SmallBattle(battle, [lambda table, battle, _: roll_to_rally(table, battle, battle.unit("unit"))])


# --- The odds of fire (VCC-074 to VCC-097), rockets (VCC-098 to VCC-102) and overheating (VCC-103) --------------------


@facts_class
class FirePoolFacts(FireFacts):
    """A pool of fire dice. `bases` are infantry bases or gunners without the leader base; `fire_die` is its number of
    faces.
    """

    fire_die: Faces = 6


@PROCEDURES.register("VCC-074", hits=int, highest_face=bool)
def fire_pool(rules: Rules, facts: FirePoolFacts) -> SmallBattle:
    """Hits of one shot's dice.

    The `hits` of the pool; `highest_face` is true if a die showed its highest face.
    """

    def shoot(table: Table, battle: Battle, _: None) -> tuple[int, bool]:
        dice = table.tally("fire_dice", facts, "firer").total
        return roll_pool(table, battle.book, dice, facts.fire_die, why="fire", rule="VCC-080", actor="firer")

    return SmallBattle(small_table(rules), [shoot])


@facts_class
class FireStepFacts(FirePoolFacts):
    """A shot and its consequences: hits, the leader check if one is due, the morale check.

    `target_bases` without the leader base; `target_hits` its marker of left-over hits; `commander`: the Army Commander
    is in its box (attached to it with `commander_attached`, and then at risk), with `commander_wounds`; `flank_shot`:
    fired from outside its front; `rocketed`: a rocket landed in its box in the same step; `target_lost_base`: an
    earlier shot of the step has cost it a base (VCC-139); `checks_due`: the bands of earlier shots of the step whose
    leader checks come first (VCC-038); `room_behind`: boxes into which it can fall back, before its own edge
    (`edge_behind`) or a barred way (VCC-156).
    """

    target_bases: Bases = 5
    target_leader: bool = True
    target_quality: Quality = "ordinary"
    target_regular: bool = False
    target_square: bool = False
    target_hits: Marker = 0
    target_wounds: Wounds = 0
    target_jest: bool = False
    target_lost_base: bool = False
    commander: bool = False
    commander_attached: bool = False
    commander_wounds: Wounds = 0
    flank_shot: bool = False
    rocketed: bool = False
    checks_due: tuple[Band, ...] = ()
    room_behind: Room = OPEN
    edge_behind: bool = False


@PROCEDURES.register("VCC-038", bases_after_fire=int, bases=int, leader=LeaderState, result=str)
def fire_step(rules: Rules, facts: FireStepFacts) -> SmallBattle:
    """A shot with its hits, leader check and morale check.

    `bases_after_fire` and `bases` at the end count the leader base; `result` is that of the morale check.
    """
    marks = [*["flank_shot"] * facts.flank_shot, *["rocketed"] * facts.rocketed]
    firer = unit_of(facts, "firer", "red", mounted=False, square=facts.square, rocketed=False, weapon="small_arms")
    target = unit_of(facts, "target", "blue", "target_", marks)
    battle = small_table(rules, target, firer, facts=facts)
    box = battle.field.grid.around(target.box)[target.facing]
    assert box is not None, "there is room before the target"
    battle.move(firer, box)
    battle.field.range_bands[range_key_of(battle, firer), box, target.box] = facts.band
    battle.field.cover[box, target.box] = facts.cover
    battle.checks = [LeaderCheck("target", band) for band in facts.checks_due]

    def shoot(table: Table, battle: Battle, _: None) -> None:
        fire(table, battle, battle.unit("firer"), battle.unit("target"))

    def leaders(table: Table, battle: Battle, _: None) -> int:
        resolve_checks(table, battle, "fire")
        return battle.unit("target").strength

    def morale(table: Table, battle: Battle, bases_after_fire: int) -> tuple[int, int, LeaderState, str]:
        target = battle.unit("target")
        result = check_if_due(table, battle, target, must_check_after_fire(battle, target))
        return bases_after_fire, bases_left(target), leader_state(target), result

    return SmallBattle(battle, [shoot, leaders, morale])


# --- machine guns -----------------------------------------------------------------------------------------------------


@facts_class
class OverheatingFacts:
    """A machine gun that fires for `turns` turns; `rest`: it holds its fire in any turn that it begins overheated."""

    turns: Annotated[int, Field(ge=1, le=50)] = 2
    rest: bool = True
    streak: Annotated[int, Field(ge=0, le=50)] = 0
    overheated: bool = False


@PROCEDURES.register("VCC-103", state=Literal["cool", "overheated", "broken"], first_overheated=int)
def overheating(rules: Rules, facts: OverheatingFacts) -> SmallBattle:
    """A machine gun that keeps firing.

    The state of the gun at the end, and the turn in which it first overheated (0: never).
    """
    gun = unit_of(facts, "gun", "red", bases=4, troop="machine_gun", weapon="machine_gun")

    def turn(table: Table, battle: Battle, so_far: tuple[int, int]) -> tuple[int, int]:
        """Play one turn of fire. Return the number of turns so far, and the turn in which it first overheated."""
        number, first_turn = so_far
        gun = battle.unit("gun")
        if not (facts.rest and "overheated" in gun.marks) and "wrecked" not in gun.marks:
            gun.mark("fired")
        check_all_overheating(table, battle)
        gun.unmark("fired")
        return number + 1, first_turn or (number + 1 if "overheated" in gun.marks else 0)

    def outcome(battle: Battle, so_far: tuple[int, int]) -> tuple[str, int]:
        marks = battle.unit("gun").marks
        return "broken" if "wrecked" in marks else "overheated" if "overheated" in marks else "cool", so_far[1]

    return SmallBattle(small_table(rules, gun), [turn] * facts.turns, outcome, first=(0, 0))


# --- rockets ----------------------------------------------------------------------------------------------------------


@facts_class
class RocketFacts:
    """A rocket at the box (`column`, `row`), both from 0 in the south-west, of a table `columns` x `rows`.

    `flight` is the compass direction of its flight.
    """

    columns: Annotated[int, Field(ge=1, le=200)] = 12
    rows: Annotated[int, Field(ge=1, le=200)] = 8
    column: Annotated[int, Field(ge=0, le=199)] = 6
    row: Annotated[int, Field(ge=0, le=199)] = 5
    flight: Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"] = "N"


@PROCEDURES.register("VCC-098", column=int | None, row=int | None)
def rocket(rules: Rules, facts: RocketFacts) -> SmallBattle:
    """Landing box of a rocket, with drift.

    The box where it lands. None if it flies off the table, or misses with `rocket_drift` off.
    """
    grid = BoxGrid(facts.columns, facts.rows)
    box = grid.at(facts.column, facts.row)
    if box is None:
        raise ZarebaError(
            f"column {facts.column}, row {facts.row} lies off a table of {facts.columns} x {facts.rows} boxes"
        )

    battle = small_table(rules)
    battle.field.grid = grid

    def launch(table: Table, battle: Battle, _: None) -> tuple[int | None, int | None]:
        landing_place = landing_box(table, battle, "rocket", box, COMPASS.index(facts.flight), box)
        return grid.column_row(landing_place) if landing_place is not None else (None, None)

    return SmallBattle(battle, [launch])


@facts_class
class RocketMoraleFacts(MoraleCheckFacts):
    """A rocket aimed at the box of a unit, and the unit's morale check if it lands there."""

    bases: Bases = 5


@PROCEDURES.register("VCC-100", result=str, bases=int)
def rocket_morale(rules: Rules, facts: RocketMoraleFacts) -> SmallBattle:
    """A rocket at a unit's box and the unit's morale.

    The outcomes are those of a morale check.
    """
    battle = morale_battle(rules, replace(facts, rocketed=False), unit_of(None, "rocket", "red", troop="rocket"))
    battle.move(battle.unit("rocket"), 1)

    def launch(table: Table, battle: Battle, _: None) -> None:
        fire_rocket(table, battle, battle.unit("rocket"), battle.unit("unit").box)

    return SmallBattle(battle, [launch, morale_of(lambda battle: must_check_after_fire(battle, battle.unit("unit")))])


# --- The odds of melee (VCC-118 to VCC-136) ---------------------------------------------------------------------------


_USED_BY_FORMULA = frozenset(
    {"melee.step", "melee.roll", "hits.apply", "leaders.check", "morale.check", "movement.charge"}
)
"""Procedures that the formula relies on: a house rule for one of them may make a unit's losses depend on its own dice.
"""
_Troop = Literal["foot", "mounted", "artillery", "machine_gun", "rocket", "wagon"]


@facts_class
class MeleeRollFacts(MeleeFacts):
    """One unit's melee roll. `bases` are bases or gunners without the leader base; `melee_die` is its number of
    faces.
    """

    melee_die: Faces = 6


@PROCEDURES.register("VCC-118", hits=int, highest_face=bool)
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
    a_hits: Marker = 0
    b_hits: Marker = 0
    a_wounds: Wounds = 0
    b_wounds: Wounds = 0
    a_troop: _Troop = "foot"
    b_troop: _Troop = "foot"
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


def _stand_off(battle: Battle, a: Unit, b: Unit, facts: MeleeFightFacts) -> None:
    """Place the charger in the next box, before the enemy's front or on its flank, on ground as the facts describe
    it.
    """
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
            rules, replace(situation, neutral_answer=settled, outcome=lambda *end: situation.outcome(*end)[part])
        )

    a, b = chances_of("a", slice(3)), chances_of("b", slice(3, 6))
    return {(*of_a, *of_b): chance_a * chance_b for of_a, chance_a in a.items() for of_b, chance_b in b.items()}


WORDS = {"bases": int, "leader": str, "result": str}
SIDES: dict[str, Any] = {f"{side}_{word}": kind for side in "ab" for word, kind in WORDS.items()}


@PROCEDURES.register("VCC-134", closed=Formula(_count_separately, _USED_BY_FORMULA), **SIDES)
def melee(rules: Rules, facts: MeleeFightFacts) -> SmallBattle:
    """A melee both ways, with leader checks and morale.

    For each side: the bases at the end with the leader base, the state of the leader, and the result of the morale
    check.
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
        def make_check(table: Table, battle: Battle, so_far: tuple[Any, ...]) -> tuple[Any, ...]:
            checked_unit = battle.unit(unit)
            return *(so_far or ()), check_if_due(
                table, battle, checked_unit, must_check_after_melee(battle, checked_unit)
            )

        return make_check

    def outcome(battle: Battle, results: tuple[str, str]) -> tuple[Any, ...]:
        a, b = battle.unit("a"), battle.unit("b")
        return bases_left(a), leader_state(a), results[0], bases_left(b), leader_state(b), results[1]

    return SmallBattle(battle, [*[go_in] * facts.charging, strike, check("a"), check("b")], outcome)


# --- Set pieces -------------------------------------------------------------------------------------------------------
# The set pieces common to all systems, under these rules: twenty men are five bases, one of them the leader base
# (VCC-011).


BACK = frozenset({"falls_back", "breaks", "routs", "destroyed"})
"""Morale results that drive a unit from its place (VCC-153, VCC-154, VCC-156)."""
CREW = 4  # gunners of a full battery


def set_pieces(rules: Rules) -> Staged:
    """Return each set piece as a question to these rules."""
    book = VccBook(rules)
    profiles, to_base = book.file.profiles, rules.settings["figures_per_base.infantry"]
    regular, warrior = profiles["regular_infantry"], profiles["irregular_shock"]
    bases = -(-MEN // to_base)
    target = {"target_bases": bases - 1, "target_leader": True, "target_regular": warrior.regular}

    def fire(band: str, die: int, firers: dict[str, Any], description: str, **more: Any) -> list[SetPieceQuestion]:
        def read_losses(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(Fraction(bases - outcome.bases_after_fire, bases), gives_way=outcome.result in BACK)

        return [
            SetPieceQuestion(
                "fire_step", {"band": band, "fire_die": die, **firers, **target, **more}, read_losses, description
            )
        ]

    def rifles(band: str, description: str, **more: Any) -> list[SetPieceQuestion]:
        return fire(band, regular.fire_die, {"bases": bases - 1, "leader": True}, description, **more)

    def crew(name: str) -> list[SetPieceQuestion]:
        return fire("medium", profiles[name].fire_die, {"bases": CREW}, f"{CREW} gunners at medium range")

    def charge(description: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {
            "a_bases": bases - 1, "a_melee_die": warrior.melee_die, "b_bases": bases - 1, "b_melee_die": regular.melee_die,
            "b_regular": regular.regular, **more,
        }  # fmt: skip

        def read_losses(outcome: Any) -> SetPieceAnswer:
            loss, own_loss = (Fraction(bases - bases_left, bases) for bases_left in (outcome.b_bases, outcome.a_bases))
            return SetPieceAnswer(loss, own_loss, outcome.b_result in BACK, home=True)

        return [SetPieceQuestion("melee", facts, read_losses, description)]

    def morale(lost: Fraction) -> list[SetPieceQuestion]:
        hits = book.settings.hits_per_base
        hits_taken = int(lost * bases * hits)
        facts = {"bases": bases - 1 - hits_taken // hits, "leader": True, "hits": hits_taken % hits}
        description = (
            f"{hits_taken // hits} of {amount(bases, 'base')} gone, {amount(hits_taken % hits, 'hit')} on the next"
        )
        return [SetPieceQuestion("morale", facts, drives_back(BACK), description)]

    return {
        "rifles_near": rifles("close", "five bases at close range, and the morale check that follows"),
        "rifles_middle": rifles("medium", "the same at medium range"),
        "rifles_far": rifles("long", "the same at long range"),
        "rifles_cover": rifles("medium", "hard cover", cover="hard"),
        "rifles_charging": "charging units take fire like any other target (VCC-074)",
        "rifles_skirmishing": "foot has no formation that is harder to hit (VCC-083 to VCC-092)",
        "charge_formed": charge("a round of melee and the checks that follow; a charge in reach always makes contact"),
        "charge_shaken": charge("against a broken unit", b_broken=True),
        "machine_gun": crew("machine_gun"),
        "gun": crew("field_gun"),
        **{piece: morale(share) for piece, share in LOST.items()},
    }
