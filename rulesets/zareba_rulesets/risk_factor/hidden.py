"""Hidden markers and dummies (RSK-186 to RSK-190): setting them, what they do, how they are revealed."""

from __future__ import annotations

from math import dist

from zareba.rules import procedure
from zareba.scenario import Scenario
from zareba.space.geometry import Point, edges
from zareba.table import Table
from zareba_rulesets.risk_factor.battle import Battle, Marker, Unit
from zareba_rulesets.risk_factor.body import EMPTY, Body, bearing_to, ranks, towards
from zareba_rulesets.risk_factor.pieces import Piece
from zareba_rulesets.risk_factor.sight import look, marker_body, marker_sees, sees_marker
from zareba_rulesets.risk_factor.translation import Plan
from zareba_rulesets.risk_factor.translation.places import beside, find_room, radius_of

__all__ = ["hides", "move_markers", "number_of_dummies", "reveal", "set_markers"]

PLACES = 20


def hides(battle: Battle, scenario: Scenario, side: str) -> bool:
    """Whether a side's hidden units begin as markers (RSK-186): by itself only for a solo side against players."""
    if not any(unit.hidden for unit in scenario.units_of(side).values()) or not battle.field.concealing:
        return False
    use = battle.book.settings.hidden_use
    if use == "auto":
        return battle.is_solo(side) and not battle.is_solo(battle.enemy(side))
    return use == "on"


def number_of_dummies(markers: int, rounding: str) -> int:
    """Half as many dummies as markers (RSK-187)."""
    return (markers + 1) // 2 if rounding == "up" else markers // 2


@procedure("hidden.set")
def set_markers(table: Table, battle: Battle, scenario: Scenario, plan: Plan, side: str) -> None:
    """RSK-187: a marker for each hidden group and dummies besides, at random along the front edges of terrain.

    A scenario may name the pieces and the number of dummies. Which marker stands for whom is drawn too.
    """
    forces = scenario.hidden.get(side)
    secret = _hidden_groups(battle, plan, side)
    dummies = number_of_dummies(len(secret), battle.book.settings.hidden_dummies_rounding)
    if forces is not None and forces.dummies is not None:
        dummies = forces.dummies
    contents = [*secret, *([()] * dummies)]
    named = [p for p in battle.field.concealing if forces is not None and p.name in forces.terrain]
    pieces = named or battle.field.concealing
    labels = {f"{side} marker {number:02d}": 1 for number in range(1, len(contents) + 1)}
    players = [unit.body.centre for unit in battle.of(battle.enemy(side))] or [(0.0, 0.0)]
    middle = (sum(x for x, _ in players) / len(players), sum(y for _, y in players) / len(players))
    found: dict[str, Marker] = {}
    for units in contents:
        label = table.draw(labels, why="marker", rule="RSK-187", actor=side, seat=side)
        del labels[label]
        piece = pieces[
            int(
                table.draw(
                    {f"{n:03d}": 1 for n in range(len(pieces))}, why="terrain", rule="RSK-187", actor=label, seat=side
                )
            )
        ]
        along = int(
            table.draw({f"{n:02d}": 1 for n in range(PLACES)}, why="place", rule="RSK-187", actor=label, seat=side)
        )
        at = _front_edge(piece, middle, (along + 0.5) / PLACES)
        found[label] = Marker(side, at, units, any(plan.specs[name].mounted for name in units))
    battle.markers.update(sorted(found.items()))
    for units in secret:
        for name in units:
            unit = battle.units[name]
            unit.body, unit.hurt, unit.armed, unit.action = EMPTY, (), (), "halt"
            unit.mark("hidden")
    table.tell("markers set", "RSK-187", side=side, count=len(found))


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


def _front_edge(piece: Piece, middle: Point, share: float) -> Point:
    """A place along the side of a piece that faces the players."""
    a, b = min(edges(piece.points), key=lambda e: dist(((e[0][0] + e[1][0]) / 2, (e[0][1] + e[1][1]) / 2), middle))
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


@procedure("hidden.move")
def move_markers(table: Table, battle: Battle) -> None:
    """RSK-189: each marker that sees an enemy throws a D6 and on a 6 goes towards the nearest; dummies throw too."""
    moves = battle.book.moves
    enemies = list(battle.against(battle.side))
    for name, marker in battle.markers.items():
        if marker.side != battle.side:
            continue
        seen = [enemy for enemy in enemies if marker_sees(battle, marker, enemy)]
        if not seen or table.roll(1, 6, why="marker moves", rule="RSK-189", actor=name) < 6:
            continue
        goal = min((point for enemy in seen for point in enemy.body.at), key=lambda point: dist(point, marker.at))
        length = min(moves["mounted"] if marker.mounted else moves["foot"], max(0.0, dist(goal, marker.at) - 5.0))
        marker.at = towards(marker.at, goal, length)
        table.tell("marker moved", "RSK-189", marker=name)


def _is_spotted(battle: Battle, name: str, marker: Marker) -> bool:
    """RSK-188: spotted by the players' troops, or with the setting by seeing them."""
    how = battle.book.settings.hidden_reveal
    enemies = list(battle.against(marker.side))
    if how in ("players_spot", "either") and any(sees_marker(battle, unit, name, marker) for unit in enemies):
        return True
    return how in ("marker_sees", "either") and any(marker_sees(battle, marker, unit) for unit in enemies)


@procedure("hidden.reveal")
def reveal(table: Table, battle: Battle, plan: Plan) -> None:
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
            _put_down(table, battle, plan, battle.units[unit_id], marker)
    look(battle)


def _put_down(table: Table, battle: Battle, plan: Plan, unit: Unit, marker: Marker) -> None:
    """The figures of a revealed unit: where its owner says, or for a solo side about the marker, facing the nearest enemy."""
    spec = unit.spec
    taken = [other.body for other in battle.units.values() if other.hurt]
    radius = radius_of(battle.book, spec)
    enemies = list(battle.against(spec.side))
    spot = marker_body(marker.at)
    nearest = min(enemies, key=lambda enemy: battle.field.gaps[spot, enemy.body].gap) if enemies else None
    unit.facing = bearing_to(marker.at, nearest.body.centre) if nearest is not None else unit.facing
    group = battle.units[marker.units[0]]
    limit = battle.book.lengths["reveal"]
    rows = -(-spec.figures // int(2 * limit / (2.2 * radius)))
    width = -(-spec.figures // rows)

    def drawn(at: Point) -> Body:
        return ranks(at, unit.facing, spec.figures, radius, width)

    if spec.leader and group is not unit and group.hurt:
        body = beside(battle.field, taken, group.body, unit.facing, radius)
    else:
        spare = limit - max(dist(point, marker.at) for point in drawn(marker.at).at)
        body = find_room(battle.field, taken, drawn(marker.at), limit=spare)
        if not battle.is_solo(spec.side):

            def refuse(at: Point) -> str | None:
                far = max(dist(point, marker.at) for point in drawn(at).at)
                return None if far <= limit else f"figures are placed within {limit:g} cm of the marker (RSK-188)"

            near = body.centre if refuse(body.centre) is None else marker.at
            at = table.place(spec.side, [near], refuse, why="draw up", rule="RSK-188", actor=spec.id)
            body = find_room(
                battle.field, taken, drawn(at), limit=limit - max(dist(p, marker.at) for p in drawn(at).at)
            )
    unit.body = body
    unit.hurt = (False,) * len(body)
    unit.armed = tuple(index < spec.armed for index in range(len(body)))
    unit.unmark("hidden")
