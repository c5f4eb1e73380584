"""Before the first turn and in each: who stands where, who sets out his units, who comes on, who goes off."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from zareba.base.exact import dist
from zareba.base.state import blank
from zareba.battle.arrivals import arrives, due_in
from zareba.battle.enrolment import enrol, facts_of
from zareba.battle.prizes import Prize, taken_up
from zareba.battle.prizes import leave as go_off
from zareba.plain.book import Overrides, PlainFile, Row
from zareba.plain.ground import Field
from zareba.plain.state import Battle, Unit, UnitSpec
from zareba.scenario import Scenario, arrival_point, starting_positions
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placing import zone_of
from zareba.space import Point
from zareba.space.geometry import Points, is_inside
from zareba.table import Suggestions, Table

__all__ = ["come_on", "enrolled", "first_state", "leave", "set_out", "take_up"]

UNARMED = Row(rule="")
RINGS = (1.5, 3.0, 5.0, 8.0)
"""In inches: so far round a place that is taken another is looked for."""
TURNS = ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7))


def enrolled(book: PlainFile, scenario: Scenario, ruleset: str) -> dict[str, UnitSpec]:
    """The units of a scenario as these rules know them, by the entries of the enrolment or as the scenario says."""
    said = overrides_of(scenario, ruleset, Overrides, book)
    return {unit: _spec(book, scenario, said, unit) for unit in scenario.units}


def _spec(book: PlainFile, scenario: Scenario, said: Overrides, unit_id: str) -> UnitSpec:
    unit = scenario.units[unit_id]
    wish = said.units.get(unit_id)
    found = enrol(book.enrolment, scenario, unit_id)
    found |= wish.model_dump(exclude_none=True) if wish else {}

    first = next(iter(scenario.units_of(unit.side)))
    leaders = tuple(
        key
        for key, leader in scenario.leaders.items()
        if leader.side == unit.side and (leader.unit or first) == unit_id
    )
    figures = found.get("figures") or -(-unit.figures // found.get("figures_for", 1))
    return UnitSpec(
        unit_id,
        unit.side,
        unit.name,
        figures,
        unit.room * book.reach.inch * sqrt(figures / unit.figures),
        book.troops[found["troop"]],
        book.weapons[found["weapon"]] if "weapon" in found else UNARMED,
        facts_of(scenario, unit_id),
        leaders,
    )


def first_state(
    book: PlainFile,
    scenario: Scenario,
    field: Field,
    specs: dict[str, UnitSpec],
    phase: str,
    counts: Callable[..., bool],
) -> Battle:
    """The battle before the first step: everybody where the scenario puts him; who has a zone is still to be set out."""
    inch = book.reach.inch
    places = {key: (x * inch, y * inch) for key, (x, y) in starting_positions(scenario).items()}
    units = {
        key: Unit(None, spec.figures, frozenset(), dict(book.numbers), "", spec=spec) for key, spec in specs.items()
    }
    battle = blank(
        Battle,
        phase=phase,
        units=units,
        arrivals=due_in(scenario),
        book=book,
        field=field,
        scenario=scenario,
        counts=counts,
    )
    for name, thing in scenario.objects.items():
        x, y = thing.position or (0.0, 0.0)
        battle.prizes[name] = Prize((x * inch, y * inch), thing.carrier or "")
    order = sorted(scenario.sides, key=lambda side: scenario.sides[side].deploys)
    for side in order:
        for key in scenario.units_of(side):
            if key in battle.arrivals:
                continue
            if _zone(battle, key):
                battle.setting_out.append(key)
            units[key].at = _free(battle, units[key], places.get(key, _centre(battle)))
    return battle


def _centre(battle: Battle) -> Point:
    width, depth = battle.field.table.extent
    return width / 2, depth / 2


def _zone(battle: Battle, unit_id: str) -> Points:
    """The zone in which the owner may place a unit; empty where the scenario says where it stands."""
    inch = battle.book.reach.inch
    zone = zone_of(battle.scenario, battle.scenario.units[unit_id]) or ()
    return tuple((x * inch, y * inch) for x, y in zone)


def _free(battle: Battle, unit: Unit, at: Point) -> Point:
    """A place, or one near it where there is room."""
    inch = battle.book.reach.inch
    around = [(at[0] + x * ring * inch, at[1] + y * ring * inch) for ring in RINGS for x, y in TURNS]
    table = battle.field.table
    for place in (at, *around):
        if table.is_on_table(place) and battle.field.at(place).pace and battle.stands_on(unit, place) is None:
            return place
    return at


def set_out(table: Table, battle: Battle) -> None:
    """The owner of the next unit that has a zone says where in it the unit stands."""
    if not battle.setting_out:
        battle.turn = 1
        return
    unit = battle.units[battle.setting_out.pop(0)]
    zone = _zone(battle, unit.id)

    def legal(at: Point) -> str | None:
        if not is_inside(at, zone):
            return "that lies outside its zone"
        if not battle.field.at(at).pace:
            return "nobody can stand there"
        other = battle.stands_on(unit, at)
        return f"{other.spec.name} stand there" if other else None

    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    steps = [number / 4 for number in range(5)]
    spread = [(min(xs) + a * (max(xs) - min(xs)), min(ys) + b * (max(ys) - min(ys))) for b in steps[::2] for a in steps]
    offered = Suggestions.among([unit.place, *spread], lambda at: None if at == unit.at else legal(at))
    rule = battle.book.cites["set_up"]
    unit.at = table.place(
        unit.side, offered, lambda at: None if at == unit.at else legal(at), why="set up at", rule=rule, actor=unit.id
    )
    table.tell("set up", rule, unit=unit.id)
    if not battle.setting_out:
        battle.turn = 1


def come_on(table: Table, battle: Battle) -> None:
    """Units that are due come on where the scenario says, or near it."""
    rule, inch = battle.book.cites["arrive"], battle.book.reach.inch
    for key, turn in list(battle.arrivals.items()):
        arrival = battle.scenario.units[key].arrival
        if turn > battle.turn or arrival is None or not arrives(table, arrival, key, rule):
            continue
        x, y = arrival_point(battle.scenario, arrival)
        unit = battle.units[key]
        del battle.arrivals[key]
        unit.at = _free(battle, unit, (x * inch, y * inch))
        table.tell("arrived", rule, unit=key)


def leave(table: Table, battle: Battle, side: str = "") -> None:
    """Units that have come to the edge to which the scenario sends them go off, with what they carry."""
    rule = battle.book.cites["leave"]
    for unit in battle.on_table(side):
        edge = battle.exit_of(unit)
        if edge is None or not battle.counts(battle, unit):
            continue
        if battle.field.table.distance_to_edge(unit.place, edge) - unit.room <= battle.book.reach.leave:
            unit.at, unit.gone = None, go_off(table, battle.prizes, unit.id, unit.side, edge, rule)


def take_up(table: Table, battle: Battle) -> None:
    """Things go along with those who carry them; one that lies free is taken by who is near it, no enemy being so."""
    rule, reach = battle.book.cites["take_up"], battle.book.reach.take_up

    def goes_along(prize: Prize) -> bool:
        prize.at = battle.units[prize.carrier].at or prize.at
        return True

    def taker(_: str, prize: Prize) -> str:
        near = [
            unit
            for unit in battle.on_table()
            if battle.counts(battle, unit) and dist(unit.place, prize.at) - unit.room <= reach
        ]
        alone = len({unit.side for unit in near}) == 1
        return min(near, key=lambda unit: dist(unit.place, prize.at)).id if alone else ""

    taken_up(table, battle.prizes, goes_along, taker, rule)
