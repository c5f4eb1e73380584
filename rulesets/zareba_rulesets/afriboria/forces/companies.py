"""Companies and zones of control (AFR-110 to AFR-123, AFR-346)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.table import Table
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.movement_limits import commander_allowance
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Company, Unit

__all__ = [
    "choose_members",
    "disband",
    "form",
    "is_bound",
    "keeps_together",
    "may_form",
    "outsiders",
    "pace",
    "renew",
    "settle_companies",
    "slowed_by_heat",
    "strays",
    "zone_goals",
]

ENOUGH = "no more"


def pace(battle: Battle, unit: Unit, to_battle: bool) -> int:
    """Return the hexes of a company's slowest ordered member or its officer, moving with or without battle (AFR-115).

    Members that can never battle do not slow down those that do.
    """
    company = battle.company_of(unit)
    assert company is not None, "only members are marked as a company"
    slowest = commander_allowance(battle, battle.commanders[company.officer])
    for name in company.members:
        member = battle.units[name]
        if "company" in member.marks:
            own = member.profile.battle_move if to_battle else member.profile.move
            slowest = min(slowest, slowed_by_heat(battle, member, own)) if own >= 0 else slowest
    return slowest


def slowed_by_heat(battle: Battle, unit: Unit, hexes: int) -> int:
    """Return the move of a unit after the heat event, which slows the holder's foot (AFR-340)."""
    if unit.profile.arm == "infantry" and battle.in_force("ev_heat") and battle.active == unit.spec.side:
        return min(hexes, battle.book.file.events["ev_heat"].hexes)
    return hexes


def is_bound(battle: Battle, officer: Commander) -> bool:
    """Return True if an officer is forming or disbanding his company, so that he must stay this turn (AFR-119,
    AFR-120).
    """
    led = battle.led_by(officer)
    return led is not None and led[1].state in ("forming", "disbanding")


def zone_goals(battle: Battle, company: Company, unit: Unit, cells: Sequence[int]) -> list[int]:
    """Return the hexes of `cells` where a company member may end its own move (AFR-116, AFR-118).

    A member in the officer's zone stays in it. A member outside must enter it, or come as near as it can.
    """
    distances = battle.field.distance[battle.commanders[company.officer].hex]
    now = distances[unit.hex]
    nearest = min(map(distances.__getitem__, cells), default=now)
    max_distance = 1 if now <= 1 else max(1, min(nearest, now - 1))
    return [cell for cell in cells if distances[cell] <= max_distance]


def strays(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit is outside the zone of its active company (AFR-118)."""
    company = battle.company_of(unit)
    if company is None or company.state != "active" or unit.hex == OFF:
        return False
    return not battle.in_zone(unit, battle.commanders[company.officer])


def keeps_together(battle: Battle, officer: Commander, cell: int, mover: Unit | None = None) -> bool:
    """Return True if an officer's own move to `cell`, with or without `mover`, keeps the other near members in his zone.

    He can leave his company only by giving it up (AFR-119, AFR-346).
    """
    led = battle.led_by(officer)
    if led is None or led[1].state != "active":
        return True
    members = [battle.units[name] for name in led[1].members]
    near = [unit.hex for unit in members if unit is not mover and battle.in_zone(unit, officer)]
    return all(battle.field.distance[cell][other] <= 1 for other in near)


def outsiders(battle: Battle, side: str) -> list[Unit]:
    """Return the members of active companies outside their officer's zone; they come first for orders (AFR-116,
    AFR-118).
    """
    members = [battle.units[name] for company in battle.companies.values() for name in company.members]
    return [unit for unit in members if unit.spec.side == side and strays(battle, unit)]


def free_units(battle: Battle, officer: Commander) -> list[Unit]:
    """Return the units in an officer's zone that have no company and no order yet; a spread unit only at its position."""
    side, units, here = officer.spec.side, battle.units, battle.here
    found: dict[str, Unit] = {}
    for cell in battle.field.zone[officer.hex]:
        for name in here.get(cell, ()):
            unit = units[name]
            if unit.hex == cell and unit.spec.side == side and not unit.company and "ordered" not in unit.marks:
                found[name] = unit
    return list(found.values())


def may_form(battle: Battle, officer: Commander) -> bool:
    """Return True if an officer without a company has enough units around him to form one (AFR-110, AFR-111, AFR-117).

    A character without a bonus counts as an officer here (AFR-042).
    """
    spec, sizes = officer.spec, battle.book.company
    if not spec.officer or battle.led_by(officer) is not None:
        return False
    units = free_units(battle, officer)
    if len(units) < sizes.least:
        return False
    return sizes.colours >= 2 or len({unit.spec.colour for unit in units}) < len(units)


def choose_members(table: Table, battle: Battle, officer: Commander) -> list[str]:
    """Let the owner pick the units: two to four of any kind, in one or two colours, from the officer's zone (AFR-111)."""
    sizes = battle.book.company
    chosen: list[Unit] = []
    while len(chosen) < sizes.most:
        colours = {unit.spec.colour for unit in chosen}
        names = {unit.spec.id for unit in chosen}
        options: list[str] = [
            unit.spec.id
            for unit in free_units(battle, officer)
            if unit.spec.id not in names and (len(colours) < sizes.colours or unit.spec.colour in colours)
        ]
        if len(chosen) >= sizes.least:
            options.insert(0, ENOUGH)
        if not options:
            break
        choice = table.choose(
            officer.spec.side, options, why="company of", rule="AFR-111", actor=officer.spec.id, about=(len(chosen),)
        )
        if choice == ENOUGH:
            break
        chosen.append(battle.units[choice])
    return [unit.spec.id for unit in chosen]


def form(table: Table, battle: Battle, officer: Commander, state: str) -> None:
    """Form a company and announce its members to both sides (AFR-048, AFR-113, AFR-120)."""
    members = choose_members(table, battle, officer)
    key = f"company of {officer.spec.id}"
    battle.companies[key] = Company(officer.spec.id, members, state)
    for name in members:
        unit = battle.units[name]
        unit.company = key
        if state == "forming":
            unit.mark("ordered")
    if state == "forming":
        officer.mark("ordered")
    table.emit("company", "AFR-113", officer=officer.spec.id, members=tuple(members), hex=officer.hex)


def disband(table: Table, battle: Battle, key: str) -> None:
    """Order a company to disband; its units can only defend themselves until the turn is over (AFR-119)."""
    company = battle.companies[key]
    company.state = "disbanding"
    for name in company.members:
        battle.units[name].mark("ordered")
    battle.commanders[company.officer].mark("ordered")
    table.emit("company disbands", "AFR-119", officer=company.officer)


def renew(battle: Battle, side: str) -> None:
    """Reactivate suspended companies whose units are all in the officer's zone at the start of a turn (AFR-121)."""
    for company in battle.companies.values():
        officer = battle.commanders[company.officer]
        if officer.spec.side == side:
            company.rights = 0
            zone = (OFF, *battle.field.zone[officer.hex])
            if company.state == "suspended" and all(battle.units[name].hex in zone for name in company.members):
                company.state = "active"


def settle_companies(battle: Battle, side: str) -> None:
    """Activate companies that were forming and delete those that were disbanding, at the end of a turn (AFR-119,
    AFR-120).
    """
    for key, company in list(battle.companies.items()):
        if battle.commanders[company.officer].spec.side != side:
            continue
        if company.state == "forming":
            company.state = "active"
        elif company.state == "disbanding":
            for name in company.members:
                battle.units[name].company = ""
            del battle.companies[key]
