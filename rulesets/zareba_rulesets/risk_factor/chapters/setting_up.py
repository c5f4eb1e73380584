"""Setting up: the starting position, reinforcements and hidden units."""

from __future__ import annotations

from math import isqrt

from zareba.base.exact import dist
from zareba.base.state import blank
from zareba.battle.arrivals import arrives
from zareba.battle.carried_objects import CarriedObject
from zareba.battle.initiative import roll_for_order
from zareba.chance import at_least, random_draw, remark
from zareba.rules import procedure
from zareba.scenario import Scenario
from zareba.space.bearings import bearing_to
from zareba.space.field.bodies import EMPTY, Body, body_in_ranks
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, distance_between_polygons, edges, middle_of, towards
from zareba.space.moves import rings
from zareba.space.outlines import nearest_on_edge
from zareba.table import Table
from zareba_rulesets.risk_factor.book import Ground, RskBook
from zareba_rulesets.risk_factor.chapters.movement import full_move
from zareba_rulesets.risk_factor.chapters.sight import marker_body, marker_sees, sees_marker, update_sight
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Marker,
    Unit,
    UnitSpec,
    find_room,
    formation_body,
    is_room_for,
    place_close_behind,
    radius_of,
)
from zareba_rulesets.risk_factor.translation import Plan, first_goal, hidden_units

# --- Hidden markers and dummies: set-up, moves and reveal (RSK-186 to RSK-190) ----------------------------------------


_PLACES = 20  # equally likely places of a marker along the edge of its terrain piece
INSIDE_EDGE = 0.1  # cm between a marker and the edge of its terrain piece
_RING = 2.0  # cm between rings of places tried round a marker


def starts_with_markers(battle: Battle, scenario: Scenario, side: str) -> bool:
    """Return True if a side's hidden units begin as markers (RSK-186)."""
    hidden = hidden_units(battle.book, scenario, battle.field, battle.solo)
    return any(scenario.units[unit].side == side for unit in hidden)


def number_of_dummies(markers: int, rounding: str) -> int:
    """Return half the number of markers, rounded by setting (RSK-187)."""
    return (markers + 1) // 2 if rounding == "up" else markers // 2


@procedure("hidden.set")
def set_markers(table: Table, battle: Battle, scenario: Scenario, plan: Plan, side: str) -> None:
    """Place a marker for each hidden group, and dummies, at random along the front edges of terrain (RSK-187).

    A scenario may name the pieces and the number of dummies. Numbers are assigned to the markers at random too.
    """
    forces = scenario.hidden.get(side)
    secret = _hidden_groups(battle, plan, side)
    dummies = number_of_dummies(len(secret), battle.book.settings.hidden_dummies_rounding)
    if forces is not None and forces.dummies is not None:
        dummies = forces.dummies
    contents = [*secret, *([()] * dummies)]
    pieces = _pieces_for_markers(battle, scenario, side)
    labels = {marker_name(side, number): 1 for number in range(1, len(contents) + 1)}
    enemies = [unit.body.centre for unit in battle.of(battle.enemy(side))] or [(0.0, 0.0)]
    middle = middle_of(enemies)
    markers: dict[str, Marker] = {}
    for units in contents:
        label = table.draw(
            labels,
            why="marker",
            rule="RSK-187",
            actor=side,
            seat=side,
            means=random_draw("the marker of the next unit"),
        )
        del labels[label]
        piece = pieces[
            int(
                table.draw(
                    {f"{n:03d}": 1 for n in range(len(pieces))},
                    why="terrain",
                    rule="RSK-187",
                    actor=label,
                    seat=side,
                    means=random_draw("the terrain piece where it lies"),
                )
            )
        ]
        along = int(
            table.draw(
                {f"{n:02d}": 1 for n in range(_PLACES)},
                why="place",
                rule="RSK-187",
                actor=label,
                seat=side,
                means=random_draw("the position along its edge"),
            )
        )
        at = _front_edge(piece, middle, (along + 0.5) / _PLACES)
        markers[label] = Marker(side, at, units, bool(units) and plan.specs[units[0]].mounted)
    battle.markers.update(sorted(markers.items()))
    for units in secret:
        for name in units:
            unit = battle.units[name]
            unit.body, unit.hurt, unit.armed, unit.action = EMPTY, (), (), "halt"
            unit.mark("hidden")
    table.emit("markers set", "RSK-187", side=side, count=len(markers))


