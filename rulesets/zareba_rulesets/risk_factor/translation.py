"""The translation of a neutral scenario into a battle: terrain, groups and starting positions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field as PydanticField

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist, total
from zareba.base.grammar import agreeing, amount, in_a_sentence, join_with_and
from zareba.base.yamlfile import Id, YamlModel
from zareba.battle.unit_mapping import evenly, map_unit, unsupported_words_of
from zareba.rules import RefersTo
from zareba.scenario import Leader, Scenario, Terrain, Unit, arrival_point, starting_positions
from zareba.scenario.model import Gate
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placement import area_of
from zareba.scenario.unsupported import left_out
from zareba.scenario.vocabulary.words import ARMS, known_word, word_with_ancestors
from zareba.space.bearings import direction
from zareba.space.field.bodies import Body
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, Points, bounds, middle_of
from zareba.space.outlines import TerrainArea, bearing_of, crossings, gap_at, mitre, part_of, parts_outside
from zareba_rulesets.risk_factor.book import Ground, RskBook
from zareba_rulesets.risk_factor.forces import (
    UnitSpec,
    find_room,
    formation_body,
    is_room_for,
    place_close_behind,
    radius_of,
)
from zareba_rulesets.risk_factor.ground import CLOSE_UP, Field, along_works, in_cover_near, is_mostly_in_cover

# --- The ground -------------------------------------------------------------------------------------------------------


_CROSSINGS = ("ford", "bridge")
STRIPS = ("broken", "closed", "donga", "open")


def ground_pieces(book: RskBook, scenario: Scenario) -> dict[str, TerrainPiece[Ground]]:
    """Return every terrain piece that matters in play, by name. The parts of a cut line are numbered.

    Streams, rivers and dongas become strips of their width. Rivers are cut at fords and bridges, walls at gates
    (RSK-076, RSK-077, RSK-155).
    """
    scale = book.settings.scenario_cm_per_inch
    found: dict[str, TerrainPiece[Ground]] = {}
    for name, terrain in scenario.terrain.items():
        word = book.file.mapping.word_of(terrain)
        if terrain.area is not None:
            area = _scale_points(terrain.area, scale)
            crest = (_scale_points(terrain.crest, scale) if terrain.crest else area) if terrain.kind == "hill" else []
            if word != "open" or crest:
                found[name] = TerrainPiece.area(name, book.file.grounds[word], area, crest)
        elif terrain.line is not None and terrain.kind not in ("road", "bridge"):
            for part, line in _cut_line(name, terrain, scenario, scale):
                found[part] = _linear(book, part, terrain, word, line, scale)
            for gate_name, gate in terrain.gates.items():
                if not gate.open:
                    line, part = _scale_points(terrain.line, scale), f"{name}.{gate_name}"
                    opening = part_of(line, *_gap(line, gate, scale))
                    found[part] = TerrainPiece.line(part, book.file.grounds["gate"], opening)
    return found


def _linear(
    book: RskBook, name: str, terrain: Terrain, word: str, line: list[Point], scale: float
) -> TerrainPiece[Ground]:
    """Return a piece of linear terrain: an area if it has a width, else a line."""
    ground = book.file.grounds[word]
    if word in STRIPS:
        return TerrainPiece.area(name, ground, mitre(line, terrain.across * scale / 2))
    return TerrainPiece.line(name, ground, line)


def _cut_line(name: str, terrain: Terrain, scenario: Scenario, scale: float) -> list[tuple[str, list[Point]]]:
    """Return a line cut where it can be passed: a deep river at its fords and bridges, a wall at its gates."""
    line = _scale_points(terrain.line or (), scale)
    gaps: list[tuple[float, float]] = []
    if terrain.kind == "river" and terrain.is_deep:
        for other in scenario.terrain.values():
            if other.kind in _CROSSINGS and other.line is not None:
                path = _scale_points(other.line, scale)
                half = other.across * scale / 2
                gaps += [(at - half, at + half) for at in crossings(line, path)]
    gaps += [_gap(line, gate, scale) for gate in terrain.gates.values()]
    parts = parts_outside(line, gaps)
    return [(name, parts[0])] if len(parts) == 1 else [(f"{name}.{n}", part) for n, part in enumerate(parts, start=1)]


def _gap(line: list[Point], gate: Gate, scale: float) -> tuple[float, float]:
    """Return the part of a line that a gate takes up."""
    return gap_at(line, (gate.at[0] * scale, gate.at[1] * scale), gate.width * scale)


def _scale_points(points: Points, scale: float) -> list[Point]:
    """Return points of the scenario in cm of the table."""
    return [(x * scale, y * scale) for x, y in points]


# --- Forces: scenario entries for these rules only --------------------------------------------------------------------


class UnitOverride(YamlModel):
    """Attributes of a unit that replace those from its kind, quality and weapon. Attributes left out keep their
    value.
    """

    volley: bool | None = None
    native: bool | None = None
    no_quarter: bool | None = None
    superior_quality: bool | None = None
    superior_melee: bool | None = None
    skirts: Literal["up", "down"] | None = None
    table: Literal["auto", "missile", "melee"] | None = None
    loading: Literal["muzzle", "breech", "magazine", "hurled", "none"] | None = None


class Overrides(YamlModel):
    """`player_characters`: the leaders who are Player Characters (RSK-018). `units`: attributes of units, including
    their Action table (RSK-130).
    """

    player_characters: list[Annotated[Id, RefersTo("leaders")]] = PydanticField(default_factory=list)
    units: dict[Annotated[Id, RefersTo("units")], UnitOverride] = PydanticField(default_factory=dict)


# --- Forces: the units and leaders of a neutral scenario as groups and single figures ---------------------------------


_RANK_ORDER = {"commander": 0, "officer": 1, "chief": 2, "subchief": 3, "nco": 4, "headman": 5}


def build_forces(
    book: RskBook, scenario: Scenario, wishes: Mapping[str, UnitOverride], notes: list[str]
) -> dict[str, UnitSpec]:
    """Return every group and lone figure by id: the groups of each unit together, then the leaders of the scenario.

    `wishes` are attributes that the scenario sets for units. Raise ZarebaError for a unit too small to be a group
    (RSK-045).
    """
    specs: dict[str, UnitSpec] = {}
    absent = _without_extension(book, scenario)
    if absent:
        notes.append(_absence(scenario, absent))
    for unit_id, unit in scenario.units.items():
        base = None if unit_id in absent else _base_spec(book, scenario, unit_id, notes)
        if base is None:
            continue
        if unit_id in wishes:
            base = replace(base, **wishes[unit_id].model_dump(exclude_none=True))
        for spec in _groups(book, unit, base):
            specs[spec.id] = spec
    for leader_id, leader in scenario.leaders.items():
        if leader.unit in absent:
            continue
        if leader.unit is not None and not any(spec.parent == leader.unit for spec in specs.values()):
            notes.append(f"{leader.name}: takes no part, because his unit is not in these rules")
            continue
        specs[leader_id] = _leader_spec(book, scenario, leader_id, leader)
    return specs


def _without_extension(book: RskBook, scenario: Scenario) -> list[str]:
    """Return the units that take part only with the extension for support weapons, if it is off (RSK-008)."""
    if book.settings.extensions_support_weapons != "off":
        return []
    return [unit_id for unit_id, unit in scenario.units.items() if ARMS[unit.arm].role == "crew"]


def _absence(scenario: Scenario, units: list[str]) -> str:
    """Return the note that names these units with their leaders, and the setting that includes them."""
    names = join_with_and(scenario.units[unit_id].name for unit_id in units)
    leaders = [leader.name for leader in scenario.leaders.values() if leader.unit in units]
    nor = f", nor {'do' if len(leaders) > 1 else 'does'} {join_with_and(leaders)}" if leaders else ""
    them = "them" if leaders else agreeing(names, "it", "them")
    return (
        f"{names} {agreeing(names, 'takes', 'take')} no part in this game{nor}. "
        f"Play with the setting extensions.support_weapons=on to include {them} (RSK-008)"
    )


def _men(book: RskBook, scenario: Scenario, unit_id: str) -> str:
    """Return the sort of men of a unit, ignoring its arm."""
    return str(map_unit(book.file.unit_mapping, scenario, unit_id)["men"])


def _base_spec(book: RskBook, scenario: Scenario, unit_id: str, notes: list[str]) -> UnitSpec | None:
    """Return the attributes of a unit before it is split, or None for an arm that these rules do not cover
    (RSK-008).
    """
    mapping, unit = book.file.mapping, scenario.units[unit_id]
    role, arms = ARMS[unit.arm].role, word_with_ancestors(unit.arm, ARMS)
    crew = role == "crew"
    if role == "machine":
        notes.append(left_out(unit, "RSK-008"))
        return None
    kind = book.file.men["civilian" if role == "train" else _men(book, scenario, unit_id)]
    quality = mapping.quality["raw" if kind.civilian else unit.quality]
    weapon = mapping.weapon[unit.weapon]
    camels = "camelry" in arms and book.settings.scenario_camels_are_cavalry
    people = "native" if kind.native else "service" if kind.native_service else "european"
    gunpowder = weapon.weapon != "none" and book.weapons[weapon.weapon].damage == "gunpowder"
    return UnitSpec(
        id=unit_id,
        name=unit.name,
        side=unit.side,
        parent=unit_id,
        figures=unit.figures,
        armed=0 if crew else unit.armed,
        troop_class=quality.troop_class,
        kind=kind.kind,
        weapon="none" if crew else weapon.weapon,
        loading=weapon.loading,
        close=mapping.close_weapon[unit.close_weapon],
        bayonet=unit.close_weapon == "bayonet",
        mounted=unit.mounted,
        can_dismount=not {"mounted_infantry", "camelry"}.isdisjoint(arms) or ("infantry" in arms and unit.mounted),
        cavalry="cavalry" in arms or camels,
        formed=(kind.formed or "formed" in unit.traits) and not crew,
        volley=(kind.volley and gunpowder) or ("volley" in unit.traits and gunpowder),
        native=kind.native,
        no_quarter="no_quarter" in unit.traits or unit.kind == "own_led_regular",
        civilian=kind.civilian,
        superior_quality=quality.superior_quality,
        superior_melee=quality.superior_melee,
        support=mapping.support[known_word(unit.arm, ARMS, mapping.support)] if crew else "",
        people=people,
    )


def _groups(book: RskBook, unit: Unit, base: UnitSpec) -> list[UnitSpec]:
    """Split a unit: drilled regulars into squads, each with an NCO from their number, all other troops into bands
    (RSK-020, RSK-045, RSK-049).

    Own-led regulars such as the Zulus stay in bands, because the rules show them in groups of twenty.
    """
    smallest, largest = book.counts["smallest_group"], book.counts["largest_group"]
    if unit.figures < smallest:
        raise ZarebaError(
            f"{unit.name} has {amount(unit.figures, 'figure')}; a group has {smallest} to {largest} (RSK-045)"
        )
    squads = base.kind == "regular" and base.people != "native" and not base.support
    size = min(largest, book.settings.scenario_squad_size if squads else largest)
    min_size = smallest + 1 if squads and unit.figures > smallest else smallest
    parts = evenly(unit.figures, max(1, min(-(-unit.figures // size), unit.figures // min_size)))
    armed = _shares_of(base.armed, parts)
    platoon = base.id if base.formed else ""
    groups = []
    musicians = 1 if "musician" in unit.traits and parts[0] > smallest + 1 else 0
    for number, (count, bearers) in enumerate(zip(parts, armed, strict=True), start=1):
        numbered = len(parts) > 1
        led = squads and count > smallest
        men = count - led - (musicians if number == 1 else 0)
        name = f"{base.name} {number}" if numbered else base.name
        group = replace(
            base,
            id=f"{base.id}_{number}" if numbered else base.id,
            name=name,
            figures=men,
            armed=min(men, bearers),
            platoon=platoon,
        )
        groups.append(group)
        if led:
            groups.append(_corporal(group, "nco", f"{group.id}_nco", f"NCO of {in_a_sentence(name)}"))
        if musicians and number == 1:
            groups.append(
                replace(_corporal(group, "musician", f"{base.id}_bugler", f"Bugler of {base.name}"), musician=True)
            )
    return groups


def _corporal(group: UnitSpec, rank: str, figure_id: str, name: str) -> UnitSpec:
    """Return an NCO or musician with the class and arms of his group. He is not counted among its figures (RSK-020)."""
    return replace(
        group, id=figure_id, name=name, figures=1, armed=min(1, group.armed), leader=rank, order=6, platoon=""
    )


def _shares_of(bearers: int, parts: list[int]) -> list[int]:
    """Spread the men who carry the weapon over the parts. No part gets more than it has figures."""
    bearers_left, men_left, shares = bearers, sum(parts), []
    for count in parts:
        share = min(count, -(-bearers_left * count // men_left)) if men_left else 0
        shares.append(share)
        bearers_left, men_left = bearers_left - share, men_left - count
    return shares


def _most_common_unit(scenario: Scenario, side: str) -> str:
    """Return the first unit of the kind that a side has most of. Civilians are ignored if the side has other units."""
    units = scenario.units_of(side)
    kinds: list[str] = [unit.kind for unit in units.values() if unit.kind != "civilian"] or [
        next(iter(units.values())).kind
    ]
    commonest = max(dict.fromkeys(kinds), key=kinds.count)
    return next(key for key, unit in units.items() if unit.kind == commonest)


def _leader_spec(book: RskBook, scenario: Scenario, leader_id: str, leader: Leader) -> UnitSpec:
    """Return a leader as a single figure with his class, people and arms (RSK-011, RSK-012, RSK-021).

    Natives in European service have native officers, but a European commands them, and leads all that their own
    officers do not lead (RSK-024).
    """
    mapping = book.file.mapping
    unit = scenario.units[leader.unit] if leader.unit else None
    like = (
        leader.unit
        if leader.unit and unit is not None and unit.kind != "civilian"
        else _most_common_unit(scenario, leader.side)
    )
    kind, entry = scenario.units[like].kind, book.file.men[_men(book, scenario, like)]
    raw = leader.quality == "raw" or (unit is not None and unit.quality == "raw")
    officer = not entry.native and leader.rank in ("commander", "officer")
    own_men = unit is not None and unit.kind != "civilian" and leader.rank != "commander"
    service = entry.native_service and (own_men or not officer)
    people = "native" if entry.native else "service" if service else "european"
    weapon, loading, close, bayonet = "none", "none", "sword", False
    if officer:
        weapon, loading = "pistol", "magazine"
    elif unit is not None and (unit.weapon != "none" or unit.close_weapon != "none"):
        weapon, loading = mapping.weapon[unit.weapon].weapon, mapping.weapon[unit.weapon].loading
        close, bayonet = mapping.close_weapon[unit.close_weapon], unit.close_weapon == "bayonet"
    if leader.non_combatant:
        weapon, loading, close = "none", "none", "none"
    return UnitSpec(
        id=leader_id,
        name=leader.name,
        side=leader.side,
        parent=leader.unit or "",
        figures=1,
        armed=0 if weapon == "none" else 1,
        troop_class="hero" if leader.hero else "raw" if raw else "veteran",
        kind=entry.kind,
        weapon=weapon,
        loading=loading,
        close=close,
        bayonet=bayonet,
        mounted=leader.mounted,
        formed=entry.formed,
        native=entry.native,
        no_quarter=kind == "own_led_regular" or (unit is not None and "no_quarter" in unit.traits),
        people=people,
        leader=leader.rank,
        non_combatant=leader.non_combatant,
        order=_RANK_ORDER[leader.rank],
        loyalty=dict(leader.loyalty),
    )


# --- Starting positions: a scenario in the terms of these rules -------------------------------------------------------


class ObjectiveGround(NamedTuple):
    """The ground of an objective: within a radius of its centre, or the area of a terrain piece."""

    centre: Point
    radius: float
    area: TerrainArea | None = None


@dataclass
class Plan:
    """A scenario in the terms of these rules, with lengths in cm. `bodies`: where units on the table stand; `entries`:
    where the others come on.

    `hidden`: the groups and leaders of each unit that the scenario hides; `markers`: the units of the scenario that
    begin as markers (RSK-186). `places`: the ground of each objective, as its centre with a radius or an area.
    `notes`: what these rules cannot express.
    """

    field: Field
    specs: dict[str, UnitSpec]
    facing: dict[str, float]
    bodies: dict[str, Body]
    entries: dict[str, Point]
    arrivals: dict[str, int]
    hidden: dict[str, list[str]]
    markers: frozenset[str]
    commanders: dict[str, list[str]]
    home: dict[str, float]
    places: dict[str, ObjectiveGround]
    notes: list[str]


# --- Starting positions: squads side by side, in cover if they may look for it, with leaders next to their men --------


_FIXED_FORMATIONS = ("mass", "column", "laager", "square", "limbered")
"""Formations that a unit keeps even if there is cover near."""
Zone: TypeAlias = "tuple[Point, ...]"
_MOST_CM_TO_COVER = 16  # cm tried to either side of a unit's place before places behind it
ASIDE = 100  # largest shift in cm of a unit whose place is taken


def hidden_units(book: RskBook, scenario: Scenario, field: Field, solo: Collection[str]) -> list[str]:
    """Return the units that begin as markers (RSK-186): by default only those of a solo side against players."""
    hidden: list[str] = []
    for side in scenario.sides:
        hiding = [name for name, unit in scenario.units_of(side).items() if unit.hidden]
        use: str = book.settings.hidden_use
        enemies_are_solo = side in solo and any(enemy not in solo for enemy in scenario.enemies_of(side))
        if hiding and field.concealing and (enemies_are_solo if use == "auto" else use == "on"):
            hidden += hiding
    return hidden


def set_up_units(book: RskBook, scenario: Scenario, plan: Plan, scale: float, hidden: Collection[str] = ()) -> None:
    """Put every unit of the scenario where it starts: squads side by side, then the leaders beside their men.

    The `hidden` units come last, so that the places of the others do not depend on them.
    """
    positions = starting_positions(scenario, hidden)
    openly = [unit for unit in scenario.units if unit not in hidden]
    for units in filter(None, (openly, hidden)):
        _place_units(book, scenario, plan, units, positions, scale)
        for spec in plan.specs.values():
            with_them = spec.parent in hidden if units is hidden else spec.parent not in hidden
            if with_them and spec.leader and spec.id not in plan.arrivals:
                _set_leader(book, scenario, plan, spec, positions, scale)


def _place_units(
    book: RskBook, scenario: Scenario, plan: Plan, units: Collection[str], positions: dict[str, Point], scale: float
) -> None:
    """Put some units where they start. Those who may look for cover do so when all the others stand."""
    seekers: list[tuple[list[UnitSpec], Zone]] = []
    for unit_id in units:
        unit = scenario.units[unit_id]
        groups = [spec for spec in plan.specs.values() if spec.parent == unit_id and not spec.leader]
        figures = [spec for spec in plan.specs.values() if spec.parent == unit_id and spec.leader]
        if not groups:
            continue
        members = [spec.id for spec in (*groups, *figures)]
        if unit.arrival is not None:
            at = arrival_point(scenario, unit.arrival)
            for member in members:
                plan.arrivals[member] = unit.arrival.turn
                plan.entries[member] = (at[0] * scale, at[1] * scale)
            continue
        if unit.hidden:
            plan.hidden[unit_id] = members
        x, y = positions.get(unit_id, (scenario.table.width / 2, scenario.table.depth / 2))
        ground = _ground_of(scenario, unit, scale)
        _side_by_side(plan, groups, unit.formation, (x * scale, y * scale), ground)
        if unit.inside is None:
            _line_works(book, plan, groups, unit.formation, ground)
        if ground and _seeks_cover(scenario, unit):
            seekers += [(groups, ground)]
    _into_cover(book, plan, seekers)


def _ground_of(scenario: Scenario, unit: Unit, scale: float) -> Zone:
    """Return the building or zone in which a unit is set up, in cm. Empty if the scenario gives its position."""
    area = None if unit.position is not None else area_of(scenario, unit)
    if area is None:
        return ()
    points = (
        (scenario.terrain[area].area or ()) if isinstance(area, str) else scenario.sides[area[0]].deployment[area[1]]
    )
    return tuple((x * scale, y * scale) for x, y in points)


def _side_by_side(plan: Plan, groups: list[UnitSpec], formation: str | None, at: Point, ground: Zone) -> None:
    """Place the groups of one unit in a row across its facing, each inside its zone if there is room."""
    facing = plan.facing[groups[0].id]
    ahead = direction(facing)
    right = (ahead[1], -ahead[0])
    bodies = [formation_body(plan.field, spec, formation, (0.0, 0.0), facing) for spec in groups]
    widths = [_width(body, right) + 1.0 for body in bodies]
    start = -total(widths) / 2
    for spec, width in zip(groups, widths, strict=True):
        offset = start + width / 2
        start += width
        centre = (at[0] + right[0] * offset, at[1] + right[1] * offset)
        body = formation_body(plan.field, spec, formation, centre, facing)
        plan.bodies[spec.id] = _body_with_room(plan, body, ground, facing)


def _body_with_room(plan: Plan, body: Body, ground: Zone, facing: float) -> Body:
    """Return a body as near to its place as there is room in its zone, or else anywhere. Places to either side come
    before places behind.

    Friends in front would block its fire (RSK-106).
    """
    others = list(plan.bodies.values())
    shifted = (
        _shifted_aside(plan, find_room(plan.field, (), body, ground), ground, facing, _MOST_CM_TO_COVER)
        if ground
        else None
    )
    if shifted is not None:
        return shifted
    moved_body = find_room(plan.field, others, body, ground, limit=ASIDE)
    return moved_body if is_room_for(plan.field, others, moved_body, ground) else find_room(plan.field, others, body)


def _shifted_aside(plan: Plan, body: Body, ground: Zone, facing: float, limit: int) -> Body | None:
    """Return a body shifted to either side as little as needed for room in its zone, or None if there is no room."""
    others, (x, y) = list(plan.bodies.values()), direction(facing + 90)
    for cm in range(0, limit, 2):
        for hand in (cm, -cm):
            moved = body.moved_by(hand * x, hand * y)
            if is_room_for(plan.field, others, moved, ground):
                return moved
    return None


def _width(body: Body, right: Point) -> float:
    """Return the width of a body at right angles to its facing."""
    across = [x * right[0] + y * right[1] for x, y in body.at]
    return max(across) - min(across) + 2 * body.radius


# --- Starting positions: cover ----------------------------------------------------------------------------------------


def _line_works(book: RskBook, plan: Plan, groups: list[UnitSpec], formation: str | None, ground: Zone) -> None:
    """Move groups set up within 10 cm behind works that they face up to them, so that they have cover (RSK-107).

    They then stand in line along the works as far as there is room, unless the scenario gives them a close formation.
    """
    facing, reach = plan.facing[groups[0].id], book.lengths["line_works"]
    for spec in groups:
        others = [body for name, body in plan.bodies.items() if name != spec.id]
        plan.bodies[spec.id] = _moved_up(plan, others, plan.bodies[spec.id], direction(facing), reach, ground)
    if formation not in _FIXED_FORMATIONS:
        lined = along_works(plan.field, _other_bodies(plan, groups), _joined_body(plan, groups), facing, reach, ground)
        if lined is not None:
            _assign_places(plan, groups, lined, facing)


def _moved_up(plan: Plan, others: list[Body], body: Body, ahead: Point, reach: float, ground: Zone) -> Body:
    """Return a body moved up to fortifications close ahead, if there is room, else the body where it is."""
    front = max(body.at, key=lambda point: point[0] * ahead[0] + point[1] * ahead[1])
    depth = (front[0] - body.centre[0]) * ahead[0] + (front[1] - body.centre[1]) * ahead[1] + body.radius
    far = (body.centre[0] + ahead[0] * (depth + reach), body.centre[1] + ahead[1] * (depth + reach))
    works = [piece for piece in plan.field.fortified if not piece.is_area and piece.meets(body.centre, far)]
    gaps = [min(piece.distance(point) for point in body.at) - body.radius - CLOSE_UP for piece in works]
    best = min(gaps, default=0.0)
    moved = body.moved_by(ahead[0] * best, ahead[1] * best)
    return moved if best > 0 and is_room_for(plan.field, others, moved, ground) else body


def _seeks_cover(scenario: Scenario, unit: Unit) -> bool:
    """Return True if a unit may look for cover in its zone: units that are to hold, except civilians, units in
    buildings and units in close formation.
    """
    if unit.inside is not None or unit.formation in _FIXED_FORMATIONS or unit.kind == "civilian":
        return False
    return unit.orders == "hold" or (unit.orders is None and scenario.sides[unit.side].role == "defender")


def _into_cover(book: RskBook, plan: Plan, seekers: list[tuple[list[UnitSpec], Zone]]) -> None:
    """Place units that are to hold in the best cover of their zone, within a move of the place drawn for them (RSK-099,
    RSK-107).

    Units that find no cover stay at their place, or as near to it as the others leave room.
    """
    bodies = {spec.id: plan.bodies.pop(spec.id) for groups, _ in seekers for spec in groups}
    left: dict[str, Zone] = {}
    for groups, zone in seekers:
        facing, reach = plan.facing[groups[0].id], book.moves["mounted" if groups[0].mounted else "foot"]
        whole = Body(tuple(at for spec in groups for at in bodies[spec.id].at), bodies[groups[0].id].radius)
        lined = in_cover_near(plan.field, plan.bodies.values(), whole, facing, reach, zone)
        if lined is not None:
            _assign_places(plan, groups, lined, facing)
            continue
        for spec in groups:
            body = bodies[spec.id]
            if is_mostly_in_cover(plan.field, body, facing) and is_room_for(
                plan.field, list(plan.bodies.values()), body, zone
            ):
                plan.bodies[spec.id] = body
            else:
                left[spec.id] = zone
    for group, zone in left.items():
        plan.bodies[group] = _shifted_body(plan, group, bodies[group], zone)


def _shifted_body(plan: Plan, group: str, body_at_origin: Body, zone: Zone) -> Body:
    """Return a group as it was drawn up, or shifted to either side, if necessary in closer order, or behind its place.

    Friends in front would block its fire (RSK-106).
    """
    others, spec, facing = list(plan.bodies.values()), plan.specs[group], plan.facing[group]
    if is_room_for(plan.field, others, body_at_origin, ()):
        return body_at_origin
    closer = [
        formation_body(plan.field, spec, formation, body_at_origin.centre, facing) for formation in (None, "mass")
    ]
    for body in (body_at_origin, *closer):
        shifted = _shifted_aside(plan, body, zone, facing, ASIDE)
        if shifted is not None:
            return shifted
    for body in (body_at_origin, *closer):
        moved_body = find_room(plan.field, others, body, zone, limit=ASIDE)
        if is_room_for(plan.field, others, moved_body, zone):
            return moved_body
    return find_room(plan.field, others, body_at_origin)


def _other_bodies(plan: Plan, groups: list[UnitSpec]) -> list[Body]:
    """Return the bodies placed so far, without those of some groups."""
    group_ids = {spec.id for spec in groups}
    return [body for name, body in plan.bodies.items() if name not in group_ids]


def _joined_body(plan: Plan, groups: list[UnitSpec]) -> Body:
    """Return the figures of several groups as one body."""
    return Body(tuple(at for spec in groups for at in plan.bodies[spec.id].at), plan.bodies[groups[0].id].radius)


def _assign_places(plan: Plan, groups: list[UnitSpec], body: Body, facing: float) -> None:
    """Assign the places of a body to groups, from left to right."""
    ahead = direction(facing)
    places = sorted(body.at, key=lambda at: at[0] * ahead[1] - at[1] * ahead[0])
    for spec in groups:
        group_places, places = places[: spec.figures], places[spec.figures :]
        plan.bodies[spec.id] = Body(tuple(group_places), body.radius)


# --- Starting positions: leaders --------------------------------------------------------------------------------------


def _set_leader(
    book: RskBook, scenario: Scenario, plan: Plan, spec: UnitSpec, positions: dict[str, Point], scale: float
) -> None:
    """Place a leader next to the first group of his unit, an NCO next to his squad, and other leaders where the
    scenario puts them.
    """
    radius = radius_of(book, spec)
    group = _group_of(plan, spec)
    leader = scenario.leaders.get(spec.id)
    if leader is not None and leader.arrival is not None:
        at = arrival_point(scenario, leader.arrival)
        plan.arrivals[spec.id], plan.entries[spec.id] = leader.arrival.turn, (at[0] * scale, at[1] * scale)
        return
    if group is not None and group in plan.arrivals:
        plan.arrivals[spec.id], plan.entries[spec.id] = plan.arrivals[group], plan.entries[group]
        return
    if group is not None:
        plan.bodies[spec.id] = place_close_behind(
            plan.field, plan.bodies.values(), plan.bodies[group], plan.facing[group], radius
        )
        return
    x, y = positions.get(spec.id, (scenario.table.width / 2, scenario.table.depth / 2))
    plan.bodies[spec.id] = find_room(plan.field, plan.bodies.values(), Body(((x * scale, y * scale),), radius))


def _group_of(plan: Plan, spec: UnitSpec) -> str | None:
    """Return the group that a leader belongs to, or None."""
    own = spec.id.removesuffix("_nco")
    if own != spec.id and own in plan.specs:
        return own
    return next((o.id for o in plan.specs.values() if o.parent == spec.parent and not o.leader and spec.parent), None)


# --- The battle -------------------------------------------------------------------------------------------------------


def translate(book: RskBook, scenario: Scenario, solo: Collection[str] = ()) -> Plan:
    """Translate a scenario; the tables run the `solo` sides."""
    scale = book.settings.scenario_cm_per_inch
    notes: list[str] = []
    ground = Field(book, scenario.table.width * scale, scenario.table.depth * scale, ground_pieces(book, scenario))
    overrides = overrides_of(scenario, "risk_factor", Overrides)
    specs = build_forces(book, scenario, overrides.units, notes)
    hidden = hidden_units(book, scenario, ground, solo)
    home = _home_facing(scenario, hidden)
    plan = Plan(
        field=ground,
        specs=specs,
        facing={unit: _facing(scenario, spec, home) for unit, spec in specs.items()},
        bodies={},
        entries={},
        arrivals={},
        hidden={},
        markers=frozenset(hidden),
        commanders=_commanders(scenario, specs, overrides.player_characters),
        home=home,
        places=_places(scenario, scale),
        notes=notes,
    )
    set_up_units(book, scenario, plan, scale, hidden)
    notes += unsupported_words_of(book.file, scenario)
    return plan


def _home_facing(scenario: Scenario, hidden: Collection[str]) -> dict[str, float]:
    """Return the bearing towards each side's own edge: the edge that the scenario names, or else the one nearest to its
    units at the start.

    Hidden units count only if a side has no other units.
    """
    facings = {}
    positions = starting_positions(scenario, hidden)
    for side, entry in scenario.sides.items():
        if entry.home_edge is not None:
            facings[side] = bearing_of(entry.home_edge)
            continue
        positioned = [unit for unit in scenario.units_of(side) if unit in positions]
        own_positions = [positions[unit] for unit in positioned if unit not in hidden] or [
            positions[unit] for unit in positioned
        ]
        own_positions = own_positions or [(0.0, 0.0)]
        x, y = middle_of(own_positions)
        edge_distances = {180.0: y, 270.0: x, 0.0: scenario.table.depth - y, 90.0: scenario.table.width - x}
        facings[side] = min(edge_distances, key=lambda edge: edge_distances[edge])
    return facings


def _facing(scenario: Scenario, spec: UnitSpec, home: dict[str, float]) -> float:
    """Return the facing of a unit at the start: as the scenario says, else away from its home edge."""
    named = scenario.facing_of(spec.parent) if spec.parent else None
    return bearing_of(named) if named is not None else (home[spec.side] + 180) % 360


def _commanders(scenario: Scenario, specs: dict[str, UnitSpec], named: Collection[str]) -> dict[str, list[str]]:
    """Return the Player Characters of each side: those `named`, or else its highest-ranking leader, non-combatants
    excepted (RSK-018, RSK-070).
    """
    commanders: dict[str, list[str]] = {}
    for side in scenario.sides:
        leaders = [name for name in scenario.leaders_of(side) if name in specs and not specs[name].non_combatant]
        commanders[side] = [name for name in leaders if name in named] or leaders[:1]
    return commanders


# --- The battle: its places -------------------------------------------------------------------------------------------


def _places(scenario: Scenario, scale: float) -> dict[str, ObjectiveGround]:
    """Return the place of each objective that has one: its centre, its radius, and the area of a terrain piece."""
    places: dict[str, ObjectiveGround] = {}
    for key, goal in scenario.objectives.items():
        if goal.kind == "hold" and goal.terrain is not None:
            piece = scenario.terrain[goal.terrain]
            points = [(x * scale, y * scale) for x, y in (piece.area or piece.line or ())]
            west, south, east, north = bounds(points)
            middle = ((west + east) / 2, (south + north) / 2)
            places[key] = ObjectiveGround(middle, 0.0, TerrainArea(points) if piece.area else None)
        elif goal.kind in ("hold", "escort") and goal.at is not None:
            x, y = goal.at
            places[key] = ObjectiveGround((x * scale, y * scale), goal.radius * scale)
    return places


def first_goal(scenario: Scenario, plan: Plan, side: str, start: Point, scale: float) -> Point:
    """Return where an attacker's unit marches at the start: the nearest objective, or else the enemy's set-up zone
    (RSK-191).

    Objectives are places, and objects to be carried off, at their position or at the position of the enemy unit that
    has them.
    """
    goals = scenario.objectives_of(side)
    goal_points = [plan.places[key].centre for key in goals if key in plan.places]
    for goal in goals.values():
        if goal.kind == "carry_off":
            thing = scenario.objects[goal.object]
            enemy_holds_it = thing.carrier is not None and scenario.units[thing.carrier].side != side
            at = starting_positions(scenario).get(thing.carrier or "") if enemy_holds_it else thing.position
            if thing.carrier in plan.markers and enemy_holds_it:
                at = None  # the attackers do not know where a hidden unit is
            goal_points += [(at[0] * scale, at[1] * scale)] if at is not None else []
    if goal_points:
        return min(goal_points, key=lambda place: dist(place, start))
    enemy = scenario.enemies_of(side)[0]
    zones = list(scenario.sides[enemy].deployment.values())
    if zones:
        west, south, east, north = bounds(zones[0])
        return (west + east) / 2 * scale, (south + north) / 2 * scale
    return plan.field.width / 2, plan.field.depth / 2
