"""Companies and platoons."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.table import Table
from zareba_rulesets.afriboria.forces.battle import Battle, commander_allowance
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Company, Unit

# --- Companies and zones of control (AFR-110 to AFR-123, AFR-346) -----------------------------------------------------


_ENOUGH = "no more"


def company_pace(battle: Battle, unit: Unit, to_battle: bool) -> int:
    """Return the hexes of a company's slowest ordered member or its officer, moving with or without battle (AFR-115).

    Members that can never battle do not slow down those that do.
    """
    company = battle.company_of(unit)
    assert company is not None, "only members are marked as a company"
    slowest = commander_allowance(battle, battle.commanders[company.officer])
    for name in company.members:
        member = battle.units[name]
        if "company" in member.marks:
            hexes = member.profile.battle_move if to_battle else member.profile.move
            if hexes >= 0:
                slowest = min(slowest, slowed_by_heat(battle, member, hexes))
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
    company = battle.company_led_by(officer)
    return company is not None and company.state in ("forming", "disbanding")


def zone_goals(battle: Battle, company: Company, unit: Unit, cells: Sequence[int]) -> list[int]:
    """Return the hexes of `cells` where a company member may end its own move (AFR-116, AFR-118).

    A member in the officer's zone stays in it. A member outside must enter it, or come as near as it can.
    """
    distances = battle.field.distance[battle.commanders[company.officer].hex]
    now = distances[unit.hex]
    nearest = min(map(distances.__getitem__, cells), default=now)
    max_distance = 1 if now <= 1 else max(1, min(nearest, now - 1))
    return [cell for cell in cells if distances[cell] <= max_distance]


def is_outside_zone(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit is outside the zone of its active company (AFR-118)."""
    company = battle.company_of(unit)
    if company is None or company.state != "active" or unit.hex == OFF:
        return False
    return not battle.in_zone(unit, battle.commanders[company.officer])


def keeps_together(battle: Battle, officer: Commander, cell: int, mover: Unit | None = None) -> bool:
    """Return True if an officer's own move to `cell`, with or without `mover`, keeps the other near members in his
    zone.

    He can leave his company only by giving it up (AFR-119, AFR-346).
    """
    company = battle.company_led_by(officer)
    if company is None or company.state != "active":
        return True
    members = [battle.units[name] for name in company.members]
    near = [unit.hex for unit in members if unit is not mover and battle.in_zone(unit, officer)]
    return all(battle.field.distance[cell][other] <= 1 for other in near)


def members_outside_zone(battle: Battle, side: str) -> list[Unit]:
    """Return the members of active companies outside their officer's zone; they come first for orders (AFR-116,
    AFR-118).
    """
    units = battle.units
    return [
        unit
        for company in battle.companies.values()
        for name in company.members
        if (unit := units[name]).spec.side == side and is_outside_zone(battle, unit)
    ]


def _free_units(battle: Battle, officer: Commander) -> list[Unit]:
    """Return the units in an officer's zone that have no company and no order yet; a spread unit only at its
    position.
    """
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
    if not spec.officer or battle.company_led_by(officer) is not None:
        return False
    units = _free_units(battle, officer)
    if len(units) < sizes.least:
        return False
    return sizes.colours >= 2 or len({unit.spec.colour for unit in units}) < len(units)


def choose_members(table: Table, battle: Battle, officer: Commander) -> list[str]:
    """Let the owner pick the units: two to four of any kind, in one or two colours, from the officer's zone
    (AFR-111).
    """
    sizes = battle.book.company
    chosen: list[Unit] = []
    while len(chosen) < sizes.most:
        colours = {unit.spec.colour for unit in chosen}
        names = {unit.spec.id for unit in chosen}
        options: list[str] = [
            unit.spec.id
            for unit in _free_units(battle, officer)
            if unit.spec.id not in names and (len(colours) < sizes.colours or unit.spec.colour in colours)
        ]
        if len(chosen) >= sizes.least:
            options.insert(0, _ENOUGH)
        if not options:
            break
        choice = table.choose(
            officer.spec.side, options, why="company of", rule="AFR-111", actor=officer.spec.id, about=(len(chosen),)
        )
        if choice == _ENOUGH:
            break
        chosen.append(battle.units[choice])
    return [unit.spec.id for unit in chosen]


