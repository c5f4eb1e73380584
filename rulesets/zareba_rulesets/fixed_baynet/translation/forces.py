"""Translate the units and leaders of a neutral scenario into squads, batteries and single men (FBN-196 to FBN-203)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import Any

from zareba.base.grammar import amount
from zareba.battle.unit_mapping import armed_like, evenly, map_unit, map_unit_as
from zareba.scenario import Leader, Scenario
from zareba.scenario import Unit as Troop
from zareba.scenario.unsupported import left_out
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.book.tables import OfMen
from zareba_rulesets.fixed_baynet.forces.units import FigureSpec, UnitSpec

__all__ = ["ROLE_NAMES", "Squad", "build_forces"]


@dataclass
class Squad:
    """A unit of these rules before it is set up: its men in order, and its guns (Table 4-D) with their teams."""

    spec: UnitSpec
    men: list[FigureSpec]
    formation: str
    guns: list[str] = field(default_factory=list)
    team: int = 0
    shells: bool = True
    solid: bool = True
    rockets: bool = False
    hidden: bool = False


def _mapped(book: FbnBook, scenario: Scenario, unit_id: str, part: str) -> OfMen:
    """Return the values the unit mapping gives for a squad, a crew or an independent leader.

    With an empty `unit_id` there is no scenario unit to look at.
    """
    own: dict[str, Any] = {
        "part": part,
        "native_regular_table": book.settings.native_regular_table,
        "native_regular_square": book.settings.native_regular_square,
    }
    entries = book.file.unit_mapping
    return OfMen(**(map_unit(entries, scenario, unit_id, **own) if unit_id else map_unit_as(entries, **own)))


def build_forces(book: FbnBook, scenario: Scenario, notes: list[str]) -> dict[str, Squad]:
    """Return every unit of these rules by id. `notes` collects everything the rules cannot express.

    A scenario unit that becomes one squad keeps its id; several squads are named `id.1`, `id.2` and so on. Leaders
    join the first squad of their unit; a leader without a unit is a unit alone (FBN-123).
    """
    found: dict[str, Squad] = {}
    for unit_id, troop in scenario.units.items():
        kind = book.file.mapping.arm[troop.arm]
        if kind == "none":
            notes.append(left_out(troop, "FBN-261"))
            continue
        leaders = [(key, leader) for key, leader in scenario.leaders.items() if leader.unit == unit_id]
        if kind in ("battery", "machine_gun"):
            found |= _crews(book, scenario, unit_id, kind, leaders, notes)
        else:
            found |= _squads(book, scenario, unit_id, leaders, notes)
    for key, leader in scenario.leaders.items():
        if leader.unit is None:
            found[key] = _lone_leader(book, scenario, key, leader)
    weapons = book.file.mapping.weapon
    lost = [
        troop.name for troop in scenario.units.values() if troop.weapon != "none" and weapons[troop.weapon] == "none"
    ]
    if lost:
        notes.append(f"slings and thrown rocks are not in these rules: {', '.join(lost)}")
    return found


def _squads(
    book: FbnBook, scenario: Scenario, unit_id: str, leaders: list[tuple[str, Leader]], notes: list[str]
) -> dict[str, Squad]:
    """Return the squads of one unit of the scenario, by unit id."""
    troop, men_are = scenario.units[unit_id], _mapped(book, scenario, unit_id, "squad")
    lines = str(men_are.lines)
    sizes = _sizes(book, troop.figures, bool(men_are.bands))
    if sum(sizes) != troop.figures:
        notes.append(f"{troop.name}: {amount(troop.figures, 'figure')} become {sum(sizes)} (FBN-200)")
    if troop.formation == "square" and not men_are.squares:
        notes.append(f"{troop.name}: closed order, because they cannot form square (FBN-060)")
    if troop.arm in ("wagon", "pack_animals"):
        notes.append(f"{troop.name}: represented by drivers and bearers (FBN-261)")
    found: dict[str, Squad] = {}
    armed = troop.armed
    for number, size in enumerate(sizes):
        key = unit_id if len(sizes) == 1 else f"{unit_id}.{number + 1}"
        name = troop.name if len(sizes) == 1 else f"{troop.name} ({number + 1})"
        men = _men(book, key, troop, men_are, size, leaders if number == 0 else [], min(armed, size))
        armed -= min(armed, size)
        spec = UnitSpec(key, name, troop.side, "squad", unit_id, lines, bool(men_are.drilled))
        found[key] = Squad(spec, men, _formation(book, troop, men_are, size), hidden=troop.hidden)
    return found


def _sizes(book: FbnBook, n: int, bands: bool) -> list[int]:
    """Return the sizes of a unit's squads, also for riders (FBN-188, FBN-197, FBN-198, FBN-199, FBN-200).

    Up to 15 Europeans form one squad; all others are split into squads of at most 20.
    """
    squads = book.file.squads
    one = n <= squads.upto and not bands
    count = 1 if one else ceil(n / squads.large)
    if book.settings.squad_size_strict:
        return [squads.small] if one else [squads.large] * max(1, round(n / squads.large))
    return evenly(n, count)


def _formation(book: FbnBook, troop: Troop, men_are: OfMen, size: int) -> str:
    """Return the formation the scenario names, or by default that of the unit mapping.

    A single man has none (FBN-062).
    """
    if size < 2:
        return "open"
    formation = book.file.mapping.formation[troop.formation] if troop.formation else str(men_are.formation)
    return "closed" if formation == "square" and not men_are.squares else formation


def _men(
    book: FbnBook,
    key: str,
    troop: Troop,
    men_are: OfMen,
    size: int,
    leaders: list[tuple[str, Leader]],
    armed: int,
) -> list[FigureSpec]:
    """Return the men of a squad: leaders, NCO or hero, medic, bearer, soldiers (FBN-196 to FBN-199, FBN-203)."""
    table, own = str(men_are.lines), str(men_are.led_by)
    civil = troop.kind == "civilian"
    roles: list[tuple[str, str, Leader | None]] = [(_role(book, leader, table), lid, leader) for lid, leader in leaders]
    if not civil:
        if own != "nobody" and (size > 1 or "hero" in troop.traits) and all(role != own for role, _, _ in roles):
            roles.append((own, "", None))
        if "medic" in troop.traits:
            roles.append(("medic", "", None))
        if "standard" in troop.traits:
            roles.append(("bearer", "", None))
    roles = roles[:size]
    roles += [("civilian" if civil else "soldier", "", None)] * (size - len(roles))
    men = []
    for number, (role, leader_id, leader) in enumerate(roles):
        carried = _weapon(book, troop, number < armed)
        men.append(_man(book, f"{key}/{number + 1}", troop, table, role, carried, leader_id, leader))
    return men


def _role(book: FbnBook, leader: Leader, table: str) -> str:
    """Return a leader's role according to his rank.

    Officers and NCOs are heroes already; only in native units is an NCO flagged as a hero given that role (FBN-123,
    FBN-159).
    """
    if leader.non_combatant:
        return "civilian"
    role = book.file.mapping.rank[leader.rank]
    return "hero" if leader.hero and role == "nco" and table == "native" else role


def _weapon(book: FbnBook, troop: Troop, armed: bool) -> str:
    """Return the firearm of a man, armed or unarmed. The default is a rifle if the force list names no arms (FBN-191)."""
    if troop.weapon == "none":
        return "none" if troop.kind == "civilian" or troop.close_weapon != "none" else "rifle"
    return book.file.mapping.weapon[troop.weapon] if armed else "none"


def _close(book: FbnBook, weapon: str, troop: Troop | None = None) -> bool:
    """Return True if the weapon, or the second weapon of the man's troop, is one for close combat (FBN-113)."""
    own = (weapon, book.file.mapping.close_weapon[troop.close_weapon]) if troop else (weapon,)
    return any(one != "none" and book.weapons[one].close for one in own)