def marker_name(side: str, number: int) -> str:
    """Return the name of a marker."""
    return f"{side} marker {number:02d}"


def _pieces_for_markers(battle: Battle, scenario: Scenario, side: str) -> list[TerrainPiece[Ground]]:
    """Return the concealing pieces that the scenario names, or with its rule `zone`, those in the side's zones. If
    there are none, return all concealing pieces.
    """
    every, forces = battle.field.concealing, scenario.hidden.get(side)
    if forces is None:
        return every
    pieces = [piece for piece in every if piece.name in forces.terrain]
    if not pieces and forces.rule == "zone":
        scale = battle.book.settings.scenario_cm_per_inch
        zones = [[(x * scale, y * scale) for x, y in zone] for zone in scenario.sides[side].deployment.values()]
        pieces = [p for p in every if any(distance_between_polygons(p.points, zone) <= 0 for zone in zones)]
    return pieces or every


def _hidden_groups(battle: Battle, plan: Plan, side: str) -> list[tuple[str, ...]]:
    """Return each hidden group with its leaders."""
    hidden_groups: list[tuple[str, ...]] = []
    for members in plan.hidden.values():
        if plan.specs[members[0]].side != side:
            continue
        groups = [name for name in members if not plan.specs[name].leader]
        leaders = [battle.units[name] for name in members if plan.specs[name].leader]
        for name in groups:
            with_it = [leader.spec.id for leader in leaders if battle.host(leader) is battle.units[name]]
            hidden_groups.append((name, *with_it))
        leaders_left = [
            leader.spec.id for leader in leaders if not any(leader.spec.id in units for units in hidden_groups)
        ]
        if leaders_left and hidden_groups:
            hidden_groups[-1] = (*hidden_groups[-1], *leaders_left)
    return hidden_groups


def _front_edge(piece: TerrainPiece[Ground], middle: Point, share: float) -> Point:
    """Return a point just inside the edge of a piece that faces the players, at `share` of its length."""
    a, b = min(edges(piece.points), key=lambda e: dist(((e[0][0] + e[1][0]) / 2, (e[0][1] + e[1][1]) / 2), middle))
    west, south, east, north = piece.box
    start = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
    return towards(start, ((west + east) / 2, (south + north) / 2), INSIDE_EDGE)


@procedure("hidden.move")
def move_markers(table: Table, battle: Battle) -> None:
    """Throw a D6 for each marker that sees an enemy. On a 6 it moves towards the nearest one. Dummies throw too
    (RSK-189).
    """
    moves, face, stop_short = battle.book.moves, battle.book.file.marker_moves.face, battle.book.lengths["marker_stops"]
    moves_on = at_least(face, "it moves", "it stays")
    enemies = list(battle.against(battle.side))
    for name, marker in battle.markers.items():
        if marker.side != battle.side:
            continue
        seen = [enemy for enemy in enemies if marker_sees(battle, marker, enemy)]
        if not seen or table.roll(1, 6, why="marker moves", rule="RSK-189", actor=name, means=moves_on) < face:
            continue
        goal = min((point for enemy in seen for point in enemy.body.at), key=lambda point: dist(point, marker.at))
        length = min(
            moves["mounted"] if marker.mounted else moves["foot"], max(0.0, dist(goal, marker.at) - stop_short)
        )
        marker.at, marker.went = towards(marker.at, goal, length), length
        table.emit("marker moved", "RSK-189", marker=name, at=marker.at)


def _is_spotted(battle: Battle, name: str, marker: Marker) -> bool:
    """Return True if a marker is spotted by the players' troops, or sees them, depending on `hidden.reveal`
    (RSK-188).
    """
    how = battle.book.settings.hidden_reveal
    enemies = list(battle.against(marker.side))
    if how in ("players_spot", "either") and any(sees_marker(battle, unit, name, marker) for unit in enemies):
        return True
    return how in ("marker_sees", "either") and any(marker_sees(battle, marker, unit) for unit in enemies)


