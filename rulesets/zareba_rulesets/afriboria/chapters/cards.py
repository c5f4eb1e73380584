"""Command cards and event cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from zareba.chance import at_most, counts, random_draw
from zareba.rules import procedure
from zareba.table import Deck, Table
from zareba_rulesets.afriboria.book import EventCard
from zareba_rulesets.afriboria.chapters.losses import lose_commander, lose_figures
from zareba_rulesets.afriboria.chapters.orders import (
    figures_to_regain,
    give_order,
    has_pieces_for_all,
    may_order,
    order_all_named,
    order_options,
    regain,
    slots_of,
)
from zareba_rulesets.afriboria.chapters.retreat import retreat
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import HIDDEN, Unit

# --- Hands and the command deck: playing, drawing and discarding cards (chapter 5) ------------------------------------


_TAKEN = random_draw("taken into the hand")

KEEP_REST = "no more"
"""The option that ends the exchange of cards."""
_field_values = attrgetter(*(part.name for part in fields(Battle)))


def draw_card(table: Table, battle: Battle, side: str) -> None:
    """Draw the top card of the command deck; reshuffle the discards if it is empty (AFR-072, AFR-073, AFR-343)."""
    card = battle.deck.draw(table, why="command card", rule="AFR-072", actor=side, seat=side, means=_TAKEN)
    if card is not None:
        hand = battle.sides[side].hand
        hand.append(card)
        hand.sort()


def deal(table: Table, battle: Battle) -> None:
    """Deal the hands at the start (AFR-044, AFR-045)."""
    for side in battle.sides:
        for _ in range(battle.book.settings.hand_size):
            draw_card(table, battle, side)


def is_playable(battle: Battle, side: str, name: str) -> bool:
    """Return True if a card gives any legal order or action (AFR-060)."""
    card = battle.book.cards[name]
    if card.orders and not card.who and battle.side_commanders(side):
        return True  # any unrestricted card can order a commander
    return has_pieces_for_all(battle, side, card) or may_order(battle, side, card)


def playable_cards(battle: Battle, side: str) -> list[str]:
    """Return the different cards of a hand that give a legal order or action."""
    return [name for name in sorted(set(battle.sides[side].hand)) if is_playable(battle, side, name)]


@procedure("cards.play")
def play_card(table: Table, battle: Battle) -> bool:
    """Play one card from the hand, which is compulsory (AFR-059, AFR-061). Return False if none is playable
    (AFR-060).
    """
    side = battle.active
    hand = battle.sides[side].hand
    options = playable_cards(battle, side)
    if not options:
        return False
    if battle.book.settings.solo_cards == "two_and_die" and len(hand) > 1:
        name = _choose_by_die(table, battle, side, options)
    else:
        name = table.choose(side, options, why="play", rule="AFR-059", actor=side)
    take_from_hand(battle, side, name)
    battle.card = name
    card = battle.book.cards[name]
    battle.slots = slots_of(card)
    table.emit("card", "AFR-059", side=side, card=name)
    if card.before == "scouts":
        _scouts(table, battle, side)
    elif card.before == "new_orders":
        _new_orders(table, battle, side)
    order_all_named(battle, side, card)
    return True


def _choose_by_die(table: Table, battle: Battle, side: str, options: list[str]) -> str:
    """Let the player pick two cards, playable ones if possible, and roll for one; a low roll plays the first
    (AFR-077).
    """
    hand = battle.sides[side].hand
    playable_in_hand = [name for name in hand if name in options]
    pool = playable_in_hand
    if len(pool) < 2:
        pool = [*playable_in_hand, *(name for name in hand if name not in options)]
    first = table.choose(side, playable_in_hand, why="first of two", rule="AFR-077", actor=side)
    other_cards = list(pool)
    other_cards.remove(first)
    second = table.choose(side, other_cards, why="second of two", rule="AFR-077", actor=side)
    solo = battle.book.file.solo
    means = at_most(solo.first_to, "the first is played", "the second is played")
    die = table.roll(1, solo.die, why="which card", rule="AFR-077", actor=side, means=means)
    return first if die <= solo.first_to else second


def _scouts(table: Table, battle: Battle, side: str) -> None:
    """Show the opponent's hand and name one card, which he discards and replaces (AFR-339)."""
    enemy = battle.field.enemy(side)
    hand = battle.sides[enemy].hand
    if hand:
        battle.sides[enemy].known = list(hand)
        name = table.choose(side, sorted(set(hand)), why="card to take away", rule="AFR-339", actor=side)
        discard_from_hand(table, battle, enemy, name)
        draw_card(table, battle, enemy)


