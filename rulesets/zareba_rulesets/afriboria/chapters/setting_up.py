"""Deployment and reinforcements (chapter 3)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.state import blank
from zareba.battle.arrivals import arrives
from zareba.battle.initiative import roll_for_order
from zareba.chance import remark
from zareba.scenario import Scenario
from zareba.table import Deck, Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.forces.battle import Battle, Plan
from zareba_rulesets.afriboria.forces.companies import form_company, may_form, name_seconds
from zareba_rulesets.afriboria.forces.pieces import (
    OFF,
    Commander,
    CommanderSpec,
    Flier,
    ScenarioObject,
    SideState,
    Structure,
    Unit,
    UnitSpec,
)
from zareba_rulesets.afriboria.translation import can_hold_at_start

_FIRST = remark("the higher roll chooses who goes first (ties roll again)")

_NO_COMPANY = "no company"
_MINE, _YOURS = "go first", "go second"


def first_state(book: AfrBook, scenario: Scenario, plan: Plan, stage: str) -> Battle:
    """Return the battle before the first step: empty hands, one deck of standard and special cards, one of events.

    Decks have no order (AFR-010, AFR-011, AFR-014).
    """
    sides = list(scenario.sides)
    cards = {name: card.copies for name, card in sorted(book.cards.items()) if card.copies}
    events = {
        name: card.copies
        for name, card in sorted(book.file.events.items())
        if plan.events and name not in plan.without and not plan.without & set(card.tags)
    }
    battle = blank(
        Battle,
        active=sides[0],
        stage=stage,
        sides={side: SideState([], False, 0, plan.quotas[side]) for side in sides},
        units={
            name: Unit(OFF, spec.figures, spec.firearms, bool(spec.foot), ladders=name in plan.ladders, spec=spec)
            for name, spec in plan.units.items()
        },
        commanders={name: Commander(OFF, spec=spec) for name, spec in plan.commanders.items()},
        fliers={
            name: Flier(plan.placed[name], False, plan.strengths[name], spec=spec) for name, spec in plan.fliers.items()
        },
        structures={cell: Structure(spec.value) for cell, spec in plan.field.structures.items()},
        deck=Deck(cards, {}),
        event_deck=Deck(events, {}),
        carried_objects={name: ScenarioObject(cell, carrier) for name, (cell, carrier) in plan.carried_objects.items()},
        arrivals=dict(plan.arrivals),
        book=book,
        field=plan.field,
        roster=plan.roster,
    )
    for name, spec in plan.fliers.items():
        if spec.kind == "airship":  # stays up for the whole game (AFR-284)
            flier = battle.fliers[name]
            flier.airborne, flier.bombs = True, book.file.air["airship"].bombs if spec.bombs else 0
    for name, cell in plan.placed.items():
        if name in battle.units and name not in plan.zones:
            battle.move(battle.units[name], cell)
    for name, chief in battle.commanders.items():
        if name not in plan.zones and name not in plan.arrivals:
            cell_wanted = _hex_of_commander(battle, plan, name)
            if cell_wanted != OFF:
                battle.place(chief, _room_for(battle, chief, cell_wanted))
    order = sorted(sides, key=lambda side: scenario.sides[side].deploys)
    pieces: list[UnitSpec | CommanderSpec] = [*plan.units.values(), *plan.commanders.values()]
    battle.waiting = [piece.id for side in order for piece in pieces if piece.side == side and piece.id in plan.zones]
    return battle


def place_next(table: Table, battle: Battle, plan: Plan) -> bool:
    """Deploy one unit or commander in its zone within the stacking limits (AFR-047). Return True when all are deployed.

    The commanders of a side come after its units. The hex that the owner probably wants is offered first.
    """
    if battle.waiting:
        name = battle.waiting.pop(0)
        if name in battle.units:
            _deploy_unit(table, battle, plan, battle.units[name])
        else:
            _deploy_commander(table, battle, plan, battle.commanders[name])
    if battle.waiting:
        return False
    for side in battle.sides:
        name_seconds(table, battle, side)
    return True


def _deploy_unit(table: Table, battle: Battle, plan: Plan, unit: Unit) -> None:
    """Deploy a unit in a hex of its zone, or in the nearest one with room if its zone is full (AFR-047)."""
    name, suggested = unit.spec.id, plan.placed[unit.spec.id]
    options = list(dict.fromkeys(_with_room(battle, unit, (suggested, *plan.zones[name]))))
    if not options:
        grid = battle.field.grid
        everywhere = sorted(
            grid.cells, key=lambda cell: (grid.distance(suggested, cell), grid.from_middle(cell), -cell)
        )
        options = [
            cell for cell in everywhere if _has_free_room(battle, unit, cell) and _may_enter(battle, unit, cell)
        ][:1]
    cell = table.choose(unit.spec.side, options, why="deploy in", rule="AFR-047", actor=name)
    battle.move(unit, cell)
    table.emit("deployed", "AFR-047", unit=name, hex=cell)


def _deploy_commander(table: Table, battle: Battle, plan: Plan, chief: Commander) -> None:
    """Deploy a commander in his unit's hex or anywhere in its zone, never with another commander (AFR-096)."""
    name, side = chief.spec.id, chief.spec.side
    suggested = _room_for(battle, chief, _hex_of_commander(battle, plan, name))
    cells = [cell for cell in plan.zones[name] if cell not in battle.chiefs and not battle.held_by_enemy(cell, side)]
    options = list(dict.fromkeys((suggested, *cells)))
    cell = table.choose(side, options, why="deploy in", rule="AFR-047", actor=name)
    battle.place(chief, cell)
    table.emit("deployed", "AFR-047", unit=name, hex=cell)


