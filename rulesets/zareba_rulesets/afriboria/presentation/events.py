"""How what has happened reads to a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.battle.templates import Data, More, Name, event_text, fill
from zareba.table import Event
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.presentation.words import words

__all__ = ["event_sentence"]


def _ordered(data: Data, name: Name) -> dict[str, Any]:
    """To whom an order went, and for what."""
    kind, whom = data["order"]
    return {"ordered": fill(words().tables["orders"][kind], {"name": name(whom.removeprefix("company of "))}, str)}


MORE: dict[str, More] = {"order": _ordered}
"""What sentences say that events do not tell in so many words."""


def event_sentence(book: AfrBook, plan: Plan, names: Mapping[str, str], event: Event) -> str:
    """What happened in one sentence. `names` of sides and places."""
    known = {key: piece.name for pieces in (plan.units, plan.commanders, plan.fliers) for key, piece in pieces.items()}
    known |= {key: card.title for key, card in book.cards.items()}
    known |= {key: f"{card.title} ({card.text})" for key, card in book.file.events.items()}

    def name(key: Any) -> str:
        return known.get(key) or names.get(key, str(key))

    label = plan.field.grid.label

    def along(sections: Any) -> str:
        return ", ".join(f"{figures} at {label(cell)}" for cell, figures in sections)

    return event_text(words(), event, name, {"place": label, "along": along}, MORE)
