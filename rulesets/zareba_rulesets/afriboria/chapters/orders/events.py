"""Event cards: drawn blind, accepted or passed on, turned over, and their effects (AFR-066 to AFR-071, Table 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.chance import counts, lot
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.book.tables import EventCard
from zareba_rulesets.afriboria.chapters.losses import fall, lose
from zareba_rulesets.afriboria.chapters.orders.cards import discard_hand_card, draw_card
from zareba_rulesets.afriboria.chapters.orders.order_choices import order_options
from zareba_rulesets.afriboria.chapters.orders.orders import figures_to_regain, give_order, regain
from zareba_rulesets.afriboria.chapters.retreat import retreat
from zareba_rulesets.afriboria.chapters.sight.exposure import set_exposure
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import Unit

__all__ = ["face_events", "turn_over"]

STRUCK = counts("that tell")
LOST = lot("lost from the hand")

ACCEPT, PASS_ON = "accept it unseen", "pass it on unseen"
NOBODY = "nobody"


@procedure("events.face")
def face_events(table: Table, battle: Battle) -> None:
    """Resolve events after the orders: a forced event first (AFR-068, AFR-070), then the event of the card in play.

    The latter is accepted or passed on unseen (AFR-066, AFR-067, AFR-069).
    """
    side = battle.active
    if battle.sides[side].forced:
        battle.sides[side].forced = False
        turn_over(table, battle, side)
    if battle.over or not battle.card or not battle.book.cards[battle.card].event or not battle.event_deck_used:
        return
    choice = table.choose(side, (ACCEPT, PASS_ON), why="event card", rule="AFR-067", actor=side)
    if choice == ACCEPT:
        turn_over(table, battle, side)
    else:
        battle.sides[battle.field.enemy(side)].forced = True
        table.emit("event passed", "AFR-068", side=side)


@procedure("events.turn_over")
def turn_over(table: Table, battle: Battle, side: str) -> None:
    """Turn over an event card, apply it and discard it (AFR-069, AFR-071).

    A card added by a house rule has no effect here; its hook reacts to the event emitted here (AFR-013).
    """
    name = battle.event_deck.draw(table, why="event card", rule="AFR-069", actor=side, means=battle.book.event_means)
    if name is None:
        return
    table.emit("event", "AFR-069", side=side, card=name)
    battle.event_deck.discard(name)
    EFFECTS.get(name, _sundown)(table, battle, side, name)


# --- what they do: `side` is the holder, who must activate the card -----------------------------------------------------------


Effect = Callable[[Table, Battle, str, str], None]


def _to_one(
    among: Callable[[Battle, Unit, EventCard], bool],
    effect: Callable[[Table, Battle, Unit, str], None],
    *,
    by_enemy: bool = False,
) -> Effect:
    """Return an effect on one of the holder's units that match the card (AFR-340).

    The holder picks the unit; with `by_enemy` his enemy does.
    """

    def befalls(table: Table, battle: Battle, side: str, name: str) -> None:
        entry = battle.book.file.events[name]
        meant = [unit.spec.id for unit in battle.side_units(side) if among(battle, unit, entry)]
        if meant:
            seat = battle.field.enemy(side) if by_enemy else side
            chosen = table.choose(seat, meant, why=name, rule="AFR-340", actor=seat)
            effect(table, battle, battle.units[chosen], name)

    return befalls


def _dice(table: Table, battle: Battle, name: str, actor: str) -> int:
    entry = battle.book.file.events[name]
    (count,) = table.roll(
        entry.dice, 6, battle.book.reading_of(entry.faces), why=entry.title, rule="AFR-340", actor=actor, means=STRUCK
    )
    return int(count)


def _lose_by_dice(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Remove a figure for each die that shows one of the card's faces; no saving throw against events (AFR-344)."""
    lose(table, battle, unit, _dice(table, battle, name, unit.spec.id), "other", "AFR-344")