def _new_orders(table: Table, battle: Battle, side: str) -> None:
    """Discard any number of the other cards and draw as many (AFR-339)."""
    hand = battle.sides[side].hand
    number = 0
    while hand:
        options = [KEEP_REST, *sorted(set(hand))]
        name = table.choose(side, options, why="card to exchange", rule="AFR-339", actor=side, about=(number,))
        if name == KEEP_REST:
            break
        discard_from_hand(table, battle, side, name)
        number += 1
    for _ in range(number):
        draw_card(table, battle, side)


def take_from_hand(battle: Battle, side: str, name: str) -> None:
    """Remove a card from a hand openly; if the enemy has been shown it, it no longer counts as known."""
    entry = battle.sides[side]
    entry.hand.remove(name)
    if name in entry.known:
        entry.known.remove(name)


def discard_from_hand(table: Table, battle: Battle, side: str, name: str) -> None:
    """Discard a card of a hand face up."""
    take_from_hand(battle, side, name)
    battle.deck.discard(name)
    table.emit("discard", "AFR-060", side=side, card=name)


def discard_played_card(table: Table, battle: Battle) -> None:
    """Discard the card played; its player draws another (AFR-072)."""
    if battle.card:
        battle.deck.discard(battle.card)
        battle.card, battle.slots = "", {}
        draw_card(table, battle, battle.active)


def hide_enemy_hand(battle: Battle, seat: str) -> Battle:
    """Return the view of a seat: its own hand, all public piles and the table, and the enemy cards that it has been
    shown.

    The enemy's other cards are blank (AFR-045, AFR-343). They count among the undrawn cards, because this seat cannot
    tell the two apart. Public parts are shared with the battle and not copied: do not change them.
    """
    enemy = battle.field.enemy(seat)
    hidden, known = list(battle.sides[enemy].hand), battle.sides[enemy].known
    for name in known:
        hidden.remove(name)
    view = Battle(*_field_values(battle))
    pile = battle.deck.pile.copy()
    fresh = [name for name in hidden if name not in pile]
    for name in hidden:
        pile[name] = pile.get(name, 0) + 1
    deck = Deck(dict(sorted(pile.items())) if fresh else pile, battle.deck.discards)
    blank = battle.sides[enemy].copy()
    blank.hand = [*known, *[HIDDEN] * len(hidden)]
    view.seer, view.deck = seat, deck
    view.sides = {side: blank if side == enemy else entry for side, entry in battle.sides.items()}
    return view


def fill_in_enemy_hand(table: Table, battle: Battle, seat: str) -> Battle:
    """Return the view of a seat with random possible cards in the enemy's hand, for simulated play (AFR-045)."""
    guess = hide_enemy_hand(battle, seat).copy()
    guess.seer = ""
    entry = guess.sides[battle.field.enemy(seat)]
    unseen = entry.hand.count(HIDDEN)
    entry.hand = list(entry.known)
    for _ in range(unseen):
        draw_card(table, guess, battle.field.enemy(seat))
    return guess


# --- Events -----------------------------------------------------------------------------------------------------------
# Event cards: drawn blind, accepted or passed on, turned over, and their effects (AFR-066 to AFR-071, Table 12).


_EFFECTIVE_DICE = counts("that take effect")
LOST = random_draw("lost from the hand")

ACCEPT, _PASS_ON = "accept it unseen", "pass it on unseen"
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
    choice = table.choose(side, (ACCEPT, _PASS_ON), why="event card", rule="AFR-067", actor=side)
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
    _EFFECTS.get(name, _no_effect)(table, battle, side, name)


# --- what the events do: `side` is the holder, who must activate the card ---------------------------------------------


_Effect = Callable[[Table, Battle, str, str], None]


def _on_one_unit(
    matches: Callable[[Battle, Unit, EventCard], bool],
    effect: Callable[[Table, Battle, Unit, str], None],
    *,
    by_enemy: bool = False,
) -> _Effect:
    """Return an effect on one of the holder's units that match the card (AFR-340).

    The holder picks the unit; with `by_enemy` his enemy does.
    """

    def apply_to_unit(table: Table, battle: Battle, side: str, name: str) -> None:
        entry = battle.book.file.events[name]
        unit_ids = [unit.spec.id for unit in battle.side_units(side) if matches(battle, unit, entry)]
        if unit_ids:
            seat = battle.field.enemy(side) if by_enemy else side
            chosen = table.choose(seat, unit_ids, why=name, rule="AFR-340", actor=seat)
            effect(table, battle, battle.units[chosen], name)

    return apply_to_unit


def _roll_event_dice(table: Table, battle: Battle, name: str, actor: str) -> int:
    """Roll the dice of an event and return how many show one of its faces (AFR-340)."""
    entry = battle.book.file.events[name]
    (count,) = table.roll(
        entry.dice,
        6,
        battle.book.reading_of(entry.faces),
        why=entry.title,
        rule="AFR-340",
        actor=actor,
        means=_EFFECTIVE_DICE,
    )
    return int(count)


