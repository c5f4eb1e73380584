"""How questions, options and events read to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.chance import Counts
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba_rulesets.afriboria.battle import OFF, Battle, Unit
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.translation import Plan

__all__ = ["event_sentence", "option_phrase", "question_sentence", "unit_line"]

QUESTIONS = {
    "deploy in": "{actor}: set out in which hex?",
    "company": "{actor}: form a company at the start?",
    "company of": "{actor}: which unit belongs to his company?",
    "first turn": "{actor} threw higher: go first or second?",
    "arrive in": "{actor}: arrive in which hex?",
    "play": "{actor}: which card is played?",
    "first of two": "{actor}: which card is the first of two?",
    "second of two": "{actor}: which card is the second of two?",
    "card to discard": "{actor}: nothing can be ordered; which card goes?",
    "card to take away": "{actor}: which card must the enemy discard?",
    "card to exchange": "{actor}: exchange which card?",
    "order": "{actor}: on what is the next order spent?",
    "gate": "{actor}: open or shut it?",
    "event card": "{actor}: accept the event unseen, or pass it to the enemy?",
    "figures regained": "{actor}: how many figures come back?",
    "move with": "{actor}: which of those ordered moves next?",
    "move": "{actor}: what does it do?",
    "commander to": "{actor}: go to which hex?",
    "follow to": "{actor}: follow the officer to which hex?",
    "ladder at": "{actor}: put up the ladder against which wall?",
    "climb": "{actor}: climb the ladder at once?",
    "man": "{actor}: man which hex of the wall next?",
    "figures there": "{actor}: how many figures stand there?",
    "gather in": "{actor}: come together in which hex?",
    "exposure": "{actor}: be seen, or keep out of sight?",
    "fly": "{actor}: what does it do?",
    "battle with": "{actor}: who battles next?",
    "battle against": "{actor}: battle whom?",
    "which unit is attacked": "{actor} attacks: which unit takes the attack?",
    "officer's die": "Does the officer lend {actor} his die this turn?",
    "defender": "{actor} is attacked: stand or retreat?",
    "dice of the section": "{actor}: how many dice for this section?",
    "defence": "{actor}: use the defence dice of this turn?",
    "flags": "{actor}: ignore the flags?",
    "flags accepted": "{actor}: how many flags are accepted as retreat?",
    "flags to save": "{actor}: try to save how many flags?",
    "retreat to": "{actor}: retreat to which hex?",
    "lose": "{actor} cannot retreat: who is lost?",
    "breakthrough": "{actor}: break through?",
    "fight on against": "{actor}: fight on against whom?",
    "mount": "{actor}: mount?",
}
CELL_QUESTIONS = {
    "deploy in", "arrive in", "commander to", "follow to", "ladder at", "man", "gather in", "retreat to", "fight on against",
}  # fmt: skip


def question_sentence(battle: Battle, question: Question) -> str:
    """The question in one sentence; for dice what is thrown and which faces count."""
    actor = _name(battle, question.actor)
    if isinstance(question, Roll):
        return f"{question.why.capitalize()} for {actor}: throw {question.dice}d6, {_reading(battle.book, question)}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}: draw a card for {actor}"
    if question.why in battle.book.file.events:
        return f"{battle.book.file.events[question.why].title.capitalize()}: which one?"
    return QUESTIONS[question.why].format(actor=actor)


def _reading(book: AfrBook, question: Roll) -> str:
    """The faces that count, as symbols of the battle die or as numbers of a normal one (AFR-008)."""
    if not isinstance(question.read, Counts):
        return f"read as {question.read.name}"
    by_number = {face.number: face.symbol for face in book.file.faces.values()}
    symbols = book.settings.die_display == "symbols"
    groups = [
        "/".join(by_number[number] if symbols else str(number) for number in _ranked(group, symbols))
        for group in question.read.groups
        if group
    ]
    return f"counting {', '.join(groups)}" if groups else "counting nothing"


def _ranked(group: frozenset[int], symbols: bool) -> list[int]:
    return sorted(group, reverse=symbols)


def _name(battle: Battle, actor: str) -> str:
    piece = battle.units.get(actor) or battle.commanders.get(actor) or battle.fliers.get(actor)
    return piece.spec.name if piece is not None else actor


def option_phrase(battle: Battle, question: Choose | Place | Confirm, option: Option) -> str:
    """One option as a phrase."""
    if isinstance(option, tuple):
        return _tuple_phrase(battle, option)
    if isinstance(option, int):
        return place_phrase(battle, option) if question.why in CELL_QUESTIONS else str(option)
    card = battle.book.cards.get(option)
    if card is not None:
        return card.title
    unit = battle.units.get(option)
    return unit_line(battle, unit) if unit is not None else _name(battle, option)


def _tuple_phrase(battle: Battle, option: tuple[Any, ...]) -> str:
    kind, what = option[0], option[1]
    if kind == "unit":
        return unit_line(battle, battle.units[what])
    if kind == "platoon":
        units = [*battle.units_in(battle.commanders[what].hex), *(battle.units[name] for name in option[2:])]
        return f"the platoon of {_name(battle, what)}: {' and '.join(unit.spec.name for unit in units)}"
    phrases = {
        "commander": "{name}",
        "leave": "{name} leaves his command",
        "company": "the {name}",
        "form": "{name} forms a company",
        "disband": "disband the {name}",
        "flier": "{name}",
        "parked": "{name} on the ground",
    }
    if kind in phrases:
        return phrases[kind].format(name=_name(battle, what))
    places = {
        "to": "go to {place}",
        "with": "go with the commander to {place}",
        "hex": "{place}",
        "structure": "the structure at {place}",
        "bomb": "bomb {place}",
        "ladder": "put up a ladder at {place}",
        "throw down": "throw down the ladder from {place}",
        "take off": "take off and fly to {place}",
        "land": "land at {place}",
        "fly": "fly to {place}",
    }
    return places[kind].format(place=place_phrase(battle, what))


def place_phrase(battle: Battle, cell: int) -> str:
    """A hex with its ground and who is in it."""
    ground = battle.ground(cell)
    terrain = battle.book.file.terrain
    notes = [terrain[kind].title for kind in ground.kinds]
    there = [unit.spec.name for unit in battle.units_in(cell)]
    chief = battle.commander_in(cell)
    there += [chief.spec.name] if chief is not None else []
    notes += [f"with {', '.join(there)}"] if there else []
    label = battle.field.grid.label(cell)
    return f"{label} ({'; '.join(notes)})" if notes else label


def unit_line(battle: Battle, unit: Unit) -> str:
    """A unit in one line: name, colour, hex, figures, state."""
    states = sorted(unit.marks & {"unexposed", "inspired", "stuck", "no_battle"})
    states += ["on foot"] if unit.spec.foot is not None and not unit.mounted else []
    states += ["with ladders"] if unit.ladders else []
    where = battle.field.grid.label(unit.hex) if unit.hex != OFF else "off the table"
    state = f", {', '.join(states).replace('_', ' ')}" if states else ""
    return f"{unit.spec.name} ({unit.spec.colour} {unit.profile.title}) at {where}, {unit.figures} figures{state}"


Told = Callable[[Mapping[str, Any], Callable[[str], str], Callable[[int], str]], str]

EVENTS: dict[str, Told] = {
    "deployed": lambda d, n, h: f"{n(d['unit'])} stands at {h(d['hex'])}",
    "arrived": lambda d, n, h: f"{n(d['unit'])} arrives at {h(d['hex'])}",
    "company": lambda d, n, h: f"{n(d['officer'])} at {h(d['hex'])} leads a company: {', '.join(map(n, d['members']))}",
    "company disbands": lambda d, n, h: f"{n(d['officer'])} gives up his company",
    "card": lambda d, n, h: f"{n(d['side'])} plays: {n(d['card'])}",
    "discard": lambda d, n, h: f"{n(d['side'])} discards: {n(d['card'])}",
    "event": lambda d, n, h: f"event for {n(d['side'])}: {n(d['card'])}",
    "event passed": lambda d, n, h: f"{n(d['side'])} passes an event on, unread",
    "order": lambda d, n, h: f"order: {d['order'][0]} {', '.join(n(name) for name in d['order'][1:])}",
    "regained": lambda d, n, h: f"{n(d['unit'])} regains {d['figures']} figures",
    "move": lambda d, n, h: f"{n(d['unit'])} moves to {h(d['hex'])}",
    "dismount": lambda d, n, h: f"{n(d['unit'])} dismounts",
    "mount": lambda d, n, h: f"{n(d['unit'])} mounts",
    "mans the wall": lambda d, n, h: (
        f"{n(d['unit'])} mans the wall: " + ", ".join(f"{figures} at {h(cell)}" for cell, figures in d["sections"])
    ),
    "gathers": lambda d, n, h: f"{n(d['unit'])} gathers at {h(d['hex'])}",
    "flight": lambda d, n, h: f"{n(d['unit'])}: {d['act']} to {h(d['hex'])}",
    "left the table": lambda d, n, h: f"{n(d['unit'])} leaves over the {d['edge']} edge",
    "taken up": lambda d, n, h: f"{n(d['unit'])} takes up the {d['object'].replace('_', ' ')}",
    "battle": lambda d, n, h: (
        f"{n(d['unit'])} battles {n(d['target'])} at {h(d['hex'])} with {d['dice']} dice: "
        + (
            "the gun jams"
            if d["jammed"]
            else f"{d['kills']} killed" + (f", {d['flags']} flag{'s' * (d['flags'] > 1)}" if d["flags"] else "")
        )
    ),
    "loss": lambda d, n, h: f"{n(d['unit'])} loses {d['lost']}, {d['left']} left" if d["left"] else "",
    "destroyed": lambda d, n, h: f"{n(d['unit'])} is gone: {d['how']}",
    "commander lost": lambda d, n, h: f"{n(d['unit'])} is gone: {d['how']}",
    "wounded": lambda d, n, h: f"{n(d['unit'])} is wounded",
    "captured": lambda d, n, h: f"{n(d['unit'])} is captured by {n(d['by'])}",
    "retreat": lambda d, n, h: f"{n(d['unit'])} falls back to {h(d['hex'])}",
    "rallied": lambda d, n, h: f"{n(d['unit'])} is rallied by a commander",
    "breakthrough": lambda d, n, h: f"{n(d['unit'])} breaks through to {h(d['hex'])}",
    "bombardment": lambda d, n, h: (
        f"{n(d['unit'])} bombards {h(d['hex'])} with {d['dice']} dice: {d['lost']} off, {d['left']} left"
    ),
    "rubble": lambda d, n, h: f"the structure at {h(d['hex'])} falls in",
    "gate": lambda d, n, h: f"the gate at {h(d['hex'])} is {'opened' if d['open'] else 'shut'}",
    "ladder": lambda d, n, h: f"ladder of {n(d['unit'])} at {h(d['hex'])}: {d['result']}",
    "anti-aircraft fire": lambda d, n, h: (
        f"{n(d['unit'])} fires {d['dice']} dice at {n(d['target'])}: {d['hits']} hits"
    ),
    "flier lost": lambda d, n, h: f"{n(d['unit'])} is lost: {d['how']}",
    "objective": lambda d, n, h: f"{n(d['side'])} holds {n(d['objective'])}",
    "points": lambda d, n, h: f"{n(d['side'])} {d['points']:+d} for {d['why']}: {d['total']} points",
}


def event_sentence(book: AfrBook, plan: Plan, names: Mapping[str, str], event: Event) -> str:
    """What happened in one sentence; a house rule's own events are told by their `text`. `names` of sides and places."""
    told = EVENTS.get(event.kind)
    if told is None:
        return str(event.data.get("text", ""))
    known = {key: piece.name for pieces in (plan.units, plan.commanders, plan.fliers) for key, piece in pieces.items()}
    known |= {key: card.title for cards in (book.cards, book.file.events) for key, card in cards.items()}

    def name(key: Any) -> str:
        return known.get(key) or names.get(key, str(key))

    return told(event.data, name, plan.field.grid.label)