def form_company(table: Table, battle: Battle, officer: Commander, state: str) -> None:
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


def disband_company(table: Table, battle: Battle, key: str) -> None:
    """Order a company to disband; its units can only defend themselves until the turn is over (AFR-119)."""
    company = battle.companies[key]
    company.state = "disbanding"
    for name in company.members:
        battle.units[name].mark("ordered")
    battle.commanders[company.officer].mark("ordered")
    table.emit("company disbands", "AFR-119", officer=company.officer)


def reactivate_companies(battle: Battle, side: str) -> None:
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


# --- Platoons ---------------------------------------------------------------------------------------------------------
# Platoons: the units under one commander (AFR-099 to AFR-104); with small hexes, one may be adjacent (AFR-298 to
# AFR-301).


_NOBODY = "nobody"


def platoon(battle: Battle, chief: Commander) -> list[Unit]:
    """Return the units under a commander, at most two: those in his hex, or one there and the adjacent second (AFR-299,
    AFR-301).
    """
    units = battle.units_in(chief.hex)
    second = second_of(battle, chief) if len(units) == 1 else None
    return units if second is None else [*units, second]


def second_of(battle: Battle, chief: Commander) -> Unit | None:
    """Return the second unit named for a commander's platoon, while it is adjacent to him and a unit is in his own
    hex.
    """
    if not chief.second or chief.hex not in battle.here:
        return None
    unit = battle.units[chief.second]
    return unit if unit.hex in battle.field.neighbours[chief.hex] and unit.hex not in battle.chiefs else None


def same_platoon(battle: Battle, first: Unit, other: Unit) -> bool:
    """Return True if two units are under one commander."""
    pair = {first.spec.id, other.spec.id}
    return any(
        pair <= {unit.spec.id for unit in platoon(battle, chief)} for chief in battle.side_commanders(first.spec.side)
    )


def _eligible(battle: Battle, chief: Commander) -> list[str]:
    """Return the friendly units next to a commander with a unit in his hex that no other commander has (AFR-298)."""
    side = chief.spec.side
    if battle.book.room != 1 or chief.hex == OFF or chief.hex not in battle.here:
        return []
    seconds = {
        other.second for other in battle.side_commanders(side) if other is not chief and second_of(battle, other)
    }
    beside = (name for cell in battle.field.neighbours[chief.hex] for name in battle.here.get(cell, ()))
    return [
        name
        for name in beside
        if (unit := battle.units[name]).spec.side == side and unit.hex not in battle.chiefs and name not in seconds
    ]


def name_second(table: Table, battle: Battle, chief: Commander) -> None:
    """Let the owner name the second unit of a platoon, or none; the unit named before is offered first (AFR-298)."""
    if second_of(battle, chief) is None:
        chief.second = ""
    names = _eligible(battle, chief)
    if not names or names == [chief.second]:
        return
    options = [*sorted(names, key=lambda name: name != chief.second), _NOBODY]
    choice = table.choose(chief.spec.side, options, why="second unit", rule="AFR-298", actor=chief.spec.id)
    chief.second = "" if choice == _NOBODY else choice


def name_seconds(table: Table, battle: Battle, side: str) -> None:
    """Name the second units of all commanders of a side, when orders are announced (AFR-298)."""
    if battle.book.room == 1:
        for chief in battle.side_commanders(side):
            name_second(table, battle, chief)


def take_command(table: Table, battle: Battle, cell: int) -> None:
    """Name the second unit of the platoon when a commander comes to a unit or a unit to him (AFR-099, AFR-298).

    A commander who moves with his own unit keeps his platoon.
    """
    if battle.book.room == 1 and not battle.over:
        chief = battle.commander_in(cell)
        if chief is not None:
            name_second(table, battle, chief)