@procedure("hidden.reveal")
def reveal(table: Table, battle: Battle) -> None:
    """Replace spotted markers with their figures, at most 20 cm away. Remove dummies (RSK-188)."""
    for name, marker in list(battle.markers.items()):
        if not _is_spotted(battle, name, marker):
            continue
        del battle.markers[name]
        if not marker.units:
            table.emit("dummy", "RSK-188", marker=name)
            continue
        table.emit("revealed", "RSK-188", marker=name, units=list(marker.units))
        for unit_id in marker.units:
            _place_revealed_unit(table, battle, battle.units[unit_id], marker)
    update_sight(battle)


def _place_revealed_unit(table: Table, battle: Battle, unit: Unit, marker: Marker) -> None:
    """Place the figures of a revealed unit, facing the nearest enemy. The owner chooses the place; a solo side takes
    one near the marker.

    The move of the marker in this turn counts as the move of the unit (RSK-189).
    """
    spec = unit.spec
    enemies = list(battle.against(spec.side))
    spot = marker_body(battle, marker.at)
    nearest = min(enemies, key=lambda enemy: battle.field.gaps[spot, enemy.body].gap) if enemies else None
    unit.facing = bearing_to(marker.at, nearest.body.centre) if nearest is not None else unit.facing
    group = battle.units[marker.units[0]]
    if spec.leader and group is not unit and group.is_on_table:
        body = place_close_behind(battle.field, battle.bodies(), group.body, unit.facing, radius_of(battle.book, spec))
        if _place_refusal(battle, unit, marker, body) is not None:
            body = _in_loose_order(battle, unit, marker, group.body.centre) or body
    else:
        body = _choose_formation(table, battle, unit, marker)
    unit.body = body
    unit.hurt = (False,) * len(body)
    unit.armed = tuple(index < spec.armed for index in range(len(body)))
    unit.unmark("hidden")
    if marker.went:  # counts as moved when shooting (RSK-082, RSK-090)
        unit.mark("moved", *(["far"] if marker.went > full_move(battle, unit) / 2 + 1e-6 else []))
    table.emit("placed", "RSK-188", unit=spec.id, at=body.centre, bearing=round(unit.facing))


