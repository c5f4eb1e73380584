"""The plain on which the book of the companion stands, and layouts of single acts on it.

At a real table people measure, so positions in the book mean nothing except who stands together. Each stack of pieces
rests on its own site: a hex far from all other sites. The field knows which members of companies are in their officer's
zone, because several zones may meet in one hex. For an act, the pieces that take part are moved into the arena, an
empty part of the plain, at the distance and on the ground that people tell. Afterwards `bring_home` returns them to
their sites.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.scenario.model import Exit
from zareba.space import HexGrid
from zareba.space.lazy import Lazy
from zareba.table import Event
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit
from zareba_rulesets.afriboria.game import AfrGame
from zareba_rulesets.afriboria.ground import Field, Ground

_SITE_SPACING = 4
"""Hexes from site to site, so that no piece stands next to another one."""
_ROWS_EACH_WAY = 20
"""Rows in front of and behind the middle row: more than any range and any retreat."""
_ARENA_COLUMNS = 12
"""Columns on each side of the middle column of the arena."""
CLOSED = "impassable"
"""The ground that bars a way."""


class RealTable(Field):
    """The field of a battle at a real table: a plain on which all pieces see each other.

    `sites` are the hexes where pieces rest, and `column` is the middle column of the arena. `near` are the members of
    companies that are in their officer's zone at the real table. `structure_names` are the structures of a siege by
    hex; structures that join on the map of the scenario are neighbours here too. `exits` are the edges over which each
    side may leave. `carried` are hexes of the arena to which an act has brought a structure, each with its real hex.
    `carried_names` are the names of these structures; all copies of the field share them, so that questions can name
    the structures of the layout that has just been made.
    """

    __slots__ = ("carried", "carried_names", "column", "exits", "grounds", "near", "sites", "structure_names")

    carried: dict[int, int]
    carried_names: dict[int, str]
    column: int
    exits: Mapping[str, Sequence[Exit]]
    grounds: Lazy[tuple[str, ...], Ground]
    near: frozenset[str]
    sites: tuple[int, ...]
    structure_names: dict[int, str]

    def with_ground(
        self,
        ground: Mapping[int, Collection[str]] | None = None,
        *,
        hilltops: Collection[int] = (),
    ) -> RealTable:
        """Return a copy of the field with other ground in some hexes."""
        field = copy.copy(self)
        field.carried = {}
        cells = list(self.ground)
        for cell, kinds in (ground or {}).items():
            cells[cell] = self.grounds[tuple(sorted({*cells[cell].kinds, *kinds}))]
        field.ground = tuple(cells)
        field.hilltops = frozenset(hilltops)
        field.steps_on_empty_field = Lazy(lambda key: field._count_steps(*key))  # they depend on the ground
        return field

    def with_near(self, battle: Battle, near: Collection[str]) -> RealTable:
        """Return a copy of the field in which these members of companies are in their officer's zone."""
        field = copy.copy(self)
        field.near = frozenset(near)
        zone: Lazy[int, tuple[int, ...]] = Lazy(lambda cell: (cell, *field.neighbours[cell]))
        for company in battle.companies.values():
            site = battle.commanders[company.officer].hex
            if site != OFF:
                linked = [battle.units[name].hex for name in company.members if name in near]
                zone[site] = (*zone[site], *(cell for cell in linked if cell != OFF))
        field.zone = zone  # type: ignore[assignment]  # looked up by hex, like the tuple of an ordinary field
        return field

    def arena_hex(self, row: int) -> int:
        """Return the hex of the arena's middle column in a row."""
        return row * self.grid.columns + self.column

    def structure_name(self, cell: int) -> str:
        """Return the name of the structure in a hex, also in one to which an act has brought it."""
        return self.structure_names.get(cell) or self.carried_names.get(cell, "structure")

    @property
    def middle_row(self) -> int:
        """The middle row."""
        return self.grid.rows // 2

    def behind(self, side: str, row: int, hexes: int) -> int:
        """Return the row so many hexes nearer to a side's own edge; a negative number goes the other way."""
        return row - hexes if self.home_edges[side] == "south" else row + hexes


