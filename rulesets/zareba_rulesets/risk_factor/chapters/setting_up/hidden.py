"""Hidden markers and dummies (RSK-186 to RSK-190): setting them, what they do, how they are revealed."""

from __future__ import annotations

from math import isqrt

from zareba.base.exact import dist
from zareba.chance import at_least, lot
from zareba.rules import procedure
from zareba.scenario import Scenario
from zareba.space.bearings import bearing_to
from zareba.space.field.bodies import EMPTY, Body, ranks
from zareba.space.field.pieces import Piece
from zareba.space.geometry import Point, distance_between_polygons, edges, middle_of, towards
from zareba.space.moves.room import rings
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import Ground
from zareba_rulesets.risk_factor.chapters.movement.paths import full_move
from zareba_rulesets.risk_factor.chapters.sight.sight import look, marker_body, marker_sees, sees_marker
from zareba_rulesets.risk_factor.forces.battle import Battle, Marker, Unit
from zareba_rulesets.risk_factor.forces.places import beside, find_room, fits, radius_of
from zareba_rulesets.risk_factor.translation import Plan, hidden_units

__all__ = ["hides", "marker_name", "move_markers", "number_of_dummies", "reveal", "set_markers"]

PLACES = 20
WITHIN = 0.1  # cm from the edge of a piece to markers in it
RING = 2.0  # cm between the rings of places tried round a marker


def hides(battle: Battle, scenario: Scenario, side: str) -> bool:
    """Return True if a side's hidden units begin as markers (RSK-186)."""
    hidden = hidden_units(battle.book, scenario, battle.field, battle.solo)
    return any(scenario.units[unit].side == side for unit in hidden)


def number_of_dummies(markers: int, rounding: str) -> int:
    """Half as many dummies as markers (RSK-187)."""
    return (markers + 1) // 2 if rounding == "up" else markers // 2


@procedure("hidden.set")
def set_markers(table: Table, battle: Battle, scenario: Scenario, plan: Plan, side: str) -> None:
    """RSK-187: a marker for each hidden group and dummies besides, at random along the front edges of terrain.

    A scenario may say which pieces, and how many dummies. Which marker stands for whom is drawn too.
    """
    forces = scenario.hidden.get(side)
    secret = _hidden_groups(battle, plan, side)
    dummies = number_of_dummies(len(secret), battle.book.settings.hidden_dummies_rounding)
    if forces is not None and forces.dummies is not None:
        dummies = forces.dummies
    contents = [*secret, *([()] * dummies)]
    pieces = _hiding_places(battle, scenario, side)
    labels = {marker_name(side, number): 1 for number in range(1, len(contents) + 1)}
    players = [unit.body.centre for unit in battle.of(battle.enemy(side))] or [(0.0, 0.0)]
    middle = middle_of(players)
    found: dict[str, Marker] = {}
    for units in contents:
        label = table.draw(
            labels, why="marker", rule="RSK-187", actor=side, seat=side, means=lot("the marker of the next unit")
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
                    means=lot("behind which piece of ground it lies"),
                )
            )
        ]
        along = int(
            table.draw(
                {f"{n:02d}": 1 for n in range(PLACES)},
                why="place",
                rule="RSK-187",
                actor=label,
                seat=side,
                means=lot("where along it"),
            )
        )
        at = _front_edge(piece, middle, (along + 0.5) / PLACES)
        found[label] = Marker(side, at, units, bool(units) and plan.specs[units[0]].mounted)
    battle.markers.update(sorted(found.items()))
    for units in secret:
        for name in units:
            unit = battle.units[name]
            unit.body, unit.hurt, unit.armed, unit.action = EMPTY, (), (), "halt"
            unit.mark("hidden")
    table.tell("markers set", "RSK-187", side=side, count=len(found))


def marker_name(side: str, number: int) -> str:
    """What a marker of a side is called."""
    return f"{side} marker {number:02d}"


def _hiding_places(battle: Battle, scenario: Scenario, side: str) -> list[Piece[Ground]]:
    """The concealing pieces that the scenario names, or with its rule `zone` those in the side's zones; else all there are."""
    every, forces = battle.field.concealing, scenario.hidden.get(side)
    if forces is None:
        return every
    found = [piece for piece in every if piece.name in forces.terrain]
    if not found and forces.rule == "zone":
        scale = battle.book.settings.scenario_cm_per_inch
        zones = [[(x * scale, y * scale) for x, y in zone] for zone in scenario.sides[side].deployment.values()]
        found = [p for p in every if any(distance_between_polygons(p.points, zone) <= 0 for zone in zones)]
    return found or every