def _choose_formation(table: Table, battle: Battle, unit: Unit, marker: Marker) -> Body:
    """Return a revealed unit drawn up in one line, or in as few ranks as find room, or in loose order if no formation
    does.

    A solo side takes the place with the most figures in cover, then the nearest. Other owners choose.
    """
    spec = unit.spec
    radius = radius_of(battle.book, spec)
    for width in dict.fromkeys(-(-spec.figures // rows) for rows in range(1, spec.figures + 1)):
        body = body_in_ranks(marker.at, unit.facing, spec.figures, radius, width)
        best = _best_place(battle, unit, marker, body)
        if best is None:
            continue
        if battle.is_solo(spec.side):
            return _shifted_to(body, marker, best)

        def refuse(at: Point, line: Body = body) -> str | None:
            return _place_refusal(battle, unit, marker, _shifted_to(line, marker, at))

        at = table.place(spec.side, [best], refuse, why="draw up", rule="RSK-188", actor=spec.id)
        return _shifted_to(body, marker, at)
    loose = _in_loose_order(battle, unit, marker, marker.at)
    block = body_in_ranks(marker.at, unit.facing, spec.figures, radius, isqrt(spec.figures))
    return loose or find_room(battle.field, battle.bodies(), block)


def _in_loose_order(battle: Battle, unit: Unit, marker: Marker, near: Point) -> Body | None:
    """Return every figure placed singly where there is room near the marker, as close to `near` as possible. None if
    there is no room for all.
    """
    radius, positions = radius_of(battle.book, unit.spec), list[Point]()
    for at in sorted(_places_about(marker.at, battle.book.lengths["reveal"]), key=lambda at: dist(at, near)):
        is_clear = all(dist(at, mate) >= 2 * radius for mate in positions)
        if is_clear and _place_refusal(battle, unit, marker, Body((at,), radius)) is None:
            positions.append(at)
            if len(positions) == unit.spec.figures:
                return Body(tuple(positions), radius)
    return None


def _best_place(battle: Battle, unit: Unit, marker: Marker, unit_body: Body) -> Point | None:
    """Return the place where a formation has room and the fewest figures without cover, then the nearest to the marker.
    None if there is no room.
    """
    best, fewest_uncovered = None, len(unit_body) + 1
    for at in _places_about(marker.at, battle.book.lengths["reveal"]):
        body = _shifted_to(unit_body, marker, at)
        if _place_refusal(battle, unit, marker, body) is None:
            uncovered = sum(battle.field.cover_of(body, index, None) == "open" for index in range(len(body)))
            if uncovered < fewest_uncovered:
                best, fewest_uncovered = at, uncovered
            if not uncovered:
                break
    return best


def _shifted_to(body: Body, marker: Marker, at: Point) -> Body:
    """Return a formation shifted from the marker to another point."""
    return body.moved_by(at[0] - marker.at[0], at[1] - marker.at[1])


def _places_about(middle: Point, limit: float) -> list[Point]:
    """Return a point, then points in rings 2 cm apart round it, nearest first."""
    x, y = middle
    return [middle, *((x + dx, y + dy) for dx, dy in rings(_RING, limit, least=8, per=8 / _RING))]


def _place_refusal(battle: Battle, unit: Unit, marker: Marker, body: Body) -> str | None:
    """Return the reason why revealed figures cannot stand at a place: too far from the marker, no room for the bases,
    or in contact with an enemy. None if they can.
    """
    limit, contact = battle.book.lengths["reveal"], battle.book.lengths["contact"]
    if max(dist(point, marker.at) for point in body.at) > limit:
        return f"figures are placed within {limit:g} cm of the marker (RSK-188)"
    if not is_room_for(battle.field, battle.bodies(), body, ()):
        return "there is no room for their bases"
    if any(battle.field.gaps[body, enemy.body].gap <= contact for enemy in battle.against(unit.spec.side)):
        return "figures cannot be placed in contact with an enemy (RSK-189)"
    return None


# --- The starting position, the first actions, the first side, and reinforcements -------------------------------------


_FIRST = remark("the highest roll goes first (ties roll again)")

_ORDERS = {"hold": "halt", "advance": "advance", "attack": "attack", "withdraw": "retreat"}


def first_state(book: RskBook, scenario: Scenario, plan: Plan, solo: frozenset[str], phase: str) -> Battle:
    """Return the state before the first step: units on the table are steady and in place (RSK-191). Markers are set
    later.
    """
    units = {}
    for name, spec in plan.specs.items():
        is_absent = name in plan.arrivals
        body = EMPTY if is_absent else plan.bodies[name]
        units[name] = _new_unit(book, spec, body, plan.facing[name])
        _first_action(book, scenario, plan, units[name])
    order = list(scenario.sides)
    if scenario.first in scenario.sides:
        order.sort(key=lambda side: side != scenario.first)
    else:
        order.sort(key=lambda side: scenario.sides[side].role != "attacker")
    scale = book.settings.scenario_cm_per_inch
    carried_objects = {}
    for key, thing in scenario.objects.items():
        carrier = next((n for n, s in plan.specs.items() if s.parent == thing.carrier and not s.leader), "")
        if carrier or thing.position is not None:
            at = thing.position or (0.0, 0.0)
            carried_objects[key] = CarriedObject((at[0] * scale, at[1] * scale), carrier)
    return blank(
        Battle,
        turn=1,
        order=order,
        phase=phase,
        units=units,
        commanders={pc: side for side, pcs in plan.commanders.items() if side not in solo for pc in pcs},
        arrivals=dict(plan.arrivals),
        carried_objects=carried_objects,
        book=book,
        field=plan.field,
        solo=solo,
    )


def _new_unit(book: RskBook, spec: UnitSpec, body: Body, facing: float) -> Unit:
    """Return a unit as it starts the battle, with all its figures at these points."""
    count = len(body)
    marks = frozenset({"loaded"}) if book.settings.shooting_start_loaded else frozenset()  # RSK-088
    return Unit(
        body=body,
        hurt=(False,) * count,
        armed=tuple(index < spec.armed for index in range(count)),
        facing=facing,
        original=spec.figures,
        marks=marks,
        spec=spec,
    )


def _first_action(book: RskBook, scenario: Scenario, plan: Plan, unit: Unit) -> None:
    """Set the action of a unit before its first throw (RSK-191).

    It is the order that the scenario gives. Without one, an escorted unit marches to its goal; units of every side
    that is not the defender march to the nearest objective; all others halt.
    """
    if book.settings.actions_start == "halt":
        return
    spec = unit.spec
    entry = scenario.units.get(spec.parent)
    if entry is not None and entry.orders is not None:
        unit.action = _ORDERS[entry.orders]
        return
    start = plan.entries.get(spec.id) or unit.body.centre
    escorted = _escort_goal(scenario, plan, spec, start)
    if escorted is not None:
        unit.action, unit.goal = "march", escorted
    elif scenario.sides[spec.side].role != "defender" and not spec.civilian:
        scale = book.settings.scenario_cm_per_inch
        unit.action, unit.goal = "march", first_goal(scenario, plan, spec.side, start, scale)


def _escort_goal(scenario: Scenario, plan: Plan, spec: UnitSpec, start: Point) -> Point | None:
    """Return the destination of an escorted unit, a place or the nearest point of an edge, or None for other units."""
    for key, goal in scenario.objectives.items():
        if goal.kind == "escort" and spec.parent in goal.units:
            if key in plan.places:
                return plan.places[key].centre
            return nearest_on_edge(start, plan.field.table.extent, goal.edge or "north")
    return None


def rolls_for_first_side(book: RskBook, scenario: Scenario) -> bool:
    """Return True if dice decide who goes first (RSK-042): by the setting, by the scenario, or because the scenario
    names neither who goes first nor one attacker.
    """
    attackers = [side for side, entry in scenario.sides.items() if entry.role == "attacker"]
    is_open = scenario.first not in scenario.sides and len(attackers) != 1
    return book.settings.turn_first_side == "dice" or scenario.first == "dice" or is_open


@procedure("setup.begin")
def begin(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Before the first turn: the throw for the first side where there is one (RSK-042), and the hidden markers
    (RSK-187).
    """
    if rolls_for_first_side(battle.book, scenario):
        ranked = roll_for_order(table, list(scenario.sides), 6, why="first side", rule="RSK-042", means=_FIRST)
        battle.order = ranked[::-1]
    for side in scenario.sides:
        if starts_with_markers(battle, scenario, side):
            set_markers(table, battle, scenario, plan, side)
    battle.begun = True  # only now: no side sees the units behind the markers until all markers are placed


@procedure("setup.arrive")
def arrivals(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Bring on the units that are due at their edge, if the die that the scenario asks for allows it."""
    due: dict[str, list[str]] = {}
    for name, turn in battle.arrivals.items():
        spec = plan.specs[name]
        if turn <= battle.turn and spec.side == battle.side:
            leader = scenario.leaders.get(name)
            arrives_alone = leader is not None and leader.arrival is not None
            due.setdefault(name if arrives_alone else spec.parent, []).append(name)
    for parent, names in due.items():
        entry = scenario.units.get(parent) or scenario.leaders[parent]
        if not arrives(table, entry.arrival, parent, "RSK-185"):
            continue
        for name in sorted(names, key=lambda name: bool(plan.specs[name].leader)):
            _enter_table(battle, plan, name, names)
            del battle.arrivals[name]
            table.emit("arrived", "RSK-185", unit=name, at=battle.units[name].body.centre)


def _enter_table(battle: Battle, plan: Plan, name: str, names: list[str]) -> None:
    """Place an arriving unit at its point of entry: in column, or a leader behind a group that has arrived with him."""
    spec, unit = plan.specs[name], battle.units[name]
    occupied = [unit.body for unit in battle.units.values() if unit.is_on_table]
    groups = [n for n in names if not plan.specs[n].leader and battle.units[n].is_on_table]
    if spec.leader and groups:
        body = place_close_behind(
            battle.field, occupied, battle.units[groups[0]].body, unit.facing, radius_of(battle.book, spec)
        )
    else:
        body = find_room(
            battle.field, occupied, formation_body(battle.field, spec, "column", plan.entries[name], unit.facing)
        )
    unit.body = body
    unit.hurt = (False,) * len(body)
    unit.armed = tuple(index < spec.armed for index in range(len(body)))
