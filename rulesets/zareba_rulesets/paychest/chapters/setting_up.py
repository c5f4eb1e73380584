"""Setting up, arrivals and recycled units (PAY-046 to PAY-048, PAY-065, PAY-195 to PAY-197)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from zareba.base.exact import dist
from zareba.base.state import CopyOnWrite, blank
from zareba.battle.arrivals import arrives
from zareba.scenario import Scenario
from zareba.space import Point
from zareba.space.geometry import Points, is_inside, middle_of
from zareba.space.outlines import EDGES, INWARD, nearest_on_edge
from zareba.table import Deck, Table
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.command import best_leader
from zareba_rulesets.paychest.chapters.marching import release_from_bearers
from zareba_rulesets.paychest.chapters.mounts import place_against
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.formation import (
    crowd_around,
    depth_of,
    form_up,
    nearest_free,
    roomiest_point,
    shift_block_into,
)
from zareba_rulesets.paychest.forces.units import Figure, FigureSpec, Unit
from zareba_rulesets.paychest.translation import Plan, objectives_of

_ALONG_EDGE = 12.0
"""The distance in inches along the edge within which a unit that arrives looks for room."""
_ROOM_WITHIN = 24.0
"""The distance in inches within which room is sought for a gun and its crew (PAY-046)."""


def first_state(book: PaychestBook, scenario: Scenario, plan: Plan, stage: str) -> Battle:
    """Return the battle before the first step. Units with a fixed place are on the table; the rest wait (PAY-048)."""
    units = {}
    for unit_id, spec in plan.units.items():
        figures = {name: new_figure(plan.figures[name]) for name in spec.figures}
        units[unit_id] = Unit(figures, "", spec=spec)
    battle = blank(
        Battle,
        turn=1,
        stage=stage,
        units=CopyOnWrite(units),
        engines=CopyOnWrite((key, engine.copy()) for key, engine in plan.engines.items()),
        things=CopyOnWrite((key, thing.copy()) for key, thing in plan.things.items()),
        cards=Deck({}, {}),
        casualties=Deck(book.full_deck(), {}),
        waiting=_units_to_set_up(scenario, plan),
        arrivals={unit_id: arrival.turn for unit_id, arrival in plan.arrivals.items()},
        commanders=dict.fromkeys(scenario.sides, "") | plan.commanders,
        book=book,
        field=plan.field,
        objectives=objectives_of(book, scenario, plan),
    )
    for thing_id, thing in battle.things.items():
        if thing.carrier:
            battle.figure(thing.carrier).loads += (thing_id,)
    for unit_id, unit in units.items():
        unit.leader = _first_leader(battle, unit)
        if unit_id in plan.placed and unit_id not in plan.zones:
            set_down(battle, unit, plan.placed[unit_id], plan.ahead[unit_id])
    return battle


def new_figure(spec: FigureSpec) -> Figure:
    """Return a figure as its roster line describes it, not yet on the table."""
    return Figure(None, "able", "halt", spec.weapons, spec.rank, spec.mount, spec=spec)


def _first_leader(battle: Battle, unit: Unit) -> str:
    """Return the roster's leader: the highest leader figure, even if it is not on the table yet."""
    order = battle.book.rank_order
    fit = [figure for figure in unit.figures.values() if battle.is_leader(figure)]
    best = min(fit, key=lambda figure: order[figure.rank], default=None)
    return best.spec.id if best is not None else best_leader(battle, fit)


def _units_to_set_up(scenario: Scenario, plan: Plan) -> list[str]:
    """Return the units that players set up, in order, the defender's first (PAY-048)."""
    roles = {"defender": 0, "either": 1, "attacker": 2}
    sides = sorted(scenario.sides, key=lambda s: (roles[scenario.sides[s].role], scenario.sides[s].deploys))
    return [unit for side in sides for unit in plan.zones if plan.units[unit].side == side]


def set_down(battle: Battle, unit: Unit, at: Point, ahead: Point, zone: Points = ()) -> None:
    """Put a unit's figures, guns and conveyances on the table around a point, inside the zone if there is one.

    Without a zone no base hangs over the table edge. Equipment that a recycled unit left on the table stays where it
    is (PAY-197).
    """
    figures = list(unit.figures.values())
    for figure in figures:
        figure.appearances += 1
    engines = [key for key, engine in battle.engines.items() if engine.unit == unit.spec.id and engine.at is None]
    lay_out(battle, unit, figures, engines, at, ahead, zone)


