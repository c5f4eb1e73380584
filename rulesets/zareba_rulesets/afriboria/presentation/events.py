"""Events as sentences for players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.base.grammar import amount
from zareba.battle.templates import Data, More, Name, event_text, fill
from zareba.table import Event
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.forces.battle import Plan
from zareba_rulesets.afriboria.presentation.words import words

_DEFENCE = "AFR-212"
"""The rule of losses to defence dice."""


def _order_phrase(data: Data, name: Name) -> dict[str, Any]:
    """Return the order as a sentence."""
    kind, whom = data["order"]
    return {"ordered": fill(words().tables["orders"][kind], {"name": name(whom.removeprefix("company of "))}, str)}


def _battle_result(data: Data, name: Name) -> dict[str, Any]:
    """Return what the dice of an attack did: hits, figures killed, and flags."""
    hits, kills, flags = data["hits"], data["kills"], data["flags"]
    found = [amount(hits, "hit")] if hits else []
    found.append(f"{kills} killed" if kills else "none killed" if hits else "no hits")
    if data["jammed"]:
        found = ["the gun jammed"]
    return {"result": ", ".join([*found, *([amount(flags, "flag")] if flags else [])])}


MORE: dict[str, More] = {"order": _order_phrase, "battle": _battle_result}
"""Values for sentences that the events do not contain directly."""


def event_sentence(book: AfrBook, plan: Plan, names: Mapping[str, str], event: Event) -> str:
    """Return an event in one sentence. `names` are those of sides and places.

    Victory points are shown only to a side that has a quota (AFR-052). Without one the objectives of the scenario
    decide, and a second count of points would only confuse.
    """
    if event.kind == "points" and plan.quotas.get(event.data["side"]) is None:
        return ""
    if event.kind == "loss" and event.rule == _DEFENCE and event.data["left"]:
        lost, left = amount(event.data["lost"], "figure"), event.data["left"]
        return f"{plan.units[event.data['unit']].name} lost {lost} to defence dice, {left} left"
    pieces = {key: piece.name for group in (plan.units, plan.commanders, plan.fliers) for key, piece in group.items()}
    cards = {key: card.title for key, card in book.cards.items()}
    cards |= {key: f"{card.title} ({card.text})" for key, card in book.file.events.items()}
    # a unit may have the id of a card, such as blue_2
    known = pieces | cards if "card" in event.data else cards | pieces

    def name(key: Any) -> str:
        return known.get(key) or names.get(key, str(key))

    label = plan.field.grid.label

    def along(sections: Any) -> str:
        return ", ".join(f"{figures} at {label(cell)}" for cell, figures in sections)

    return event_text(words(), event, name, {"place": label, "along": along}, MORE)