def _spare(book: FbnBook, weapon: str) -> str:
    """Return the man's spare weapon (FBN-193)."""
    return "pistol" if weapon == "rifle" and book.settings.switch_weapon == "in_game" else "none"


def _man(
    book: FbnBook,
    figure_id: str,
    troop: Troop,
    table: str,
    role: str,
    weapon: str,
    leader_id: str,
    leader: Leader | None,
) -> FigureSpec:
    """Return one man.

    A leader has the stats of his squad (FBN-124), and a rider his own stats, not his mount's (FBN-029).
    """
    civil = role == "civilian"
    quality = "green" if civil else book.file.mapping.quality[troop.quality]
    return FigureSpec(
        id=figure_id,
        name=leader.name if leader else _label(troop, figure_id, role),
        side=troop.side,
        role="soldier" if role == "bearer" else role,
        **_stats(book, "native" if civil else table, quality),
        weapon="none" if civil else weapon,
        spare=_spare(book, weapon),
        close=not civil and _close(book, weapon, troop),
        rides=troop.mounted and not civil,
        bearer=role == "bearer",
        sniper="sniper" in troop.traits,
        flares=leader.flares if leader else 0,
        leader_id=leader_id,
    )


ROLE_NAMES = {
    "officer": "officer",
    "nco": "NCO",
    "hero": "hero",
    "medic": "medic",
    "bearer": "bearer",
    "crew": "gunner",
}
"""What a man is called who is not an ordinary one."""


def _label(troop: Troop, figure_id: str, role: str) -> str:
    """Return the name of a man without one in the scenario: what he is, his number and his unit."""
    squad, _, number = figure_id.partition("/")
    part = f" ({squad.rpartition('.')[2]})" if "." in squad else ""
    return f"{ROLE_NAMES.get(role, 'man')} {number} of {troop.name}{part}"


