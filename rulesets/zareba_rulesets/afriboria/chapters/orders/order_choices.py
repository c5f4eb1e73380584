"""The choices of an order: the pieces and actions that a card can be spent on (chapters 5 and 7)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from zareba_rulesets.afriboria.book.tables import Card
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import may_form, outsiders
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit
from zareba_rulesets.afriboria.forces.platoons import platoon
from zareba_rulesets.afriboria.forces.roster import ARMS

__all__ = ["Order", "may_order", "order_options", "slots_of"]

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
    if who != "company" and not outsiders(battle, side):
        for unit in battle.named(side, colours_left(slots), who):
            if "ordered" not in unit.marks and (who != "led" or _names_unit(battle, card, unit)):
                return True
        if who and not battle.fliers:  # a special card that names units can order nothing else
            return False
    return bool(order_options(battle, side, card, slots))


def colours_left(slots: dict[str, int]) -> tuple[str, ...]:
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
    every = "any" in colours
    if card.who == "company":
        companies = _companies(battle, side, colours, every)
        leads_any = any(battle.commanders[c.officer].spec.side == side for c in battle.companies.values())
        return companies if leads_any else _platoons(battle, side, card, colours, every)
    claims = outsiders(battle, side)
    claims = [u for u in claims if "ordered" not in u.marks and (every or u.spec.colour in colours)]
    claims = [u for u in claims if _names_unit(battle, card, u)]  # a card that cannot order them blocks no other unit
    kept_back = {unit.spec.colour for unit in claims}
    claimants = {unit.spec.id for unit in claims}
    here, who = battle.here, card.who
    found: list[Order] = []
    for unit in battle.named(side, colours, who):
        spec = unit.spec
        if "ordered" in unit.marks or (who == "led" and not _names_unit(battle, card, unit)):
            continue
        if not kept_back or spec.colour not in kept_back or spec.id in claimants:
            found.append(("unit", spec.id))
    if who != "led":  # figures return to one unit, not to a platoon
        found += _platoons(battle, side, card, colours, every, kept_back)
    if who not in ("", "mounted"):
        return found
    for flier in battle.fliers.values():
        has_colour = every or not flier.spec.colour or flier.spec.colour in colours
        if has_colour and flier.spec.side == side and flier.hex != OFF and "ordered" not in flier.marks:
            found.append(("flier", flier.spec.id))
    if who:
        return found
    for chief in battle.side_commanders(side):
        if "ordered" not in chief.marks:
            found.append(("leave" if chief.hex in here else "commander", chief.spec.id))
            if may_form(battle, chief):
                found.append(("form", chief.spec.id))
    if battle.companies:
        found += _companies(battle, side, colours, every, kept_back)
        found += _disbandings(battle, side)
    return found


def _disbandings(battle: Battle, side: str) -> list[Order]:
    """Return the companies that may be disbanded: none of their pieces has an order yet (AFR-119)."""
    units = battle.units
    found: list[Order] = []
    for key, company in battle.companies.items():
        officer = battle.commanders[company.officer]
        if officer.spec.side != side or "ordered" in officer.marks or company.state not in ("active", "suspended"):
            continue
        if not [name for name in company.members if "ordered" in units[name].marks]:
            found.append(("disband", key))
    return found


def _platoons(
    battle: Battle, side: str, card: Card, colours: Sequence[str], every: bool, kept_back: Set[str] = frozenset()
) -> list[Order]:
    """Return platoons of two units: both in the commander's hex (AFR-101, AFR-102), or one of them adjacent (AFR-298 to
    AFR-300).
    """
    found: list[Order] = []
    for chief in battle.side_commanders(side):
        units = platoon(battle, chief) if chief.hex in battle.here else []
        if len(units) < 2 or not _may_all_be_ordered(battle, card, units, colours, every):
            continue
        if not kept_back or kept_back.isdisjoint([unit.spec.colour for unit in units]):
            found.append(("platoon", chief.spec.id))
    return found


def _may_all_be_ordered(battle: Battle, card: Card, units: list[Unit], colours: Sequence[str], every: bool) -> bool:
    """Return True if the units have no orders yet, suit the card, and one of them has a remaining colour."""
    coloured = every
    for unit in units:
        if "ordered" in unit.marks or (card.who and not _names_unit(battle, card, unit)):
            return False
        coloured = coloured or unit.spec.colour in colours
    return coloured


def _companies(
    battle: Battle, side: str, colours: Sequence[str], every: bool, kept_back: Set[str] = frozenset()
) -> list[Order]:
    """Return active companies with a unit of the colour, and again for further battles (AFR-065, AFR-114)."""
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
            units_outside = [unit for unit in members if unit.hex not in zone]
            if not units_outside:
                continue
        if [unit for unit in members if "company" in unit.marks]:
            again = battle.book.settings.company_battle == "per_order"
            if again and company.rights < len([unit for unit in suited if "company" in unit.marks]):
                found.append(("company", key))
        elif "ordered" not in officer.marks and not [unit for unit in near if "ordered" in unit.marks]:
            found.append(("company", key))
    return found
