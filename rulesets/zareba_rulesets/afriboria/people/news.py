"""How what has happened reads to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.amounts import amount
from zareba.table import Event
from zareba.telling import common_sentence
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.plan import Plan

__all__ = ["event_sentence"]

ORDERS = {
    "unit": "{name}", "platoon": "the platoon of {name}", "commander": "{name}", "leave": "{name}, to leave his command",
    "company": "the company of {name}", "form": "{name}, to form a company", "disband": "the company of {name}, to end",
    "flier": "{name}",
}  # fmt: skip

FLIGHTS = {"take off": "took off and flew to", "land": "landed at", "fly": "flew to"}


def _along(data: Mapping[str, Any], name: Callable[[str], str]) -> str:
    """The commander who goes with a unit."""
    return f" with {name(data['chief'])}" if data.get("chief") else ""


Told = Callable[[Mapping[str, Any], Callable[[str], str], Callable[[int], str]], str]

EVENTS: dict[str, Told] = {
    "deployed": lambda d, n, h: f"{n(d['unit'])} stood at {h(d['hex'])}",
    "arrived": lambda d, n, h: f"{n(d['unit'])} arrived at {h(d['hex'])}",
    "company": lambda d, n, h: f"{n(d['officer'])} at {h(d['hex'])} led a company: {', '.join(map(n, d['members']))}",
    "company disbands": lambda d, n, h: f"{n(d['officer'])} gave up his company",
    "card": lambda d, n, h: f"{n(d['side'])} played: {n(d['card'])}",
    "discard": lambda d, n, h: f"{n(d['side'])} discarded: {n(d['card'])}",
    "event": lambda d, n, h: f"event for {n(d['side'])}: {n(d['card'])}",
    "event passed": lambda d, n, h: f"{n(d['side'])} passed an event on, unread",
    "order": lambda d, n, h: (
        "ordered: " + ORDERS[d["order"][0]].format(name=n(d["order"][1].removeprefix("company of ")))
    ),
    "regained": lambda d, n, h: f"{n(d['unit'])} regained {d['figures']}",
    "move": lambda d, n, h: f"{n(d['unit'])} moved to {h(d['hex'])}{_along(d, n)}",
    "dismount": lambda d, n, h: f"{n(d['unit'])} dismounted",
    "mount": lambda d, n, h: f"{n(d['unit'])} mounted",
    "mans the wall": lambda d, n, h: (
        f"{n(d['unit'])} manned the wall: " + ", ".join(f"{figures} at {h(cell)}" for cell, figures in d["sections"])
    ),
    "gathers": lambda d, n, h: f"{n(d['unit'])} gathered at {h(d['hex'])}",
    "flight": lambda d, n, h: f"{n(d['unit'])} {FLIGHTS[d['act']]} {h(d['hex'])}",
    "battle": lambda d, n, h: (
        f"{n(d['unit'])} battled {n(d['target'])} at {h(d['hex'])} with {amount(d['dice'], 'die', 'dice')}: "
        + ("the gun jammed" if d["jammed"] else f"{d['kills']} killed")
        + (f", {amount(d['flags'], 'flag')}" if d["flags"] else "")
    ),
    "salvo": lambda d, n, h: (
        f"{n(d['unit'])} fired from the wall: {amount(d['hits'], 'hit')}, {amount(d['flags'], 'flag')} in all"
    ),
    "destroyed": lambda d, n, h: f"that was the end of {n(d['unit'])}: {d['how']}",
    "commander lost": lambda d, n, h: f"that was the end of {n(d['unit'])}: {d['how']}",
    "wounded": lambda d, n, h: f"{n(d['unit'])} was wounded",
    "captured": lambda d, n, h: f"{n(d['by'])} captured {n(d['unit'])}",
    "retreat": lambda d, n, h: f"{n(d['unit'])} fell back to {h(d['hex'])}{_along(d, n)}",
    "blocked": lambda d, n, h: f"{n(d['unit'])} had no way back",
    "rallied": lambda d, n, h: f"a commander rallied {n(d['unit'])}",
    "breakthrough": lambda d, n, h: f"{n(d['unit'])} broke through to {h(d['hex'])}{_along(d, n)}",
    "bombardment": lambda d, n, h: (
        f"{n(d['unit'])} bombarded {h(d['hex'])} with {amount(d['dice'], 'die', 'dice')}: {d['lost']} off, {d['left']} left"
    ),
    "rubble": lambda d, n, h: f"the structure at {h(d['hex'])} fell in",
    "gate": lambda d, n, h: f"the gate at {h(d['hex'])} was {'opened' if d['open'] else 'shut'}",
    "ladder": lambda d, n, h: (
        f"{n(d['unit'])} threw down the ladder at {h(d['hex'])}"
        if d["result"] == "thrown down"
        else f"ladder of {n(d['unit'])} at {h(d['hex'])}: {d['result']}"
    ),
    "anti-aircraft fire": lambda d, n, h: (
        f"{n(d['unit'])} fired {amount(d['dice'], 'die', 'dice')} at {n(d['target'])}: {amount(d['hits'], 'hit')}"
    ),
    "flier lost": lambda d, n, h: f"{n(d['unit'])} was lost: {d['how']}",
    "objective": lambda d, n, h: f"{n(d['objective'])} in the hands of {n(d['side'])}",
    "points": lambda d, n, h: f"{n(d['side'])} {d['points']:+d} for {d['why']}: {amount(d['total'], 'point')}",
}


def event_sentence(book: AfrBook, plan: Plan, names: Mapping[str, str], event: Event) -> str:
    """What happened in one sentence. `names` of sides and places."""
    known = {key: piece.name for pieces in (plan.units, plan.commanders, plan.fliers) for key, piece in pieces.items()}
    known |= {key: card.title for key, card in book.cards.items()}
    known |= {key: f"{card.title} ({card.text})" for key, card in book.file.events.items()}

    def name(key: Any) -> str:
        return known.get(key) or names.get(key, str(key))

    told = EVENTS.get(event.kind)
    return told(event.data, name, plan.field.grid.label) if told is not None else common_sentence(event, name)
