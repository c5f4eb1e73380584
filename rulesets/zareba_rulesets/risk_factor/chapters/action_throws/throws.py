"""Action throws: every unit of the side throws on its Action table (RSK-127 to RSK-149).

All Risk Factors are taken before any die is thrown, so that the order of the units does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zareba.base.state import facts as facts_class
from zareba.chance import Meaning, rows
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import FACES, Result, RskBook
from zareba_rulesets.risk_factor.chapters.action_throws.risk import (
    RiskFacts,
    Surroundings,
    is_covered,
    platoon_facts,
    risk_facts,
    surroundings,
)
from zareba_rulesets.risk_factor.chapters.sight.sight import sees_somebody
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.forces.weapons import action_table

__all__ = [
    "ActionDieFacts",
    "Snapshot",
    "action_throws",
    "is_blue",
    "leaves_works",
    "rollers",
    "take_up_works",
    "throw_die",
]

REASONS = tuple(RiskFacts.__dataclass_fields__)


@facts_class
class ActionDieFacts:
    """The facts of an Action die: its face and the modifier from the settings (RSK-127)."""

    die: int
    modifier: int


@dataclass(slots=True)
class Snapshot:
    """A unit when the throws begin: its Risk Factor, its Action table, and whether it is falling back."""

    unit: Unit
    facts: RiskFacts
    risk: int
    table: str
    falling_back: bool


def rollers(battle: Battle, side: str) -> list[Unit]:
    """Return the units that throw: all groups, and leaders with no group within 5 cm (RSK-048, RSK-192)."""
    groups = battle.groups_of(side)
    return [unit for unit in battle.of(side) if not unit.spec.leader or battle.host(unit, groups) is None]


def take_up_works(battle: Battle, unit: Unit) -> None:
    """Update the mark of a unit that defends works: set once it halts in them, until it leaves (RSK-135). Attackers who
    come up to works or storm them do not defend them.
    """
    if not battle.field.in_works[unit.body] or "charger" in unit.marks:
        unit.unmark("works")
    elif unit.action == "halt":
        unit.mark("works")


def is_blue(battle: Battle, result: str) -> bool:
    """Return True if a result leaves commanded troops free to obey (RSK-128, RSK-129). Every result at Risk Factor 0 or
    less does.
    """
    return result in battle.book.blue


def _snapshot(table: Table, battle: Battle, unit: Unit, around: Surroundings) -> Snapshot:
    found = risk_facts(battle, unit, around)
    risk = table.tally("risk_factor", found, unit).total
    return Snapshot(unit, found, risk, action_table(battle, unit), unit.action in ("retreat", "rout"))


def reasons(found: RiskFacts) -> dict[str, int | bool]:
    """Return the facts of a Risk Factor that apply. Used in the log."""
    return {name: value for name in REASONS if (value := getattr(found, name))}


@procedure("actions.die")
def throw_die(table: Table, actor: str, why: str = "action", means: Meaning | None = None) -> int:
    """Throw the D6 of an Action throw, add the modifier from the settings, and hold it within 1 to 6 (RSK-127)."""
    face = table.roll(1, 6, why=why, rule="RSK-127", actor=actor, means=means)
    return table.tally("action_die", ActionDieFacts(face, table.rules.settings["actions.die_modifier"]), actor).total


def _action_means(book: RskBook, sheets: tuple[tuple[str, bool], ...], risk: int) -> Meaning:
    """Return the meaning of each face of an Action throw at one Risk Factor. Several squads may read the die on different
    tables.

    `sheets` holds a pair for each table in use: its name, and whether the unit is falling back.
    """
    known = book.action_means.get((sheets, risk))
    if known is None:
        lines = {}
        for face in FACES:
            die = book.rules.tally("action_die", ActionDieFacts(face, book.settings.actions_die_modifier)).total
            found = [book.action(table, risk, die, back) for table, back in sheets] if die in FACES else ["no column"]
            lines[face] = ", ".join(found if len(set(found)) > 1 else found[:1]).replace("_", " ")
        known = book.action_means[sheets, risk] = rows(lines, by=f"a Risk Factor of {risk}")
    return known


def _look_round(table: Table, battle: Battle, side: str) -> list[Snapshot]:
    if battle.field.fortified:
        for unit in battle.of(side):
            take_up_works(battle, unit)
    around = surroundings(battle, side)
    return [_snapshot(table, battle, unit, around) for unit in rollers(battle, side)]


@procedure("actions.side")
def action_throws(table: Table, battle: Battle, shots: Sequence[Snapshot] = ()) -> None:
    """Make the Action throws of the active side: all Risk Factors first, then all dice, then all results together
    (RSK-037, RSK-043, RSK-113).

    `shots` are snapshots of the units, if the caller has already taken them.
    """
    side = battle.side
    shots = shots or _look_round(table, battle, side)
    battle.risk = {shot.unit.spec.id: shot.risk for shot in shots}
    results: dict[str, tuple[Result, int]] = {}
    for squads in _platoons(battle, shots):
        results.update(_platoon_throw(table, battle, squads))
    shared = frozenset(results)
    for shot in shots:
        name = shot.unit.spec.id
        if name not in results:
            means = _action_means(battle.book, ((shot.table, shot.falling_back),), shot.risk)
            die = throw_die(table, name, means=means)
            results[name] = (battle.book.action(shot.table, shot.risk, die, shot.falling_back), die)
    for shot in shots:
        unit = shot.unit
        result, die = results[unit.spec.id]
        if result == "towards" and not sees_somebody(battle, unit, battle.standing(battle.enemy(side))):
            result = "continue"  # no enemy in sight to move towards (RSK-134)
        unit.result = result
        unit.lost = unit.caused = 0
        shares = unit.spec.platoon if unit.spec.id in shared else ""
        table.emit(
            "action",
            "RSK-127",
            unit=unit.spec.id,
            risk=shot.risk,
            die=die,
            result=result,
            doing=unit.action,
            table=shot.table,
            because=reasons(shot.facts),
            platoon=shares,
        )
    groups = battle.groups_of(side)
    for unit in battle.of(side):
        if unit.spec.leader and unit.spec.id not in results:
            host = battle.host(unit, groups)
            assert host is not None, "a leader without a host throws for himself"
            unit.result = host.result
    for unit in sorted(battle.of(side), key=lambda unit: bool(unit.spec.leader)):
        take_effect(table, battle, unit)


def take_effect(table: Table, battle: Battle, unit: Unit) -> None:
    """Apply a result: set the status of the unit, and decide whether the result binds a commanded unit (RSK-128,
    RSK-144).

    A result that is not blue binds commanded troops too. Player Characters follow `actions.pc_rolls` (RSK-149). Other
    leaders are bound like their group unless linked (RSK-192). If Halt is not blue, it binds movement only (RSK-129).
    """
    result = unit.result
    commander = battle.is_commander(unit) and not battle.is_solo(unit.spec.side)
    obeys = bool(unit.marks & {"commanded", "linked"}) or commander
    free = obeys and (is_blue(battle, result) or (commander and battle.book.settings.actions_pc_rolls == "free"))
    if obeys:
        unit.mark("free" if free else "bound")
    if result == "rout" and not free:
        unit.status = "routing"
    elif result == "retreat" and not free:
        _retreats_or_stays(table, battle, unit)
    elif result != "continue":
        unit.status = "steady"
    if not free and _holds_works(battle, unit, result):
        unit.result = "halt"
        table.emit("holds the works", "RSK-135", unit=unit.spec.id)


def _retreats_or_stays(table: Table, battle: Battle, unit: Unit) -> None:
    """Decide whether a unit with a Retreat result stays: in cover and with half its strength left it may (RSK-141). Solo
    units always stay.

    A unit that stays is steady, not retreating, unless `victory.stay_in_cover_counts` is set. Leaders do as their
    group does.
    """
    host = battle.host(unit) if unit.spec.leader else None
    if host is not None:
        stays = "stays" in host.marks
    else:
        stays = battle.book.suffices("stay_in_cover", unit.count, unit.original) and is_covered(battle, unit)
        if stays and not battle.is_solo(unit.spec.side):
            stays = table.confirm(unit.spec.side, why="stay in cover", rule="RSK-141", actor=unit.spec.id)
    unit.status = "retreating"
    if stays:
        unit.mark("stays")
        if host is None:
            table.emit("stays in cover", "RSK-141", unit=unit.spec.id)
        if not battle.book.settings.victory_stay_in_cover_counts:
            unit.status = "steady"


def _holds_works(battle: Battle, unit: Unit, result: str) -> bool:
    """Return True if a unit stays in the works it defends in spite of its result (RSK-135)."""
    return "works" in unit.marks and leaves_works(battle.book, result, unit.action)


def leaves_works(book: RskBook, result: str, doing: str) -> bool:
    """Return True if defenders of works ignore a result because it would take them out, given their current action
    (RSK-135).

    At Risk Factor 0 or less these are Continue and the move towards the enemy. With `actions.fortified_hold` set to
    always, they ignore Advance and Attack too.
    """
    goes = result == "towards" or (result == "continue" and doing in ("advance", "attack", "march"))
    if book.settings.actions_fortified_hold == "always":
        goes = goes or result in ("advance", "attack")
    return goes


# --- platoons ----------------------------------------------------------------------------------------------------------------


def _platoons(battle: Battle, shots: Sequence[Snapshot]) -> list[list[Snapshot]]:
    """Return the platoons that throw as one: formed, uncommanded squads in a chain of gaps of at most 5 cm, with a leader
    within 5 cm (RSK-147).
    """
    if battle.book.settings.actions_platoon_roll == "off":
        return []
    by_label: dict[str, list[Snapshot]] = {}
    for shot in shots:
        if shot.unit.spec.platoon:
            by_label.setdefault(shot.unit.spec.platoon, []).append(shot)
    return [squads for squads in by_label.values() if len(squads) > 1 and _throws_as_one(battle, squads)]


def _throws_as_one(battle: Battle, squads: list[Snapshot]) -> bool:
    units = [shot.unit for shot in squads]
    if any("commanded" in unit.marks or not unit.spec.formed for unit in units):
        return False
    cm = battle.book.lengths["platoon"]
    linked, waiting = [units[0]], units[1:]
    while waiting:
        near = [unit for unit in waiting if battle.within(unit, linked, cm)]
        if not near:
            return False
        linked += near
        waiting = [unit for unit in waiting if unit not in near]
    ranks = [
        u for u in battle.of(units[0].spec.side) if u.spec.leader and not u.spec.musician and not u.spec.non_combatant
    ]
    return any(battle.within(unit, ranks, cm) for unit in units)


@procedure("actions.platoon")
def _platoon_throw(table: Table, battle: Battle, squads: list[Snapshot]) -> dict[str, tuple[Result, int]]:
    """Throw once for a platoon on its common Risk Factor. If the result is not blue, return no results, and every squad
    throws for itself (RSK-147).

    At Risk Factor 0 or less each squad reads the shared die on its own row.
    """
    units = [shot.unit for shot in squads]
    found = platoon_facts(battle, units, [shot.facts for shot in squads])
    risk = table.tally("risk_factor", found, units[0]).total
    missile = sum(shot.table == "missile" for shot in squads)
    name = units[0].spec.platoon
    sheet = "missile" if battle.book.suffices("missile_platoon", missile, len(squads)) else "melee"
    own = tuple([(shot.table, shot.falling_back) for shot in squads]) if risk <= 0 else ((sheet, False),)
    die = throw_die(table, name, why="platoon action", means=_action_means(battle.book, own, risk))
    shared = battle.book.action(sheet, risk, die, False)
    table.emit(
        "platoon action",
        "RSK-147",
        platoon=name,
        risk=risk,
        die=die,
        result=shared,
        table=sheet,
        because=reasons(found),
    )
    if is_blue(battle, shared) or battle.book.settings.actions_platoon_roll == "shared_always":
        if risk <= 0:
            return {s.unit.spec.id: (battle.book.action(s.table, risk, die, s.falling_back), die) for s in squads}
        return {shot.unit.spec.id: (shared, die) for shot in squads}
    return {}
