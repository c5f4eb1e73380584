"""Hands and the command deck: playing, drawing and discarding cards (chapter 5)."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter

from zareba.chance import at_most, lot
from zareba.rules import procedure
from zareba.table import Deck, Table
from zareba_rulesets.afriboria.chapters.orders.order_choices import may_order, slots_of
from zareba_rulesets.afriboria.chapters.orders.orders import order_all, orders_all
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import HIDDEN

__all__ = [
    "deal",
    "discard_hand_card",
    "discard_played_card",
    "draw_card",
    "fill_in_enemy_hand",
    "hide_enemy_hand",
    "is_playable",
    "play_card",
    "playable_cards",
    "take_from_hand",
]

TAKEN = lot("taken into the hand")

STOP = "no more"
"""The option that ends the exchange of cards."""
field_values = attrgetter(*(part.name for part in fields(Battle)))


def draw_card(table: Table, battle: Battle, side: str) -> None:
    """Draw the top card of the command deck; reshuffle the discards if it is empty (AFR-072, AFR-073, AFR-343)."""
    card = battle.deck.draw(table, why="command card", rule="AFR-072", actor=side, seat=side, means=TAKEN)
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
    return orders_all(battle, side, card) or may_order(battle, side, card)


def playable_cards(battle: Battle, side: str) -> list[str]:
    """Return the different cards of a hand that give a legal order or action."""
    return [name for name in sorted(set(battle.sides[side].hand)) if is_playable(battle, side, name)]


@procedure("cards.play")
def play_card(table: Table, battle: Battle) -> bool:
    """Play one card from the hand, which is compulsory (AFR-059, AFR-061). Return False if none is playable (AFR-060)."""
    side = battle.active
    hand = battle.sides[side].hand
    options = playable_cards(battle, side)
    if not options:
        return False
    if battle.book.settings.solo_cards == "two_and_die" and len(hand) > 1:
        name = _two_and_die(table, battle, side, options)
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
    order_all(battle, side, card)
    return True


def _two_and_die(table: Table, battle: Battle, side: str, options: list[str]) -> str:
    """Let the player pick two cards, playable ones if possible, and roll for one; a low roll plays the first
    (AFR-077).
    """
    hand = battle.sides[side].hand
    playable_in_hand = [name for name in hand if name in options]
    pool = (
        playable_in_hand
        if len(playable_in_hand) > 1
        else [*playable_in_hand, *(name for name in hand if name not in options)]
    )
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
        discard_hand_card(table, battle, enemy, name)
        draw_card(table, battle, enemy)


def _new_orders(table: Table, battle: Battle, side: str) -> None:
    """Discard any number of the other cards and draw as many (AFR-339)."""
    hand = battle.sides[side].hand
    number = 0
    while hand:
        options = [STOP, *sorted(set(hand))]
        name = table.choose(side, options, why="card to exchange", rule="AFR-339", actor=side, about=(number,))
        if name == STOP:
            break
        discard_hand_card(table, battle, side, name)
        number += 1
    for _ in range(number):
        draw_card(table, battle, side)


def take_from_hand(battle: Battle, side: str, name: str) -> None:
    """Remove a card from a hand openly; if the enemy has been shown it, it no longer counts as known."""
    entry = battle.sides[side]
    entry.hand.remove(name)
    if name in entry.known:
        entry.known.remove(name)


def discard_hand_card(table: Table, battle: Battle, side: str, name: str) -> None:
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
    view = Battle(*field_values(battle))
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
