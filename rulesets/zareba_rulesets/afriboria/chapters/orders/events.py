"""Event cards: taken blind, accepted or passed on, turned over, and what they do (AFR-066 to AFR-071, Table 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.chance import counts, lot
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.losses import fall, lose
from zareba_rulesets.afriboria.chapters.orders.cards import discard_hand_card, draw_card
from zareba_rulesets.afriboria.chapters.orders.order_choices import order_options
from zareba_rulesets.afriboria.chapters.orders.orders import give_order, missing, regain
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
    """After the announcement: a forced event first (AFR-068, AFR-070), then the one that the card in play brings, to be
    accepted or passed on without a look (AFR-066, AFR-067, AFR-069)."""
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
        table.tell("event passed", "AFR-068", side=side)


@procedure("events.turn_over")
def turn_over(table: Table, battle: Battle, side: str) -> None:
    """The event is made public, does what it says, and goes to its discards (AFR-069, AFR-071).

    A card that a house rule has added does nothing by itself; its hook reacts to the event told here (AFR-013).
    """
    name = battle.event_deck.draw(table, why="event card", rule="AFR-069", actor=side, means=battle.book.event_means)
    if name is None:
        return
    table.tell("event", "AFR-069", side=side, card=name)
    battle.event_deck.discard(name)
    EFFECTS.get(name, _sundown)(table, battle, side, name)


# --- what they do: `side` is the holder, who must activate the card -----------------------------------------------------------


def _pick(table: Table, battle: Battle, seat: str, units: list[Unit], name: str) -> Unit | None:
    if not units:
        return None
    chosen = table.choose(seat, [unit.spec.id for unit in units], why=name, rule="AFR-340", actor=seat)
    return battle.units[chosen]


def _dice(table: Table, battle: Battle, name: str, actor: str) -> int:
    entry = battle.book.file.events[name]
    (count,) = table.roll(
        entry.dice, 6, battle.book.read(entry.faces), why=entry.title, rule="AFR-340", actor=actor, means=STRUCK
    )
    return int(count)


def _lions(table: Table, battle: Battle, side: str, name: str) -> None:
    """No saving throw against an event (AFR-344)."""
    prey = [
        unit
        for unit in battle.side_units(side)
        if unit.profile.arm in ("infantry", "mounted", "dismounted") and "building" not in battle.ground(unit.hex).kinds
    ]
    unit = _pick(table, battle, battle.field.enemy(side), prey, name)
    if unit is not None:
        lose(table, battle, unit, _dice(table, battle, name, unit.spec.id), "other", "AFR-344")


def _stampede(table: Table, battle: Battle, side: str, name: str) -> None:
    herd = [unit for unit in battle.side_units(side) if not battle.ground(unit.hex).kinds]
    unit = _pick(table, battle, battle.field.enemy(side), herd, name)
    if unit is not None:
        retreat(table, battle, unit, battle.book.file.events[name].hexes)


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
            lose(table, battle, unit, _dice(table, battle, name, unit.spec.id), "other", "AFR-344")


def _in_force(table: Table, battle: Battle, side: str, name: str) -> None:
    """This turn, and as many after it as the card says."""
    battle.effects[name] = battle.turn + battle.book.file.events[name].turns


def _bad_cartridges(table: Table, battle: Battle, side: str, name: str) -> None:
    unit = _pick(table, battle, battle.field.enemy(side), battle.side_units(side), name)
    if unit is not None:
        unit.mark("no_far")


def _fever(table: Table, battle: Battle, side: str, name: str) -> None:
    entry = battle.book.file.events[name]
    sick = [unit for unit in battle.side_units(side) if unit.profile.arm == "infantry" and unit.figures >= entry.least]
    unit = _pick(table, battle, battle.field.enemy(side), sick, name)
    if unit is not None:
        lose(table, battle, unit, entry.figures, "other", "AFR-344")


def _panic(table: Table, battle: Battle, side: str, name: str) -> None:
    shaky = [unit for unit in battle.side_units(side) if unit.profile.troop in ("B", "C")]
    unit = _pick(table, battle, battle.field.enemy(side), shaky, name)
    if unit is not None and _dice(table, battle, name, unit.spec.id):
        retreat(table, battle, unit, battle.book.file.events[name].hexes)


def _second_wind(table: Table, battle: Battle, side: str, name: str) -> None:
    """More units of any colour, by ordinary orders, if the holder likes; nothing without a card in play (AFR-345)."""
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


def _ordered(battle: Battle, side: str) -> list[Unit]:
    return [unit for unit in battle.side_units(side) if "ordered" in unit.marks]


def _ammunition(table: Table, battle: Battle, side: str, name: str) -> None:
    unit = _pick(table, battle, side, _ordered(battle, side), name)
    if unit is not None:
        unit.mark("first")


def _recovered(table: Table, battle: Battle, side: str, name: str) -> None:
    weak = [unit for unit in battle.side_units(side) if missing(battle, unit) > 0]
    unit = _pick(table, battle, side, weak, name)
    if unit is not None:
        regain(table, battle, unit, battle.book.file.events[name].figures)


def _guide(table: Table, battle: Battle, side: str, name: str) -> None:
    unit = _pick(table, battle, side, _ordered(battle, side), name)
    if unit is not None:
        unit.mark("guided")


def _inspired(table: Table, battle: Battle, side: str, name: str) -> None:
    unit = _pick(table, battle, side, battle.side_units(side), name)
    if unit is not None:
        unit.mark("inspired")


def _message(table: Table, battle: Battle, side: str, name: str) -> None:
    """The rival's hand is shown to the holder; he loses a card of it at random and draws another."""
    enemy = battle.field.enemy(side)
    hand = battle.sides[enemy].hand
    if hand:
        counts: dict[str, int] = {}
        for held in hand:
            counts[held] = counts.get(held, 0) + 1
        battle.sides[enemy].known = list(hand)
        lost = table.draw(counts, why="lost message", rule="AFR-340", actor=enemy, means=LOST)
        discard_hand_card(table, battle, enemy, lost)
        draw_card(table, battle, enemy)


def _sundown(table: Table, battle: Battle, side: str, name: str) -> None:
    """Nothing happens."""


EFFECTS: dict[str, Callable[[Table, Battle, str, str], None]] = {
    "ev_lions": _lions,
    "ev_stampede": _stampede,
    "ev_snake": _snake,
    "ev_crocodiles": _crocodiles,
    "ev_sandstorm": _in_force,
    "ev_rain": _in_force,
    "ev_heat": _in_force,
    "ev_bad_cartridges": _bad_cartridges,
    "ev_fever": _fever,
    "ev_panic": _panic,
    "ev_second_wind": _second_wind,
    "ev_ammunition": _ammunition,
    "ev_recovered": _recovered,
    "ev_guide": _guide,
    "ev_inspired": _inspired,
    "ev_message": _message,
    "ev_sundown": _sundown,
}
