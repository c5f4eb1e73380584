"""The cards that lie next to the map: a hand, the card in play, the cards drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TableCard:
    """A card: its title and text, and the colours that it names, each as often as it orders a unit of that colour.

    `option` is the option that plays it, wherever a question offers that. `is_known` is False for a card that lies face
    down. `count` is the number of such cards. `unit` is the unit that the card is for.
    """

    title: str = ""
    text: str = ""
    colours: tuple[str, ...] = ()
    option: Any = None
    is_known: bool = True
    count: int = 1
    unit: str = ""


@dataclass(frozen=True)
class CardRow:
    """Cards that lie together, with a heading."""

    title: str
    cards: tuple[TableCard, ...]
    side: str = ""
    """The side that holds the cards; "" for cards that are in no hand."""