def lay_out(
    battle: Battle,
    unit: Unit,
    figures: Sequence[Figure],
    own: Sequence[str],
    at: Point,
    ahead: Point,
    zone: Points = (),
) -> None:
    """Place some figures and engines of a unit, not yet on the table, around a point."""
    engines = {key: battle.engines.change(key) for key in own}
    for key, engine in engines.items():
        if engine.carrier:
            continue
        crowd = crowd_around(battle, at, _ROOM_WITHIN + 2.0, (key,))
        column = "air" if engine.kind == "flyer" else "wheels"
        base = battle.engine_radius(engine)
        room = base + 2 * battle.book.bases["foot"] if _is_gun(engine) else base  # room for its crew
        ground = zone or battle.field.area_inside(base)
        (want,) = shift_block_into([at], ground, room if zone else 0.0)
        engine.at = nearest_free(battle, want, room, column, crowd, _ROOM_WITHIN, zone=ground) or at
        for name in engine.aboard:
            passenger = battle.change_figure(name)
            passenger.at, passenger.aboard = engine.at, key
    for engine in engines.values():
        if engine.carrier:
            engine.at = engines[engine.carrier].at
    afoot = [figure for figure in figures if not figure.aboard]
    guns = [engine for engine in engines.values() if _is_gun(engine) and not engine.carrier]
    ground = zone or battle.field.area_inside(max([battle.radius(figure) for figure in afoot], default=0.0))
    if not guns:
        form_up(battle, unit, afoot, at, ahead, ground)
    for number, figure in enumerate(afoot if guns else ()):
        engine = guns[number % len(guns)]
        assert engine.at is not None, "it was placed above"
        place_against(battle, figure, engine.at, battle.engine_radius(engine), ground)
    unit.measure()


def _is_gun(engine: Engine) -> bool:
    """Return True if an engine is a gun or machine gun."""
    return engine.kind in ("gun", "machine_gun")


def _depth(battle: Battle, unit: Unit) -> float:
    """Return how far from the edge a unit's centre is if its rearmost base touches the edge (PAY-065)."""
    engines = [e for e in battle.engines.values() if e.unit == unit.spec.id and e.at is None and not e.carrier]
    aboard = {name for engine in engines for name in engine.aboard}
    afoot = [figure for key, figure in unit.figures.items() if key not in aboard]
    depths = [battle.engine_radius(engine) for engine in engines]
    if afoot and not any(_is_gun(engine) for engine in engines):
        depths.append(depth_of(battle, afoot))
    return max(depths)


def place_next(table: Table, battle: Battle, plan: Plan) -> None:
    """Set up the next unit: its owner names a point in its zone, and the figures form up there (PAY-048)."""
    unit = battle.change(battle.waiting[0])
    unit_id = unit.spec.id
    zone = plan.zones[unit_id]
    column = "mounted" if any(figure.mount for figure in unit.figures.values()) else "foot"

    def refuse(point: Point) -> str | None:
        if not is_inside(point, zone):
            return "that point is outside the unit's zone"
        return None if battle.field.move_costs[column].can_stand(point) else "no figure can stand there"

    middle = middle_of(zone)
    points = [plan.placed[unit_id], middle, *(((x + middle[0]) / 2, (y + middle[1]) / 2) for x, y in zone)]
    suggested = [point for point in points if refuse(point) is None] or [plan.placed[unit_id]]
    at = table.place(unit.spec.side, suggested, refuse, why="set up at", rule="PAY-048", actor=unit_id)
    del battle.waiting[0]  # until it stands on the table it counts as still to come, not as lost
    set_down(battle, unit, at, plan.ahead[unit_id], zone)
    table.emit("set up", "PAY-048", unit=unit_id, at=[round(x, 2) for x in unit.positions.middle])


def arrivals(table: Table, battle: Battle, plan: Plan) -> None:
    """Bring on the units that are due, touching their edge. A unit whose arrival roll fails waits (PAY-065)."""
    for unit_id, turn in list(battle.arrivals.items()):
        if turn > battle.turn:
            continue
        arrival = plan.arrivals[unit_id]
        if arrives(table, arrival, unit_id, "PAY-065"):
            del battle.arrivals[unit_id]
            _enter_table(table, battle, unit_id, plan.entries[unit_id], (arrival.edge,), _ALONG_EDGE)