def _lose_by_dice(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Remove a figure for each die that shows one of the card's faces; no saving throw against events (AFR-344)."""
    lose_figures(table, battle, unit, _roll_event_dice(table, battle, name, unit.spec.id), "other", "AFR-344")


def _lose_fixed_number(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Remove the number of figures that the event names (AFR-344)."""
    lose_figures(table, battle, unit, battle.book.file.events[name].figures, "other", "AFR-344")


def _flee(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Make a unit retreat the hexes that the event names."""
    retreat(table, battle, unit, battle.book.file.events[name].hexes)


def _flee_by_dice(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Make a unit retreat if a die shows one of the event's faces."""
    if _roll_event_dice(table, battle, name, unit.spec.id):
        _flee(table, battle, unit, name)


def _regain_figures(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Return the figures to a unit that the event names."""
    regain(table, battle, unit, battle.book.file.events[name].figures)


def _set_mark(mark: str) -> Callable[[Table, Battle, Unit, str], None]:
    """Return an effect that marks a unit."""
    return lambda table, battle, unit, name: unit.mark(mark)


def _is_any_unit(battle: Battle, unit: Unit, entry: EventCard) -> bool:
    """Return True for every unit."""
    return True


def _has_orders(battle: Battle, unit: Unit, entry: EventCard) -> bool:
    """Return True for a unit with an order."""
    return "ordered" in unit.marks


def _is_in_the_open(battle: Battle, unit: Unit, entry: EventCard) -> bool:
    """Return True for infantry and cavalry outside buildings."""
    return unit.profile.arm in ("infantry", "mounted", "dismounted") and "building" not in battle.ground(unit.hex).kinds


def _snake(table: Table, battle: Battle, side: str, name: str) -> None:
    """Let the enemy pick one of the holder's commanders, who is killed if the die says so (AFR-344)."""
    chiefs = [chief.spec.id for chief in battle.side_commanders(side)]
    if chiefs:
        seat = battle.field.enemy(side)
        chief = battle.commanders[table.choose(seat, chiefs, why=name, rule="AFR-340", actor=seat)]
        if _roll_event_dice(table, battle, name, chief.spec.id):
            lose_commander(table, battle, chief, "killed", "AFR-344", "other")


def _crocodiles(table: Table, battle: Battle, side: str, name: str) -> None:
    """Remove figures of all units of the holder in rivers, fords and marshes (AFR-344)."""
    for unit in battle.side_units(side):
        if {"river", "ford", "marsh"} & set(battle.ground(unit.hex).kinds) and not battle.over:
            _lose_by_dice(table, battle, unit, name)


def _stay_in_force(table: Table, battle: Battle, side: str, name: str) -> None:
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
    """Show the enemy's hand to the holder. The enemy loses a card at random and draws another."""
    enemy = battle.field.enemy(side)
    hand = battle.sides[enemy].hand
    if hand:
        copies: dict[str, int] = {}
        for card_in_hand in hand:
            copies[card_in_hand] = copies.get(card_in_hand, 0) + 1
        battle.sides[enemy].known = list(hand)
        lost = table.draw(copies, why="lost message", rule="AFR-340", actor=enemy, means=LOST)
        discard_from_hand(table, battle, enemy, lost)
        draw_card(table, battle, enemy)


def _no_effect(table: Table, battle: Battle, side: str, name: str) -> None:
    """Do nothing."""


_EFFECTS: dict[str, _Effect] = {
    "ev_lions": _on_one_unit(_is_in_the_open, _lose_by_dice, by_enemy=True),
    "ev_stampede": _on_one_unit(lambda battle, unit, _: not battle.ground(unit.hex).kinds, _flee, by_enemy=True),
    "ev_snake": _snake,
    "ev_crocodiles": _crocodiles,
    "ev_sandstorm": _stay_in_force,
    "ev_rain": _stay_in_force,
    "ev_heat": _stay_in_force,
    "ev_bad_cartridges": _on_one_unit(_is_any_unit, _set_mark("no_far"), by_enemy=True),
    "ev_fever": _on_one_unit(
        lambda _, unit, entry: unit.profile.arm == "infantry" and unit.figures >= entry.least,
        _lose_fixed_number,
        by_enemy=True,
    ),
    "ev_panic": _on_one_unit(lambda _, unit, entry: unit.profile.troop in ("B", "C"), _flee_by_dice, by_enemy=True),
    "ev_second_wind": _second_wind,
    "ev_ammunition": _on_one_unit(_has_orders, _set_mark("first")),
    "ev_recovered": _on_one_unit(lambda battle, unit, _: figures_to_regain(battle, unit) > 0, _regain_figures),
    "ev_guide": _on_one_unit(_has_orders, _set_mark("guided")),
    "ev_inspired": _on_one_unit(_is_any_unit, _set_mark("inspired")),
    "ev_message": _message,
    "ev_sundown": _no_effect,
}
