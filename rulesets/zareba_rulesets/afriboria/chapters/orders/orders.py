"""Giving orders: their cost, and the actions that they allow (chapters 5 and 7)."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.book.tables import Card
from zareba_rulesets.afriboria.chapters.orders.order_choices import Order
from zareba_rulesets.afriboria.chapters.siege.walls import room_on_wall
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import disband, form
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit
from zareba_rulesets.afriboria.forces.platoons import platoon

__all__ = ["DONE", "figures_to_regain", "give_order", "order_all", "orders_all", "regain"]

DONE = "done"


def _spend(battle: Battle, colours: Iterable[str]) -> None:
    """Use up one order of the card: of a matching colour, else of any, else of all.

    Among several colours, spend the one with the fewest unordered units.
    """
    slots = battle.slots
    fitting = [colour for colour in colours if slots.get(colour)]
    if not fitting:
        fitting = ["any"] if slots.get("any") else [colour for colour, left in slots.items() if left]
    if len(fitting) > 1:
        open_units = [u.spec.colour for u in battle.side_units(battle.active) if "ordered" not in u.marks]
        fitting.sort(key=lambda colour: (open_units.count(colour), colour))
    slots[fitting[0]] -= 1


def _mark(unit: Unit, card: Card) -> None:
    """Mark a unit with the actions of its order: move and battle, unless the card says otherwise (AFR-062, AFR-075,
    AFR-342).
    """
    marks = ["ordered", "move" if card.moves else "passive"]
    if card.battles:
        marks.append("battle")
    if card.bonus:
        marks.append(card.bonus)
    if card.march:
        marks.append("march")
    unit.mark(*marks)
    _spend_in_debris(unit)


def _spend_in_debris(unit: Unit) -> None:
    """Spend the order of a vehicle in debris: it may battle, but not leave (AFR-030, AFR-135)."""
    if "stuck" in unit.marks:
        unit.unmark("stuck", "move")
        unit.mark("passive")


@procedure("orders.give")
def give_order(table: Table, battle: Battle, order: Order, card: Card) -> None:
    """Give one order as announced, of any kind in `order_options`."""
    kind, name = order[0], order[1]
    if kind == "unit":
        unit = battle.units[name]
        _spend(battle, [unit.spec.colour])
        _mark(unit, card)
        if card.regains:
            _regain(table, battle, unit, card.regains)
    elif kind == "platoon":
        _order_platoon(battle, order, card)
    elif kind in ("commander", "leave"):
        chief = battle.commanders[name]
        _spend(battle, [])
        chief.mark("ordered", "move")
    elif kind == "company":
        _order_company(battle, name, card)
    elif kind == "form":
        _spend(battle, [])
        form(table, battle, battle.commanders[name], "forming")
    elif kind == "disband":
        _spend(battle, [])
        disband(table, battle, name)
    else:
        flier = battle.fliers[name]
        _spend(battle, [flier.spec.colour])
        flier.mark("ordered", "move")
    table.emit("order", "AFR-062", order=order, side=battle.active)


def _regain(table: Table, battle: Battle, unit: Unit, max_figures: int) -> None:
    counts = list(range(min(max_figures, figures_to_regain(battle, unit)), -1, -1))
    figures = table.choose(unit.spec.side, counts, why="figures regained", rule="AFR-339", actor=unit.spec.id)
    regain(table, battle, unit, figures)


def figures_to_regain(battle: Battle, unit: Unit) -> int:
    """Return the figures that a unit may regain: up to its starting number (AFR-049) and the room of its wall sections
    (AFR-318).
    """
    lost = unit.spec.figures - unit.figures
    if not unit.sections:
        return lost
    return min(lost, sum(room_on_wall(battle, unit, cell) for cell in unit.sections) - unit.figures)


def regain(table: Table, battle: Battle, unit: Unit, figures: int) -> None:
    """Return figures to a unit by a rally card or an event, armed first. On a wall each goes to the smallest section with room."""
    unit.figures += figures
    unit.firearms = min(unit.spec.firearms, unit.firearms + figures)
    if unit.sections:
        for _ in range(figures):
            with_room = [cell for cell, men in unit.sections.items() if men < room_on_wall(battle, unit, cell)]
            unit.sections[min(with_room, key=lambda cell: (unit.sections[cell], cell))] += 1
    table.emit("regained", "AFR-339", unit=unit.spec.id, figures=figures)


def _order_platoon(battle: Battle, order: Order, card: Card) -> None:
    """Order two units for one order: both of an officer's (AFR-101), or an NCO's units of the colour (AFR-102).

    An NCO's other unit may only move along with him (AFR-103, AFR-104, AFR-300). The two count as one only for the
    card (AFR-107, AFR-108).
    """
    chief = battle.commanders[order[1]]
    units = platoon(battle, chief)
    colours = {colour for colour, left in battle.slots.items() if left}
    suited = {unit.spec.id: unit.spec.colour for unit in units if "any" in colours or unit.spec.colour in colours}
    _spend(battle, suited.values())
    for unit in units:
        if chief.spec.officer or unit.spec.id in suited:
            _mark(unit, card)
        else:
            unit.mark("ordered", "move", "along")
            _spend_in_debris(unit)
            chief.along = unit.spec.id


def _order_company(battle: Battle, key: str, card: Card) -> None:
    """Order a company: all members in the zone may move with the officer, and one more may battle for each order
    (AFR-112, AFR-114).

    By setting or card, all members may battle.
    """
    company = battle.companies[key]
    officer = battle.commanders[company.officer]
    members = [battle.units[name] for name in company.members]
    colours = {colour for colour, left in battle.slots.items() if left}
    _spend(battle, [unit.spec.colour for unit in members if unit.spec.colour in colours])
    everybody = battle.book.settings.company_battle == "all" or card.who == "company"
    company.rights += len(members) if everybody else 1
    if any("company" in unit.marks for unit in members):
        return
    for unit in members:
        if unit.hex != OFF and battle.in_zone(unit, officer) and "ordered" not in unit.marks:
            unit.mark("ordered", "move", "company")
            _spend_in_debris(unit)
            if everybody:
                unit.mark("battle")
    officer.mark("ordered", "move", "company")


def order_all(battle: Battle, side: str, card: Card) -> int:
    """Order all pieces that a special card names without a number. Return how many there are."""
    takers: list[Unit | Commander] = []
    if card.all == "artillery":
        guns = (unit for unit in battle.side_units(side) if unit.profile.arm in ("artillery", "machine_gun"))
        for unit in guns:
            _mark(unit, card)
            takers.append(unit)
        for flier in battle.fliers.values():
            if flier.spec.side == side and flier.airborne:  # AFR-074, AFR-268
                flier.mark("ordered", "move", "passive")
    elif card.all == "commanders":
        for chief in battle.side_commanders(side):
            if battle.alone(chief):
                chief.mark("ordered", "move")
                takers.append(chief)
    return len(takers)


def orders_all(battle: Battle, side: str, card: Card) -> bool:
    """Return True if such a card has any piece to order."""
    if not card.all:
        return False
    if card.all == "artillery":
        flies = any(flier.spec.side == side and flier.airborne for flier in battle.fliers.values())
        return flies or any(unit.profile.arm in ("artillery", "machine_gun") for unit in battle.side_units(side))
    return card.all == "commanders" and any(battle.alone(chief) for chief in battle.side_commanders(side))