def _enter_table(
    table: Table, battle: Battle, unit_id: str, entry: Point, edges: Sequence[str], max_distance: float = inf
) -> None:
    """Bring a unit on at a place its owner names, on one of the edges and within `max_distance` inches of the entry
    point.

    The unit forms up with its last rank touching the edge, next to any units that have already come on there.
    """
    unit = battle.change(unit_id)
    field = battle.field

    def refuse(point: Point) -> str | None:
        if not field.table.is_on_table(point) or all(
            field.table.distance_to_edge(point, edge) > 1e-6 for edge in edges
        ):
            return f"they arrive along the {' or '.join(edges)} edge"
        return (
            None
            if dist(point, entry) <= max_distance
            else f"that is more than {max_distance:.0f} inches from the arrival point"
        )

    across = edges[0] in ("north", "south")
    asides = [(entry[0] + by, entry[1]) if across else (entry[0], entry[1] + by) for by in (0.0, 8.0, -8.0)]
    points = [point for at in asides if refuse(point := battle.field.table.nearest_point_inside(at)) is None]
    place = table.place(unit.spec.side, points, refuse, why="arrive at", rule="PAY-065", actor=unit_id)
    edge = min(edges, key=lambda edge: field.table.distance_to_edge(place, edge))
    inward = INWARD[edge]
    figures = list(unit.figures.values())
    depth = _depth(battle, unit)
    at = roomiest_point(battle, figures, (place[0] + inward[0] * depth, place[1] + inward[1] * depth), inward)
    set_down(battle, unit, at, inward)
    came = at[0] - inward[0] * depth, at[1] - inward[1] * depth
    table.emit("arrived", "PAY-065", unit=unit_id, at=[round(x, 2) for x in came])


# --- recycling -------------------------------------------------------------------------------------------------------


def note_returning(battle: Battle) -> None:
    """Note irregular units that form again (PAY-197).

    They have no able figure on the table, and some figures that have appeared only once.
    """
    if battle.book.settings.recycle_irregulars != "on":
        return
    for unit_id, unit in battle.units.items():
        if unit.spec.kind != "irregular" or unit.has_able_figures or unit_id in battle.arrivals:
            continue
        if unit_id not in battle.returning and second_wave(battle, unit):
            battle.returning.append(unit_id)


def second_wave(battle: Battle, unit: Unit) -> list[str]:
    """Return the figures that may appear once more (PAY-196)."""
    max_appearances = battle.book.file.most_appearances.most
    return [
        key
        for key, figure in unit.figures.items()
        if 1 <= figure.appearances < max_appearances and figure.fate in ("dead", "unconscious", "off")
    ]


def recycle(table: Table, battle: Battle) -> None:
    """Bring on the units that form again, with fresh figures (PAY-195 to PAY-197).

    They arrive at their home edge, or at any edge if they have none.
    """
    waiting, battle.returning = battle.returning, []
    width, depth = battle.field.table.extent
    for unit_id in waiting:
        unit = battle.change(unit_id)
        home = battle.field.home_edges.get(unit.spec.side)
        edges = (home,) if home else EDGES
        again = second_wave(battle, unit)
        for key, figure in unit.figures.items():
            if key in again:
                release_from_bearers(battle, figure)
                was = figure.appearances
                unit.figures[key] = new_figure(figure.spec)
                unit.figures[key].appearances = was
        discarded = {key: figure for key, figure in unit.figures.items() if key not in again}
        unit.figures = {key: unit.figures[key] for key in again}
        unit.leader, unit.lost, unit.hits = "", (), 0
        unit.clear_pending()
        unit.clear_rout()
        unit.marks = frozenset()
        _enter_table(
            table, battle, unit_id, nearest_on_edge((width / 2, depth / 2), battle.field.table.extent, edges[0]), edges
        )
        unit.figures = {key: {**discarded, **unit.figures}[key] for key in unit.spec.figures}
        unit.leader = best_leader(battle, list(unit.figures.values()))
        unit.measure()