def plain_of(game: AfrGame) -> RealTable:
    """Return the plain for the pieces of a game."""
    plan = game.plan
    real_field = plan.field
    site_count = (
        len(plan.units)
        + len(plan.commanders)
        + len(plan.fliers)
        + len(plan.carried_objects)
        + len(real_field.structures)
        + 3
    )
    rows = 2 * _ROWS_EACH_WAY + 1
    margin = 2 * _SITE_SPACING
    site_rows = range(margin, rows - margin, _SITE_SPACING)
    site_columns = -(-2 * site_count // len(site_rows))
    width = _SITE_SPACING * (site_columns + 1)
    grid = HexGrid(width + 2 * _ARENA_COLUMNS + 1, rows)
    south, north = real_field.home_edges
    sites = tuple(
        row * grid.columns + _SITE_SPACING * (number + 1) for number in range(site_columns) for row in site_rows
    )
    structure_sites = dict(zip(sorted(real_field.structures), sites, strict=False))
    structures = {structure_sites[cell]: spec for cell, spec in real_field.structures.items()}
    kinds: list[list[str]] = [[] for _ in range(grid.size)]
    field = RealTable(game.book, grid, kinds, {south: "south", north: "north"}, None, structures)
    field.column = width + _ARENA_COLUMNS
    field.sites = sites[len(structure_sites) :]
    field.carried, field.carried_names = {}, {}
    field.neighbours = _with_joined_structures(field, real_field, structure_sites)
    titles = game.book.file.structures
    field.structure_names = {
        structure_sites[
            cell
        ]: f"{'gate' if spec.gate else f'{titles[spec.type].title} structure'} {real_field.grid.label(cell)}"
        for cell, spec in real_field.structures.items()
    }
    field.near, field.exits = frozenset(), plan.exits
    field.grounds = Lazy(lambda kinds: Ground.of(game.book, kinds))
    field.sight_lines = Lazy(lambda _: ((), ()))
    field.names = plan.field.names
    return field


def _with_joined_structures(
    field: RealTable, real_field: Field, sites: Mapping[int, int]
) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each hex, with the sites of structures that join on the map of the scenario."""
    joined = {sites[cell]: [sites[near] for near in real_field.neighbours[cell] if near in sites] for cell in sites}
    return tuple((*near, *joined.get(cell, ())) for cell, near in enumerate(field.neighbours))


def table_of(battle: Battle) -> RealTable:
    """Return the plain of a battle at a real table."""
    assert isinstance(battle.field, RealTable), "the battles of the companion stand on a plain"
    return battle.field


def carry_structure(battle: Battle, home: int, arena_hex: int) -> None:
    """Bring the structure in a hex along with the troops in it, if there is one, on the laid-out field of an act."""
    field = table_of(battle)
    if home not in battle.structures or home == arena_hex:
        return
    field.carried[arena_hex] = home
    field.carried_names[arena_hex] = field.structure_names[home]
    field.structures = {**field.structures, arena_hex: field.structures[home]}
    cells = list(field.ground)
    told = {kind for kind in cells[arena_hex].kinds if kind != "building"}  # a ruin on a hill is still on a hill
    field.rubble = {**field.rubble, arena_hex: field.grounds[tuple(sorted({*field.rubble[home].kinds, *told}))]}
    cells[arena_hex] = field.grounds[tuple(sorted({*cells[arena_hex].kinds, "building"}))]
    field.ground = tuple(cells)
    battle.structures[arena_hex] = battle.structures[home]
    if home in battle.rubble:
        battle.rubble = battle.rubble | {arena_hex}


def carry_structures(battle: Battle, homes: Sequence[int], piece: Unit | Commander) -> None:
    """Bring the structures along in which a piece stood, hex by hex: `homes` are its hexes before the layout."""
    for home, arena_hex in zip(homes, hexes_of(piece), strict=True):
        carry_structure(battle, home, arena_hex)


def hexes_of(piece: Unit | Commander) -> tuple[int, ...]:
    """Return the hex of a piece, or those of the sections of a unit."""
    return piece.hexes if isinstance(piece, Unit) else (piece.hex,)


def free_site(battle: Battle) -> int:
    """Return a site on which no piece stands, nor next to it."""
    taken = {flier.hex for flier in battle.fliers.values()} | {
        carried_object.hex for carried_object in battle.carried_objects.values()
    }
    return next(
        site
        for site in table_of(battle).sites
        if site not in taken
        and not any(cell in battle.here or cell in battle.chiefs for cell in (site, *battle.field.neighbours[site]))
    )


def free_next_to(battle: Battle, site: int) -> int:
    """Return a hex next to a site without pieces in it."""
    return next(cell for cell in battle.field.neighbours[site] if cell not in battle.here and cell not in battle.chiefs)


def stack(battle: Battle, cell: int) -> list[Unit | Commander]:
    """Return the units and the commander in a hex."""
    chief = battle.commander_in(cell)
    return [*battle.units_in(cell), *([chief] if chief is not None else [])]


def gather(battle: Battle, officer: Commander, members: Iterable[str]) -> None:
    """Note that units are in the zone of an officer, as members of his company or of the one that he forms."""
    field = table_of(battle).with_near(battle, table_of(battle).near | {*members})
    linked = [battle.units[name].hex for name in members]
    field.zone[officer.hex] = (*field.zone[officer.hex], *linked)  # type: ignore[index]  # see `with_near`
    battle.field = field


def put(battle: Battle, piece: Unit | Commander, cell: int) -> None:
    """Put a unit or commander into a hex."""
    if isinstance(piece, Unit):
        battle.move(piece, cell)
    else:
        battle.place(piece, cell)


def put_stack(battle: Battle, start: int, goal: int) -> None:
    """Put everyone of one hex into another, except units that are spread over walls (AFR-321)."""
    if start != goal:
        for piece in stack(battle, start):
            if not (isinstance(piece, Unit) and piece.sections):
                put(battle, piece, goal)


def put_sections(battle: Battle, places: Mapping[int, int]) -> None:
    """Put everyone in some wall hexes into others, with the sections there of units that are spread over walls."""
    spread = {name for cell in places for name in battle.here.get(cell, ()) if battle.units[name].sections}
    for start, goal in places.items():
        put_stack(battle, start, goal)
    for name in sorted(spread):
        unit = battle.units[name]
        battle.spread(unit, {places.get(cell, cell): figures for cell, figures in unit.sections.items()})


def begin_with_section(battle: Battle, unit: Unit, cell: int) -> None:
    """Let a section of a unit that is spread over walls count as its position."""
    battle.spread(unit, {cell: unit.sections[cell], **unit.sections})


# --- Ways back --------------------------------------------------------------------------------------------------------

BLOCKED, EDGE, RALLIED = "blocked", "edge", "rallied"
WayBack = tuple[str, int, str, str]
"""The end of a retreat: how, after how many hexes, the piece that goes back, and the commander that it meets."""


def lay_out_way_back(battle: Battle, piece: str, *ways_back: WayBack | str) -> tuple[int, dict[int, tuple[str, ...]]]:
    """Put a piece and everyone in its hex where its way back is as people say; a word means that nothing bars it.

    Several `ways_back` are those of successive retreats; each counts its hexes from where the piece stands now. Return
    its row in the arena, and the ground that bars the way.
    """
    field, retreating = table_of(battle), piece_named(battle, piece)
    side = retreating.spec.side
    endings = [way_back for way_back in ways_back if not isinstance(way_back, str)]
    row = field.middle_row
    for ending, hexes, *_ in endings:
        if ending == EDGE:
            row = hexes if field.home_edges[side] == "south" else field.grid.rows - 1 - hexes
    put_sections(battle, _places_in_row(field, retreating, row))
    barred_ground: dict[int, tuple[str, ...]] = {}
    for ending, hexes, _, commander in endings:
        if ending in (BLOCKED, RALLIED):
            barred_row = field.behind(side, row, hexes + (ending == BLOCKED))
            barred_ground |= {
                barred_row * field.grid.columns + column: (CLOSED,)
                for column in range(field.column - _ARENA_COLUMNS, field.column + _ARENA_COLUMNS + 1)
            }
        if ending == RALLIED:  # his hex is the only one that is open
            open_hex = field.arena_hex(field.behind(side, row, hexes))
            del barred_ground[open_hex]
            put_stack(battle, battle.commanders[commander].hex, open_hex)
    return row, barred_ground


def _places_in_row(field: RealTable, piece: Unit | Commander, row: int) -> dict[int, int]:
    """Return where in a row of the arena the hex of a piece comes, and those of its other sections at the sides of
    it.
    """
    others = [cell for cell in (piece.sections if isinstance(piece, Unit) else ()) if cell != piece.hex]
    middle = field.arena_hex(row)
    shifts = [2 * (number // 2 + 1) * (-1) ** number for number in range(len(others))]
    return {piece.hex: middle} | {cell: middle + shift for cell, shift in zip(others, shifts, strict=True)}


def places_of_sections(battle: Battle, target: int, hexes: Mapping[int, int], side: str) -> dict[int, int]:
    """Return a hex of the arena for each section of a unit, so many hexes from its target and on the side of its own
    edge.

    Raises ZarebaError if there are more sections at one distance than hexes.
    """
    field, found = table_of(battle), dict[int, int]()
    columns, row = field.grid.columns, target // field.grid.columns
    for home, distance in hexes.items():
        front = field.arena_hex(field.behind(side, row, distance))
        ring = sorted(field.grid.ring(target, distance), key=lambda cell: field.distance[cell][front])
        ahead = range(row + 1) if front // columns < row else range(row, field.grid.rows)
        free = [
            cell for cell in ring if cell // columns in ahead and cell not in found.values() and cell not in battle.here
        ]
        if not free:
            raise ZarebaError(
                f"no more sections can be {amount(distance, 'hex', 'hexes')} from one hex on the same side of it"
            )
        found[home] = free[0]
    return found


def straight_back(battle: Battle, options: Sequence[Any]) -> Any:
    """Return the hex of a retreat in the middle column of the arena, if it is among the options."""
    field = table_of(battle)
    return next((cell for cell in options if cell % field.grid.columns == field.column), options[0])


def piece_named(battle: Battle, name: str) -> Unit | Commander:
    """Return a unit or commander by its id."""
    return battle.units.get(name) or battle.commanders[name]


def is_in_zone(battle: Battle, unit: Unit) -> bool:
    """Return True if a member of a company is in its officer's zone, whatever the state of the company."""
    company = battle.company_of(unit)
    return company is not None and unit.hex != OFF and battle.in_zone(unit, battle.commanders[company.officer])


# --- After an act -----------------------------------------------------------------------------------------------------

_MOVED = frozenset({"move", "retreat", "breakthrough", "stand together", "stand apart", "stand in"})

_KEEPS_ZONE = ("AFR-239", "AFR-298")
"""The rules of a voluntary retreat and of a second unit: neither leaves the zone of an officer."""


def bring_home(before: Battle, after: Battle, events: Sequence[Event]) -> None:
    """Return all pieces from the arena to their sites.

    A piece that moved alone leaves the site on which it rested. If it has come to other pieces, it stays with
    them. A company follows its officer; a member that moved is in his zone if it ended there.
    """
    carried = table_of(after).carried
    for name, unit in after.units.items():
        if unit.sections and carried.keys() & unit.sections.keys():
            figures = {carried.get(cell, cell): count for cell, count in unit.sections.items()}
            after.spread(unit, {cell: figures[cell] for cell in before.units[name].sections if cell in figures})
    for cell in carried:
        del after.structures[cell]
    after.rubble = after.rubble.difference(carried)
    after.ladders = [ladder for ladder in after.ladders if ladder[0] not in carried]
    _bring_fliers_home(before, after)
    rested_on = {unit.hex for unit in before.units.values()}
    for name, carried_object in after.carried_objects.items():
        dropped = not carried_object.carrier and before.carried_objects[name].carrier
        if dropped and carried_object.hex not in rested_on:  # dropped in the arena: it lies at a separate place
            carried_object.hex = OFF
    moved = {name for event in events if event.kind in _MOVED for name in _moved_pieces(event)}
    near = _near_after(before, after, events, moved)
    pieces: list[Unit | Commander] = [
        *(unit for unit in after.units.values() if unit.hex != OFF and not unit.sections),
        *(chief for chief in after.commanders.values() if chief.hex != OFF),
    ]
    home_before = {piece.spec.id: piece_named(before, piece.spec.id).hex for piece in pieces}
    groups: dict[int, list[Unit | Commander]] = {}
    for piece in pieces:
        if piece.hex != home_before[piece.spec.id] or piece.spec.id in moved:
            groups.setdefault(piece.hex, []).append(piece)
    groups_with_homes: list[tuple[list[Unit | Commander], int]] = []
    for cell, together in groups.items():
        group = together
        others_there = [piece for piece in stack(after, cell) if piece.spec.id not in moved]
        home = carried.get(cell, cell if cell in after.structures else OFF)
        if home == OFF:  # those who did not move go back to their own sites, also if they shared a hex of the arena
            stayed = [one for one in together if one.spec.id not in moved and home_before[one.spec.id] != OFF]
            groups_with_homes += [([one], home_before[one.spec.id]) for one in stayed]
            group = [one for one in together if one not in stayed]
            if not group:
                continue
        if home == OFF and others_there:
            home = home_before[others_there[0].spec.id]
        groups_with_homes.append((group, home))
    for group, _ in groups_with_homes:
        for piece in group:
            put(after, piece, OFF)
    for group, home in sorted(groups_with_homes, key=lambda pair: pair[1] == OFF):
        cell = home if home != OFF else _new_home(after, group)
        for piece in group:
            put(after, piece, cell)
    after.field = table_of(before).with_near(after, near)


def _moved_pieces(event: Event) -> tuple[str, ...]:
    """Return the pieces that an event of movement is about."""
    return tuple(filter(None, (event.data["unit"], event.data.get("chief"))))


def _near_after(before: Battle, after: Battle, events: Sequence[Event], moved: Collection[str]) -> set[str]:
    """Return the members of companies that are in their officer's zone after an act."""
    unchanged = {event.data["unit"] for event in events if event.rule in _KEEPS_ZONE}
    known, found = table_of(after).near, set()
    for company in after.companies.values():
        for name in company.members:
            if name in moved and name not in unchanged:
                is_near = is_in_zone(after, after.units[name])
            else:
                is_near = name in known and not (company.state == "suspended" and company.officer in moved)
            if is_near:
                found.add(name)
    return found


def _new_home(after: Battle, group: Sequence[Unit | Commander]) -> int:
    """Return the hex where pieces rest that have left their old one."""
    for piece in group:
        leader = next(
            (leader for leader in after.commanders.values() if leader.second == piece.spec.id and leader.hex != OFF),
            None,
        )
        if leader is not None:  # the second unit of a platoon stands next to its commander (AFR-298)
            return free_next_to(after, leader.hex)
    return free_site(after)


def _bring_fliers_home(before: Battle, after: Battle) -> None:
    """Return all fliers to their sites."""
    for name, flier in after.fliers.items():
        if flier.hex != OFF:
            flier.hex = before.fliers[name].hex