def _stats(book: FbnBook, table: str, quality: str) -> dict[str, Any]:
    """Return a man's stats and his column of the panic table. Veterans use the line named by the setting (FBN-030)."""
    veteran = quality == "veteran"
    line = book.file.stat_lines[table][book.settings.veteran_stats if veteran else quality]  # type: ignore[index]  # the three keys
    stats = {name: getattr(line, name) for name in ("cs", "ds", "sp", "ac", "gl")}
    return {"table": table, "column": "elite" if veteran else quality, **stats}


def _crews(
    book: FbnBook, scenario: Scenario, unit_id: str, kind: str, leaders: list[tuple[str, Leader]], notes: list[str]
) -> dict[str, Squad]:
    """Return gun crews: batteries of two guns with four men each, machine guns with two men (FBN-202)."""
    troop, numbers = scenario.units[unit_id], book.file.crew_size
    if kind == "machine_gun":
        crew, per_unit, gun = numbers.machine_gun, 1, "machine_gun"
        pieces = max(1, troop.figures // crew)
    else:
        pieces, per_unit, crew = max(1, round(troop.figures / numbers.gun)), numbers.battery, numbers.gun
        gun = book.file.mapping.gun[troop.gun.kind] if troop.gun and troop.arm != "rocket" else "light_howitzer"
    units = ceil(pieces / per_unit)
    table = str(_mapped(book, scenario, unit_id, "crew").lines)
    found: dict[str, Squad] = {}
    left, guns_left, armed = troop.figures, pieces, troop.armed
    for number in range(units):
        key = unit_id if units == 1 else f"{unit_id}.{number + 1}"
        guns = min(per_unit, guns_left)
        guns_left -= guns
        size = left if number == units - 1 else min(left, guns * crew)
        left -= size
        name = troop.name if units == 1 else f"{troop.name} ({number + 1})"
        men = []
        for i in range(size):
            leader = leaders[i] if number == 0 and i < len(leaders) else None
            men.append(_gunner(book, f"{key}/{i + 1}", troop, table, _weapon(book, troop, armed > 0), leader))
            armed -= 1
        ammunition = troop.gun.ammunition if troop.gun else ("shell",)
        found[key] = Squad(
            UnitSpec(key, name, troop.side, kind, unit_id, table),
            men,
            "open",
            [gun] * guns,
            _team(book, troop, gun),
            "shell" in ammunition or gun == "trench_mortar",
            ("shot" in ammunition or "case" in ammunition) and gun != "trench_mortar" and troop.arm != "rocket",
            troop.arm == "rocket",
            troop.hidden,
        )
    if troop.gun and "case" in troop.gun.ammunition:
        notes.append(f"{troop.name}: case counts as shot")
    return found


def _gunner(
    book: FbnBook, figure_id: str, troop: Troop, table: str, weapon: str, leader: tuple[str, Leader] | None
) -> FigureSpec:
    """Return a gunner.

    Crews count as Green, including a leader among them (FBN-124, FBN-201); their arms are for self-defence (FBN-101,
    FBN-205).
    """
    return FigureSpec(
        id=figure_id,
        name=leader[1].name if leader else _label(troop, figure_id, "crew"),
        side=troop.side,
        role=book.file.mapping.rank[leader[1].rank] if leader else "crew",
        **_stats(book, table, "green"),
        weapon=weapon,
        spare=_spare(book, weapon),
        close=_close(book, weapon, troop),
        crew=True,
        leader_id=leader[0] if leader else "",
    )


def _team(book: FbnBook, troop: Troop, gun: str) -> int:
    """Return the number of draught animals: as many as the gun's weight needs, or 0 if it is drawn by hand (FBN-207)."""
    return 0 if troop.draught == "hand" else book.file.movers[book.guns[gun].weight].riders


def _lone_leader(book: FbnBook, scenario: Scenario, key: str, leader: Leader) -> Squad:
    """Return an independent hero, officer or NCO as a unit of one (FBN-015, FBN-123).

    Natives are armed like the largest unit of their side; others have a pistol and a sword (FBN-191).
    """
    quality = book.file.mapping.quality[leader.quality]
    table = str(_mapped(book, scenario, next(iter(scenario.units_of(leader.side)), ""), "leader").lines)
    fights = not leader.non_combatant
    troop = armed_like(scenario, leader) if table == "native" and fights else None
    weapon = "none" if not fights else "pistol" if troop is None else _weapon(book, troop, armed=True)
    close = fights and _close(book, "melee_weapon" if troop is None else weapon, troop)
    man = FigureSpec(
        id=f"{key}/1", name=leader.name, side=leader.side, role=_role(book, leader, table), **_stats(book, table, quality),
        weapon=weapon, close=close, rides=leader.mounted,
        flares=leader.flares, leader_id=key,
    )  # fmt: skip
    return Squad(UnitSpec(key, leader.name, leader.side, "independent", key, table), [man], "open")
