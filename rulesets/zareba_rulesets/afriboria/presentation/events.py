"""Events as sentences for players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.battle.templates import Data, More, Name, event_text, fill
from zareba.table import Event
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.presentation.words import words

__all__ = ["event_sentence"]


def _order_phrase(data: Data, name: Name) -> dict[str, Any]:
    """Return the receiver of an order and its purpose."""
    kind, whom = data["order"]
    return {"ordered": fill(words().tables["orders"][kind], {"name": name(whom.removeprefix("company of "))}, str)}


MORE: dict[str, More] = {"order": _order_phrase}
"""Values for sentences that the events do not contain directly."""


def event_sentence(book: AfrBook, plan: Plan, names: Mapping[str, str], event: Event) -> str:
    """Return an event in one sentence. `names` are those of sides and places."""
    known = {key: piece.name for pieces in (plan.units, plan.commanders, plan.fliers) for key, piece in pieces.items()}
    known |= {key: card.title for key, card in book.cards.items()}
    known |= {key: f"{card.title} ({card.text})" for key, card in book.file.events.items()}

    def name(key: Any) -> str:
        return known.get(key) or names.get(key, str(key))

    label = plan.field.grid.label

    def along(sections: Any) -> str:
        return ", ".join(f"{figures} at {label(cell)}" for cell, figures in sections)

    return event_text(words(), event, name, {"place": label, "along": along}, MORE)