def _hidden_groups(battle: Battle, plan: Plan, side: str) -> list[tuple[str, ...]]:
    """Each hidden group with the leaders who stand with it."""
    found: list[tuple[str, ...]] = []
    for members in plan.hidden.values():
        if plan.specs[members[0]].side != side:
            continue
        groups = [name for name in members if not plan.specs[name].leader]
        leaders = [battle.units[name] for name in members if plan.specs[name].leader]
        for name in groups:
            with_it = [leader.spec.id for leader in leaders if battle.host(leader) is battle.units[name]]
            found.append((name, *with_it))
        left = [leader.spec.id for leader in leaders if not any(leader.spec.id in units for units in found)]
        if left and found:
            found[-1] = (*found[-1], *left)
    return found


def _front_edge(piece: Piece[Ground], middle: Point, share: float) -> Point:
    """A place along the side of a piece that faces the players, just within it."""
    a, b = min(edges(piece.points), key=lambda e: dist(((e[0][0] + e[1][0]) / 2, (e[0][1] + e[1][1]) / 2), middle))
    west, south, east, north = piece.box
    start = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
    return towards(start, ((west + east) / 2, (south + north) / 2), WITHIN)


@procedure("hidden.move")
def move_markers(table: Table, battle: Battle) -> None:
    """RSK-189: each marker that sees an enemy throws a D6 and on a 6 goes towards the nearest; dummies throw too."""
    moves, face, short = battle.book.moves, battle.book.file.marker_moves.face, battle.book.lengths["marker_stops"]
    moves_on = at_least(face, "it moves", "it stays")
    enemies = list(battle.against(battle.side))
    for name, marker in battle.markers.items():
        if marker.side != battle.side:
            continue
        seen = [enemy for enemy in enemies if marker_sees(battle, marker, enemy)]
        if not seen or table.roll(1, 6, why="marker moves", rule="RSK-189", actor=name, means=moves_on) < face:
            continue
        goal = min((point for enemy in seen for point in enemy.body.at), key=lambda point: dist(point, marker.at))
        length = min(moves["mounted"] if marker.mounted else moves["foot"], max(0.0, dist(goal, marker.at) - short))
        marker.at, marker.went = towards(marker.at, goal, length), length
        table.tell("marker moved", "RSK-189", marker=name, at=marker.at)


def _is_spotted(battle: Battle, name: str, marker: Marker) -> bool:
    """RSK-188: spotted by the players' troops, or with the setting by seeing them."""
    how = battle.book.settings.hidden_reveal
    enemies = list(battle.against(marker.side))
    if how in ("players_spot", "either") and any(sees_marker(battle, unit, name, marker) for unit in enemies):
        return True
    return how in ("marker_sees", "either") and any(marker_sees(battle, marker, unit) for unit in enemies)


@procedure("hidden.reveal")
def reveal(table: Table, battle: Battle) -> None:
    """RSK-188: spotted markers give way to their figures, none more than 20 cm off; dummies are taken away."""
    for name, marker in list(battle.markers.items()):
        if not _is_spotted(battle, name, marker):
            continue
        del battle.markers[name]
        if not marker.units:
            table.tell("dummy", "RSK-188", marker=name)
            continue
        table.tell("revealed", "RSK-188", marker=name, units=list(marker.units))
        for unit_id in marker.units:
            _put_down(table, battle, battle.units[unit_id], marker)
    look(battle)


def _put_down(table: Table, battle: Battle, unit: Unit, marker: Marker) -> None:
    """The figures of a revealed unit: where its owner says, or for a solo side about the marker, facing the nearest enemy.

    What its marker went in this turn its men have gone (RSK-189).
    """
    spec = unit.spec
    enemies = list(battle.against(spec.side))
    spot = marker_body(battle, marker.at)
    nearest = min(enemies, key=lambda enemy: battle.field.gaps[spot, enemy.body].gap) if enemies else None
    unit.facing = bearing_to(marker.at, nearest.body.centre) if nearest is not None else unit.facing
    group = battle.units[marker.units[0]]
    if spec.leader and group is not unit and group.hurt:
        body = beside(battle.field, battle.bodies(), group.body, unit.facing, radius_of(battle.book, spec))
        if _why_not(battle, unit, marker, body) is not None:
            body = _in_loose_order(battle, unit, marker, group.body.centre) or body
    else:
        body = _drawn_up(table, battle, unit, marker)
    unit.body = body
    unit.hurt = (False,) * len(body)
    unit.armed = tuple(index < spec.armed for index in range(len(body)))
    unit.unmark("hidden")
    if marker.went:  # he has moved, for his shots (RSK-082, RSK-090)
        unit.mark("moved", *(["far"] if marker.went > full_move(battle, unit) / 2 + 1e-6 else []))
    table.tell("placed", "RSK-188", unit=spec.id, at=body.centre, bearing=round(unit.facing))