def _with_room(battle: Battle, unit: Unit, cells: Sequence[int]) -> list[int]:
    """Return those of some hexes that have room for a unit."""
    here, chiefs = battle.here, battle.chiefs
    return [cell for cell in cells if (cell not in here and cell not in chiefs) or _has_free_room(battle, unit, cell)]


def _has_free_room(battle: Battle, unit: Unit, cell: int) -> bool:
    """Return True if a hex has no enemy and fewer units than it holds (AFR-081)."""
    return len(battle.here.get(cell, ())) < battle.book.room and not battle.held_by_enemy(cell, unit.spec.side)


def _may_enter(battle: Battle, unit: Unit, cell: int) -> bool:
    """Return True if the ground of a hex can hold a unit at the start or on arrival."""
    return can_hold_at_start(battle.field, unit.spec.side, unit.spec.profile.walks, cell)


def _hex_of_commander(battle: Battle, plan: Plan, name: str) -> int:
    """Return the hex where a commander belongs: with his unit, or at his own place."""
    unit = plan.attached.get(name)
    return battle.units[unit].hex if unit is not None else plan.chiefs.get(name, OFF)


def _room_for(battle: Battle, chief: Commander, start: int) -> int:
    """Return the hex nearest to `start` that can hold a commander, on ties towards his own edge (AFR-096)."""
    grid, side = battle.field.grid, chief.spec.side
    home = battle.field.home_edges[side]
    rings = (grid.ring(start, radius) for radius in range(grid.columns + grid.rows))
    return next(
        cell
        for ring in rings
        for cell in sorted(ring, key=lambda cell: (grid.distance_to_edge(cell, home), grid.from_middle(cell), -cell))
        if cell not in battle.chiefs
        and not battle.held_by_enemy(cell, side)
        and can_hold_at_start(battle.field, side, not chief.spec.mounted, cell)
    )


def form_companies(table: Table, battle: Battle) -> None:
    """Offer companies to the officers at the start (AFR-048, AFR-110)."""
    for side in battle.sides:
        for chief in battle.side_commanders(side):
            if may_form(battle, chief):
                options = (_NO_COMPANY, "form a company")
                choice = table.choose(side, options, why="company", rule="AFR-110", actor=chief.spec.id)
                if choice != _NO_COMPANY:
                    form_company(table, battle, chief, "active")


def choose_first_side(table: Table, battle: Battle, plan: Plan) -> str:
    """Return the side that goes first: as the scenario says, else the higher roll of a normal die chooses (AFR-009,
    AFR-046).
    """
    if plan.first:
        return plan.first
    *_, best = roll_for_order(table, list(battle.sides), 6, why="first turn", rule="AFR-046", means=_FIRST)
    choice = table.choose(best, (_MINE, _YOURS), why="first turn", rule="AFR-046", actor=best)
    return best if choice == _MINE else battle.field.enemy(best)


def bring_on_arrivals(table: Table, battle: Battle, plan: Plan, scenario: Scenario, now: int) -> None:
    """Bring on the active side's pieces that are due in game turn `now`, at their edge where there is room."""
    for name in due_to_arrive(battle, now):
        bring_on(table, battle, plan, scenario, name)


def due_to_arrive(battle: Battle, now: int) -> list[str]:
    """Return the pieces of the active side that may arrive in game turn `now`."""
    pieces = {**battle.units, **battle.commanders}
    return [name for name, turn in battle.arrivals.items() if turn <= now and pieces[name].spec.side == battle.active]


def bring_on(table: Table, battle: Battle, plan: Plan, scenario: Scenario, name: str) -> None:
    """Bring on a piece that is due, if its roll succeeds and there is room."""
    if name in battle.units:
        _unit_arrives(table, battle, plan, scenario, battle.units[name])
    else:
        _commander_arrives(table, battle, battle.commanders[name], plan.entries[name][0])
        del battle.arrivals[name]


def _unit_arrives(table: Table, battle: Battle, plan: Plan, scenario: Scenario, unit: Unit) -> None:
    """Bring on a unit of the active side, with its commander, if its roll succeeds and there is room (AFR-047)."""
    name, side = unit.spec.id, unit.spec.side
    arrival = scenario.units[unit.spec.source].arrival
    if arrival is None or not arrives(table, arrival, name, "AFR-047"):
        return
    entries = plan.entries[name]
    cells = [cell for cell in entries if _has_free_room(battle, unit, cell) and _may_enter(battle, unit, cell)][:3]
    if not cells:
        return
    cell = table.choose(side, cells, why="arrive in", rule="AFR-047", actor=name)
    battle.move(unit, cell)
    del battle.arrivals[name]
    table.emit("arrived", "AFR-047", unit=name, hex=cell)
    for chief_name, attached in plan.attached.items():
        chief = battle.commanders[chief_name]
        if attached == name and chief.hex == OFF and chief_name not in battle.gone:
            _commander_arrives(table, battle, chief, cell)


def _commander_arrives(table: Table, battle: Battle, chief: Commander, entry: int) -> None:
    """Bring on a commander in the hex nearest to his entry that can hold him."""
    cell = _room_for(battle, chief, entry)
    battle.place(chief, cell)
    table.emit("arrived", "AFR-047", unit=chief.spec.id, hex=cell)
