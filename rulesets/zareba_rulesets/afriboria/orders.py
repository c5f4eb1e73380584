"""Orders: on what a card can be spent, and what an order lets its takers do (chapters 5 and 7, P2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.battle import Battle
from zareba_rulesets.afriboria.companies import disband, form, may_form, outsiders
from zareba_rulesets.afriboria.pieces import OFF, Commander, Unit
from zareba_rulesets.afriboria.platoons import platoon
from zareba_rulesets.afriboria.roster import ARMS
from zareba_rulesets.afriboria.sheet import Card

__all__ = ["DONE", "give_order", "may_order", "order_all", "order_options", "orders_all", "regain", "slots_of"]

DONE = "done"
Order = tuple[Any, ...]


def slots_of(card: Card) -> dict[str, int]:
    """The orders of a card by colour."""
    return {str(colour): number for colour, number in card.orders.items()}


def _fits(battle: Battle, card: Card, unit: Unit) -> bool:
    """Whether a special card names this sort of unit."""
    if card.who == "led":
        return unit.hex in battle.chiefs and unit.figures < unit.spec.figures
    arms = ARMS.get(card.who)
    return arms is None or unit.profile.arm in arms


def may_order(battle: Battle, side: str, card: Card) -> bool:
    """Whether there is anything on which an order of the card can be spent (AFR-060)."""
    slots, who = slots_of(card), card.who
    if who != "company" and not outsiders(battle, side):
        for unit in battle.named(side, _colours_left(slots), who):
            if "ordered" not in unit.marks and (who != "led" or _fits(battle, card, unit)):
                return True
        if who and not battle.fliers:  # a special card that names units is of no use to anybody else
            return False
    return bool(order_options(battle, side, card, slots))


def _colours_left(slots: dict[str, int]) -> tuple[str, ...]:
    return tuple([colour for colour, left in slots.items() if left])


def order_options(battle: Battle, side: str, card: Card, slots: dict[str, int]) -> list[Order]:
    """Everything that one order of the card can be spent on now (AFR-064, AFR-065).

    ("unit", id), ("platoon", commander), ("commander", id) alone, ("leave", id) an attached one, ("company", id),
    ("form", officer), ("disband", company), ("flier", id). A unit has one order a turn (AFR-063). Units out of their
    company's zone come before others of their colour (AFR-116, AFR-118).
    """
    colours = _colours_left(slots)
    if not colours:
        return []
    every = "any" in colours
    if card.who == "company":
        companies = _companies(battle, side, colours, every)
        leads_any = any(battle.commanders[c.officer].spec.side == side for c in battle.companies.values())
        return companies if leads_any else _platoons(battle, side, card, colours, every)
    claims = outsiders(battle, side)
    claims = [u for u in claims if "ordered" not in u.marks and (every or u.spec.colour in colours)]
    kept_back = {unit.spec.colour for unit in claims}
    claimants = {unit.spec.id for unit in claims}
    here, who = battle.here, card.who
    found: list[Order] = []
    for unit in battle.named(side, colours, who):
        spec = unit.spec
        if "ordered" in unit.marks or (who == "led" and not _fits(battle, card, unit)):
            continue
        if not kept_back or spec.colour not in kept_back or spec.id in claimants:
            found.append(("unit", spec.id))
    platoons = _platoons(battle, side, card, colours, every)
    if kept_back:
        platoons = [order for order in platoons if not kept_back & _colours_of(battle, order)]
    found += platoons
    if who not in ("", "mounted"):
        return found
    for flier in battle.fliers.values():
        suits = every or not flier.spec.colour or flier.spec.colour in colours
        if suits and flier.spec.side == side and flier.hex != OFF and "ordered" not in flier.marks:
            found.append(("flier", flier.spec.id))
    if who:
        return found
    for chief in battle.side_commanders(side):
        if "ordered" not in chief.marks:
            found.append(("leave" if chief.hex in here else "commander", chief.spec.id))
            if may_form(battle, chief):
                found.append(("form", chief.spec.id))
    if not battle.companies:
        return found
    return found + _companies(battle, side, colours, every, kept_back) + _disbandings(battle, side)


def _disbandings(battle: Battle, side: str) -> list[Order]:
    """Companies that may be given up: nobody in them has an order yet (AFR-119)."""
    units = battle.units
    found: list[Order] = []
    for key, company in battle.companies.items():
        officer = battle.commanders[company.officer]
        if officer.spec.side != side or "ordered" in officer.marks or company.state not in ("active", "suspended"):
            continue
        if not any("ordered" in units[name].marks for name in company.members):
            found.append(("disband", key))
    return found


def _colours_of(battle: Battle, order: Order) -> set[str]:
    return {unit.spec.colour for unit in _platoon_units(battle, order)}


def _platoon_units(battle: Battle, order: Order) -> list[Unit]:
    return platoon(battle, battle.commanders[order[1]])


def _platoons(battle: Battle, side: str, card: Card, colours: Sequence[str], every: bool) -> list[Order]:
    """Two units under one commander: in his hex (AFR-101, AFR-102), or his and one beside him (AFR-298 to AFR-300)."""
    found: list[Order] = []
    for chief in battle.side_commanders(side):
        units = platoon(battle, chief) if chief.hex in battle.here else []
        if len(units) == 2 and _ready(battle, card, units, colours, every):
            found.append(("platoon", chief.spec.id))
    return found


def _ready(battle: Battle, card: Card, units: list[Unit], colours: Sequence[str], every: bool) -> bool:
    """Whether units have no orders yet, suit the card, and one of them has a colour that is left."""
    coloured = every
    for unit in units:
        if "ordered" in unit.marks or (card.who and not _fits(battle, card, unit)):
            return False
        coloured = coloured or unit.spec.colour in colours
    return coloured


def _companies(
    battle: Battle, side: str, colours: Sequence[str], every: bool, kept_back: Set[str] = frozenset()
) -> list[Order]:
    """Active companies with a unit of the colour; once more while further battles are wanted (AFR-065, AFR-114)."""
    found: list[Order] = []
    for key, company in battle.companies.items():
        officer = battle.commanders[company.officer]
        if officer.spec.side != side or company.state != "active":
            continue
        members = [unit for name in company.members if (unit := battle.units[name]).hex != OFF]
        zone = battle.field.zone[officer.hex]
        suited = [unit for unit in members if every or unit.spec.colour in colours]
        near = [unit for unit in suited if unit.hex in zone]
        if not near:
            continue
        if kept_back and not kept_back.isdisjoint([unit.spec.colour for unit in members]):
            outside = [unit for unit in members if unit.hex not in zone]
            if not outside:
                continue
        if any("company" in unit.marks for unit in members):
            again = battle.book.settings.company_battle == "per_order"
            if again and company.rights < sum("company" in unit.marks for unit in suited):
                found.append(("company", key))
        elif "ordered" not in officer.marks and not any("ordered" in unit.marks for unit in near):
            found.append(("company", key))
    return found


# --- giving orders -----------------------------------------------------------------------------------------------------------


def _spend(battle: Battle, colours: Iterable[str]) -> None:
    """Take one order off the card: of a fitting colour, else of any, else of the colour with the fewest units left."""
    slots = battle.slots
    fitting = [colour for colour in colours if slots.get(colour)]
    if not fitting and slots.get("any"):
        fitting = ["any"]
    if not fitting:
        open_units = [u.spec.colour for u in battle.side_units(battle.active) if "ordered" not in u.marks]
        fitting = sorted((c for c, left in slots.items() if left), key=lambda c: (open_units.count(c), c))
    slots[fitting[0]] -= 1


def _mark(battle: Battle, unit: Unit, card: Card) -> None:
    """What the order lets a unit do: move and battle, unless the card says otherwise (AFR-062, AFR-075, AFR-342)."""
    unit.mark("ordered", "move" if card.moves else "passive")
    if card.battles:
        unit.mark("battle")
    if card.bonus:
        unit.mark(card.bonus)
    if card.march:
        unit.mark("march")
    _spend_in_debris(unit)


def _spend_in_debris(unit: Unit) -> None:
    """A vehicle in debris spends its order there: it may battle, but not leave (AFR-135)."""
    if "stuck" in unit.marks:
        unit.unmark("stuck", "move")
        unit.mark("passive")


@procedure("orders.give")
def give_order(table: Table, battle: Battle, order: Order, card: Card) -> None:
    """Carry out the announcement of one order (P2)."""
    kind, name = order[0], order[1]
    if kind == "unit":
        unit = battle.units[name]
        _spend(battle, [unit.spec.colour])
        _mark(battle, unit, card)
        if card.regains:
            _regain(table, unit, card.regains)
    elif kind == "platoon":
        _order_platoon(battle, order, card)
    elif kind in ("commander", "leave"):
        chief = battle.commanders[name]
        _spend(battle, [])
        chief.mark("ordered", "move", *(("leaving",) if kind == "leave" else ()))
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
    table.tell("order", "AFR-062", order=order, side=battle.active)


def _regain(table: Table, unit: Unit, most: int) -> None:
    room = min(most, unit.spec.figures - unit.figures)
    counts = list(range(room, -1, -1))
    figures = table.choose(unit.spec.side, counts, why="figures regained", rule="AFR-339", actor=unit.spec.id)
    regain(table, unit, figures)


def regain(table: Table, unit: Unit, figures: int) -> None:
    """Figures come back, armed like those that were lost last, not above the number at the start (AFR-049)."""
    unit.figures += figures
    unit.firearms = min(unit.spec.firearms, unit.firearms + figures)
    if unit.sections and figures:
        first = next(iter(unit.sections))
        unit.sections[first] += figures
    table.tell("regained", "AFR-339", unit=unit.spec.id, figures=figures)


def _order_platoon(battle: Battle, order: Order, card: Card) -> None:
    """Two units for one order: both of an officer's (AFR-101), both of an NCO's that have the colour (AFR-102); an NCO's
    other unit may only move along with him (AFR-103, AFR-104, AFR-300)."""
    chief = battle.commanders[order[1]]
    units = _platoon_units(battle, order)
    colours = {colour for colour, left in battle.slots.items() if left}
    suited = {unit.spec.id: unit.spec.colour for unit in units if "any" in colours or unit.spec.colour in colours}
    _spend(battle, suited.values())
    for unit in units:
        if chief.spec.officer or unit.spec.id in suited:
            _mark(battle, unit, card)
        else:
            unit.mark("ordered", "move", "along")
            _spend_in_debris(unit)
            chief.along = unit.spec.id


def _order_company(battle: Battle, key: str, card: Card) -> None:
    """All members in the zone may move with the officer; each order lets one more battle, or all (AFR-112, AFR-114)."""
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
    """The units or commanders that a special card orders without counting them; how many there are."""
    takers: list[Unit | Commander] = []
    if card.all == "artillery":
        guns = (unit for unit in battle.side_units(side) if unit.profile.arm in ("artillery", "machine_gun"))
        for unit in guns:
            _mark(battle, unit, card)
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
    """Whether such a card has anybody to order."""
    if not card.all:
        return False
    if card.all == "artillery":
        flies = any(flier.spec.side == side and flier.airborne for flier in battle.fliers.values())
        return flies or any(unit.profile.arm in ("artillery", "machine_gun") for unit in battle.side_units(side))
    return card.all == "commanders" and any(battle.alone(chief) for chief in battle.side_commanders(side))