def _drawn_up(table: Table, battle: Battle, unit: Unit, marker: Marker) -> Body:
    """In one line, or as few ranks as find room about the marker, or in none where not even a file does.

    A solo side takes the place with the most men in cover, the nearest of these; other owners are asked for theirs.
    """
    spec = unit.spec
    radius = radius_of(battle.book, spec)
    for width in dict.fromkeys(-(-spec.figures // rows) for rows in range(1, spec.figures + 1)):
        drawn = ranks(marker.at, unit.facing, spec.figures, radius, width)
        best = _best_place(battle, unit, marker, drawn)
        if best is None:
            continue
        if battle.is_solo(spec.side):
            return _drawn_at(drawn, marker, best)

        def refuse(at: Point, line: Body = drawn) -> str | None:
            return _why_not(battle, unit, marker, _drawn_at(line, marker, at))

        at = table.place(spec.side, [best], refuse, why="draw up", rule="RSK-188", actor=spec.id)
        return _drawn_at(drawn, marker, at)
    loose = _in_loose_order(battle, unit, marker, marker.at)
    block = ranks(marker.at, unit.facing, spec.figures, radius, isqrt(spec.figures))
    return loose or find_room(battle.field, battle.bodies(), block)


def _in_loose_order(battle: Battle, unit: Unit, marker: Marker, near: Point) -> Body | None:
    """Every figure where there is room for it about the marker, as close to a point as can be; None without room for all."""
    radius, found = radius_of(battle.book, unit.spec), list[Point]()
    for at in sorted(_places_about(marker.at, battle.book.lengths["reveal"]), key=lambda at: dist(at, near)):
        apart = all(dist(at, mate) >= 2 * radius for mate in found)
        if apart and _why_not(battle, unit, marker, Body((at,), radius)) is None:
            found.append(at)
            if len(found) == unit.spec.figures:
                return Body(tuple(found), radius)
    return None


def _best_place(battle: Battle, unit: Unit, marker: Marker, drawn: Body) -> Point | None:
    """Where men so drawn up have room and fewest stand without cover, the nearest of such places to the marker."""
    best, least = None, len(drawn) + 1
    for at in _places_about(marker.at, battle.book.lengths["reveal"]):
        body = _drawn_at(drawn, marker, at)
        if _why_not(battle, unit, marker, body) is None:
            bare = sum(battle.field.cover_of(body, index, None) == "open" for index in range(len(body)))
            if bare < least:
                best, least = at, bare
            if not bare:
                break
    return best


def _drawn_at(drawn: Body, marker: Marker, at: Point) -> Body:
    """Men drawn up round a marker, shifted to stand round another point."""
    return drawn.shifted(at[0] - marker.at[0], at[1] - marker.at[1])


def _places_about(middle: Point, limit: float) -> list[Point]:
    """A point and others round it in rings 2 cm apart, nearest first."""
    x, y = middle
    return [middle, *((x + dx, y + dy) for dx, dy in rings(RING, limit, least=8, per=8 / RING))]


def _why_not(battle: Battle, unit: Unit, marker: Marker, body: Body) -> str | None:
    """Why revealed figures cannot stand so: too far from the marker, on other bases, or against an enemy; None if they can."""
    limit, contact = battle.book.lengths["reveal"], battle.book.lengths["contact"]
    if max(dist(point, marker.at) for point in body.at) > limit:
        return f"figures are placed within {limit:g} cm of the marker (RSK-188)"
    if not fits(battle.field, battle.bodies(), body, ()):
        return "there is no room for their bases"
    if any(battle.field.gaps[body, enemy.body].gap <= contact for enemy in battle.against(unit.spec.side)):
        return "nobody is placed in contact with an enemy (RSK-189)"
    return None
