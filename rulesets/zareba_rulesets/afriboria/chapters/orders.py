"""Orders to companies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.book import Card
from zareba_rulesets.afriboria.chapters.siege import room_on_wall
from zareba_rulesets.afriboria.forces.battle import ARMS, Battle
from zareba_rulesets.afriboria.forces.companies import (
    disband_company,
    form_company,
    may_form,
    members_outside_zone,
    platoon,
)
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit

# --- The choices of an order: the pieces and actions that a card can be spent on (chapters 5 and 7) -------------------


Order = tuple[Any, ...]
"""An order as plain data: its kind and the id that it names. `order_options` lists the kinds.

`give_order` carries an order out, `OrderValues.order` values it for AI players, and `words.yaml` has its text under
`options` (before) and `tables.orders` (after).
"""


def slots_of(card: Card) -> dict[str, int]:
    """Return the orders of a card by colour."""
    return {str(colour): number for colour, number in card.orders.items()}


def _names_unit(battle: Battle, card: Card, unit: Unit) -> bool:
    """Return True if a special card names this type of unit."""
    if card.who == "led":
        return unit.figures < unit.spec.figures and any(cell in battle.chiefs for cell in unit.hexes)
    arms = ARMS.get(card.who)
    return arms is None or unit.profile.arm in arms


def may_order(battle: Battle, side: str, card: Card) -> bool:
    """Return True if an order of the card can be spent on anything (AFR-060)."""
    slots, who = slots_of(card), card.who
    if who != "company" and not members_outside_zone(battle, side):
        for unit in battle.units_named(side, colours_left(slots), who):
            if "ordered" not in unit.marks and (who != "led" or _names_unit(battle, card, unit)):
                return True
        if who and not battle.fliers:  # a special card that names units can order nothing else
            return False
    return bool(order_options(battle, side, card, slots))


def colours_left(slots: dict[str, int]) -> tuple[str, ...]:
    """Return the colours that a card can still order; "any" stands for all of them."""
    return tuple([colour for colour, left in slots.items() if left])


def order_options(battle: Battle, side: str, card: Card, slots: dict[str, int]) -> list[Order]:
    """Return everything that one order of the card can be spent on now (AFR-064, AFR-065).

    ("unit", id), ("platoon", commander), ("commander", id) alone, ("leave", id) an attached one (AFR-100), ("company",
    id), ("form", officer), ("disband", company), ("flier", id). A unit has one order a turn (AFR-063). Units outside
    their company's zone come before other units of their colour (AFR-116, AFR-118).
    """
    colours = colours_left(slots)
    if not colours:
        return []
    any_colour = "any" in colours
    if card.who == "company":
        companies = _companies(battle, side, colours, any_colour)
        leads_any = any(battle.commanders[c.officer].spec.side == side for c in battle.companies.values())
        return companies if leads_any else _platoons(battle, side, card, colours, any_colour)
    go_first = [  # a card that cannot order them blocks no other unit
        unit
        for unit in members_outside_zone(battle, side)
        if "ordered" not in unit.marks
        and (any_colour or unit.spec.colour in colours)
        and _names_unit(battle, card, unit)
    ]
    kept_back = {unit.spec.colour for unit in go_first}  # other units of these colours must wait
    first_ids = {unit.spec.id for unit in go_first}
    here, who = battle.here, card.who
    orders: list[Order] = []
    for unit in battle.units_named(side, colours, who):
        spec = unit.spec
        if "ordered" in unit.marks or (who == "led" and not _names_unit(battle, card, unit)):
            continue
        if not kept_back or spec.colour not in kept_back or spec.id in first_ids:
            orders.append(("unit", spec.id))
    if who != "led":  # figures return to one unit, not to a platoon
        orders += _platoons(battle, side, card, colours, any_colour, kept_back)
    if who not in ("", "mounted"):
        return orders
    for flier in battle.fliers.values():
        has_colour = any_colour or not flier.spec.colour or flier.spec.colour in colours
        if has_colour and flier.spec.side == side and flier.hex != OFF and "ordered" not in flier.marks:
            orders.append(("flier", flier.spec.id))
    if who:
        return orders
    for chief in battle.side_commanders(side):
        if "ordered" not in chief.marks:
            orders.append(("leave" if chief.hex in here else "commander", chief.spec.id))
            if may_form(battle, chief):
                orders.append(("form", chief.spec.id))
    if battle.companies:
        orders += _companies(battle, side, colours, any_colour, kept_back)
        orders += _disbandings(battle, side)
    return orders


def _disbandings(battle: Battle, side: str) -> list[Order]:
    """Return the companies that may be disbanded: none of their pieces has an order yet (AFR-119)."""
    units = battle.units
    orders: list[Order] = []
    for key, company in battle.companies.items():
        officer = battle.commanders[company.officer]
        if officer.spec.side != side or "ordered" in officer.marks or company.state not in ("active", "suspended"):
            continue
        if not [name for name in company.members if "ordered" in units[name].marks]:
            orders.append(("disband", key))
    return orders


def _platoons(
    battle: Battle, side: str, card: Card, colours: Sequence[str], any_colour: bool, kept_back: Set[str] = frozenset()
) -> list[Order]:
    """Return platoons of two units: both in the commander's hex (AFR-101, AFR-102), or one of them adjacent (AFR-298 to
    AFR-300).
    """
    orders: list[Order] = []
    for chief in battle.side_commanders(side):
        units = platoon(battle, chief) if chief.hex in battle.here else []
        if len(units) < 2 or not _may_all_be_ordered(battle, card, units, colours, any_colour):
            continue
        if not kept_back or kept_back.isdisjoint([unit.spec.colour for unit in units]):
            orders.append(("platoon", chief.spec.id))
    return orders


def _may_all_be_ordered(
    battle: Battle, card: Card, units: list[Unit], colours: Sequence[str], any_colour: bool
) -> bool:
    """Return True if the units have no orders yet, suit the card, and one of them has a remaining colour."""
    coloured = any_colour
    for unit in units:
        if "ordered" in unit.marks or (card.who and not _names_unit(battle, card, unit)):
            return False
        coloured = coloured or unit.spec.colour in colours
    return coloured


def _companies(
    battle: Battle, side: str, colours: Sequence[str], any_colour: bool, kept_back: Set[str] = frozenset()
) -> list[Order]:
    """Return active companies with a unit of the colour, and again for further battles (AFR-065, AFR-114)."""
    orders: list[Order] = []
    for key, company in battle.companies.items():
        officer = battle.commanders[company.officer]
        if officer.spec.side != side or company.state != "active":
            continue
        members = [unit for name in company.members if (unit := battle.units[name]).hex != OFF]
        zone = battle.field.zone[officer.hex]
        suited = [unit for unit in members if any_colour or unit.spec.colour in colours]
        near = [unit for unit in suited if unit.hex in zone]
        if not near:
            continue
        if kept_back and not kept_back.isdisjoint([unit.spec.colour for unit in members]):
            units_outside = [unit for unit in members if unit.hex not in zone]
            if not units_outside:
                continue
        if [unit for unit in members if "company" in unit.marks]:
            may_battle_again = battle.book.settings.company_battle == "per_order"
            if may_battle_again and company.rights < len([unit for unit in suited if "company" in unit.marks]):
                orders.append(("company", key))
        elif "ordered" not in officer.marks and not [unit for unit in near if "ordered" in unit.marks]:
            orders.append(("company", key))
    return orders


# --- Giving orders: their cost, and the actions that they allow (chapters 5 and 7) ------------------------------------


DONE = "done"


def _spend_order(battle: Battle, colours: Iterable[str]) -> None:
    """Use up one order of the card: of a matching colour, else of any, else of all.

    Among several colours, spend the one with the fewest unordered units.
    """
    slots = battle.slots
    fitting = [colour for colour in colours if slots.get(colour)]
    if not fitting:
        fitting = ["any"] if slots.get("any") else [colour for colour, left in slots.items() if left]
    if len(fitting) > 1:
        unordered = [u.spec.colour for u in battle.side_units(battle.active) if "ordered" not in u.marks]
        fitting.sort(key=lambda colour: (unordered.count(colour), colour))
    slots[fitting[0]] -= 1


def _mark_ordered(unit: Unit, card: Card) -> None:
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
    kind, name, *_ = order
    if kind == "unit":
        unit = battle.units[name]
        _spend_order(battle, [unit.spec.colour])
        _mark_ordered(unit, card)
        if card.regains:
            _regain(table, battle, unit, card.regains)
    elif kind == "platoon":
        _order_platoon(battle, order, card)
    elif kind in ("commander", "leave"):
        chief = battle.commanders[name]
        _spend_order(battle, [])
        chief.mark("ordered", "move")
    elif kind == "company":
        _order_company(battle, name, card)
    elif kind == "form":
        _spend_order(battle, [])
        form_company(table, battle, battle.commanders[name], "forming")
    elif kind == "disband":
        _spend_order(battle, [])
        disband_company(table, battle, name)
    else:
        flier = battle.fliers[name]
        _spend_order(battle, [flier.spec.colour])
        flier.mark("ordered", "move")
    table.emit("order", "AFR-062", order=order, side=battle.active)


def _regain(table: Table, battle: Battle, unit: Unit, max_figures: int) -> None:
    """Let the owner choose how many figures a unit regains by a rally card (AFR-339)."""
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
    """Return figures to a unit by a rally card or an event, armed first. On a wall each goes to the smallest section
    with room.
    """
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
    _spend_order(battle, suited.values())
    for unit in units:
        if chief.spec.officer or unit.spec.id in suited:
            _mark_ordered(unit, card)
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
    _spend_order(battle, [unit.spec.colour for unit in members if unit.spec.colour in colours])
    whole_company = battle.book.settings.company_battle == "all" or card.who == "company"
    company.rights += len(members) if whole_company else 1
    if any("company" in unit.marks for unit in members):
        return
    for unit in members:
        if unit.hex != OFF and battle.in_zone(unit, officer) and "ordered" not in unit.marks:
            unit.mark("ordered", "move", "company")
            _spend_in_debris(unit)
            if whole_company:
                unit.mark("battle")
    officer.mark("ordered", "move", "company")


def order_all_named(battle: Battle, side: str, card: Card) -> int:
    """Order all pieces that a special card names without a number. Return how many there are."""
    takers: list[Unit | Commander] = []
    if card.all == "artillery":
        guns = (unit for unit in battle.side_units(side) if unit.profile.arm in ("artillery", "machine_gun"))
        for unit in guns:
            _mark_ordered(unit, card)
            takers.append(unit)
        for flier in battle.fliers.values():
            if flier.spec.side == side and flier.airborne:  # AFR-074, AFR-268
                flier.mark("ordered", "move", "passive")
    elif card.all == "commanders":
        for chief in battle.side_commanders(side):
            if battle.is_alone(chief):
                chief.mark("ordered", "move")
                takers.append(chief)
    return len(takers)


def has_pieces_for_all(battle: Battle, side: str, card: Card) -> bool:
    """Return True if such a card has any piece to order."""
    if not card.all:
        return False
    if card.all == "artillery":
        flies = any(flier.spec.side == side and flier.airborne for flier in battle.fliers.values())
        return flies or any(unit.profile.arm in ("artillery", "machine_gun") for unit in battle.side_units(side))
    return card.all == "commanders" and any(battle.is_alone(chief) for chief in battle.side_commanders(side))
