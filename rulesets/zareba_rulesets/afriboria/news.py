"""How what has happened reads to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.amounts import amount
from zareba.table import Event
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.plan import Plan

__all__ = ["event_sentence"]

ORDERS = {
    "unit": "{name}", "platoon": "the platoon of {name}", "commander": "{name}", "leave": "{name}, to leave his command",
    "company": "the company of {name}", "form": "{name}, to form a company", "disband": "the company of {name}, to end",
    "flier": "{name}",
}  # fmt: skip

FLIGHTS = {"take off": "takes off and flies to", "land": "lands at", "fly": "flies to"}

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
    "order": lambda d, n, h: (
        "ordered: " + ORDERS[d["order"][0]].format(name=n(d["order"][1].removeprefix("company of ")))
    ),
    "regained": lambda d, n, h: f"{n(d['unit'])} regains {d['figures']}",
    "move": lambda d, n, h: f"{n(d['unit'])} moves to {h(d['hex'])}",
    "dismount": lambda d, n, h: f"{n(d['unit'])} dismounts",
    "mount": lambda d, n, h: f"{n(d['unit'])} mounts",
    "mans the wall": lambda d, n, h: (
        f"{n(d['unit'])} mans the wall: " + ", ".join(f"{figures} at {h(cell)}" for cell, figures in d["sections"])
    ),
    "gathers": lambda d, n, h: f"{n(d['unit'])} gathers at {h(d['hex'])}",
    "flight": lambda d, n, h: f"{n(d['unit'])} {FLIGHTS[d['act']]} {h(d['hex'])}",
    "left the table": lambda d, n, h: f"{n(d['unit'])} leaves over the {d['edge']} edge",
    "taken up": lambda d, n, h: f"{n(d['unit'])} takes up the {d['object'].replace('_', ' ')}",
    "battle": lambda d, n, h: (
        f"{n(d['unit'])} battles {n(d['target'])} at {h(d['hex'])} with {amount(d['dice'], 'die', 'dice')}: "
        + ("the gun jams" if d["jammed"] else f"{d['kills']} killed")
        + (f", {amount(d['flags'], 'flag')}" if d["flags"] else "")
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
        f"{n(d['unit'])} bombards {h(d['hex'])} with {amount(d['dice'], 'die', 'dice')}: {d['lost']} off, {d['left']} left"
    ),
    "rubble": lambda d, n, h: f"the structure at {h(d['hex'])} falls in",
    "gate": lambda d, n, h: f"the gate at {h(d['hex'])} is {'opened' if d['open'] else 'shut'}",
    "ladder": lambda d, n, h: (
        f"{n(d['unit'])} throws down the ladder at {h(d['hex'])}"
        if d["result"] == "thrown down"
        else f"ladder of {n(d['unit'])} at {h(d['hex'])}: {d['result']}"
    ),
    "anti-aircraft fire": lambda d, n, h: (
        f"{n(d['unit'])} fires {amount(d['dice'], 'die', 'dice')} at {n(d['target'])}: {amount(d['hits'], 'hit')}"
    ),
    "flier lost": lambda d, n, h: f"{n(d['unit'])} is lost: {d['how']}",
    "objective": lambda d, n, h: f"{n(d['side'])} holds {n(d['objective'])}",
    "points": lambda d, n, h: f"{n(d['side'])} {d['points']:+d} for {d['why']}: {amount(d['total'], 'point')}",
}


def event_sentence(book: AfrBook, plan: Plan, names: Mapping[str, str], event: Event) -> str:
    """What happened in one sentence; a house rule's own events are told by their `text`. `names` of sides and places."""
    told = EVENTS.get(event.kind)
    if told is None:
        return str(event.data.get("text", ""))
    known = {key: piece.name for pieces in (plan.units, plan.commanders, plan.fliers) for key, piece in pieces.items()}
    known |= {key: card.title for key, card in book.cards.items()}
    known |= {key: f"{card.title} ({card.text})" for key, card in book.file.events.items()}

    def name(key: Any) -> str:
        return known.get(key) or names.get(key, str(key))

    return told(event.data, name, plan.field.grid.label)