def _lose_fixed_number(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    lose(table, battle, unit, battle.book.file.events[name].figures, "other", "AFR-344")


def _flees(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    retreat(table, battle, unit, battle.book.file.events[name].hexes)


def _may_flee(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    if _dice(table, battle, name, unit.spec.id):
        _flees(table, battle, unit, name)


def _regains(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    regain(table, battle, unit, battle.book.file.events[name].figures)


def _set_mark(mark: str) -> Callable[[Table, Battle, Unit, str], None]:
    return lambda table, battle, unit, name: unit.mark(mark)


def _anybody(battle: Battle, unit: Unit, entry: EventCard) -> bool:
    return True


def _has_orders(battle: Battle, unit: Unit, entry: EventCard) -> bool:
    return "ordered" in unit.marks


def _is_in_the_open(battle: Battle, unit: Unit, entry: EventCard) -> bool:
    return unit.profile.arm in ("infantry", "mounted", "dismounted") and "building" not in battle.ground(unit.hex).kinds


def _snake(table: Table, battle: Battle, side: str, name: str) -> None:
    chiefs = [chief.spec.id for chief in battle.side_commanders(side)]
    if chiefs:
        seat = battle.field.enemy(side)
        chief = battle.commanders[table.choose(seat, chiefs, why=name, rule="AFR-340", actor=seat)]
        if _dice(table, battle, name, chief.spec.id):
            fall(table, battle, chief, "killed", "AFR-344", "other")


def _crocodiles(table: Table, battle: Battle, side: str, name: str) -> None:
    for unit in battle.side_units(side):
        if {"river", "ford", "marsh"} & set(battle.ground(unit.hex).kinds) and not battle.over:
            _lose_by_dice(table, battle, unit, name)


def _in_force(table: Table, battle: Battle, side: str, name: str) -> None:
    """Keep the event in force for this turn and as many more as the card says."""
    battle.effects[name] = battle.turn + battle.book.file.events[name].turns


def _second_wind(table: Table, battle: Battle, side: str, name: str) -> None:
    """Let the holder order more units of any colour. No effect without a card in play (AFR-345)."""
    if not battle.card:
        return
    slots = battle.slots
    battle.slots = {"any": battle.book.file.events[name].orders}
    card = battle.book.cards[battle.card].model_copy(
        update={"who": "", "moves": True, "battles": True, "bonus": "", "march": 0, "regains": 0}
    )
    while battle.slots["any"]:
        options: list[Any] = [order for order in order_options(battle, side, card, battle.slots) if order[0] == "unit"]
        order = table.choose(side, [*options, NOBODY], why=name, rule="AFR-340", actor=side)
        if order == NOBODY:
            break
        give_order(table, battle, order, card)
        set_exposure(table, battle, battle.units[order[1]])
    battle.slots = slots


def _message(table: Table, battle: Battle, side: str, name: str) -> None:
    """Show the rival's hand to the holder; the rival loses a card at random and draws another."""
    enemy = battle.field.enemy(side)
    hand = battle.sides[enemy].hand
    if hand:
        copies: dict[str, int] = {}
        for card_in_hand in hand:
            copies[card_in_hand] = copies.get(card_in_hand, 0) + 1
        battle.sides[enemy].known = list(hand)
        lost = table.draw(copies, why="lost message", rule="AFR-340", actor=enemy, means=LOST)
        discard_hand_card(table, battle, enemy, lost)
        draw_card(table, battle, enemy)


def _sundown(table: Table, battle: Battle, side: str, name: str) -> None:
    """Do nothing."""


EFFECTS: dict[str, Effect] = {
    "ev_lions": _to_one(_is_in_the_open, _lose_by_dice, by_enemy=True),
    "ev_stampede": _to_one(lambda battle, unit, _: not battle.ground(unit.hex).kinds, _flees, by_enemy=True),
    "ev_snake": _snake,
    "ev_crocodiles": _crocodiles,
    "ev_sandstorm": _in_force,
    "ev_rain": _in_force,
    "ev_heat": _in_force,
    "ev_bad_cartridges": _to_one(_anybody, _set_mark("no_far"), by_enemy=True),
    "ev_fever": _to_one(
        lambda _, unit, entry: unit.profile.arm == "infantry" and unit.figures >= entry.least,
        _lose_fixed_number,
        by_enemy=True,
    ),
    "ev_panic": _to_one(lambda _, unit, entry: unit.profile.troop in ("B", "C"), _may_flee, by_enemy=True),
    "ev_second_wind": _second_wind,
    "ev_ammunition": _to_one(_has_orders, _set_mark("first")),
    "ev_recovered": _to_one(lambda battle, unit, _: figures_to_regain(battle, unit) > 0, _regains),
    "ev_guide": _to_one(_has_orders, _set_mark("guided")),
    "ev_inspired": _to_one(_anybody, _set_mark("inspired")),
    "ev_message": _message,
    "ev_sundown": _sundown,
}
