"""Decks of cards as counts of what is left, so that no order exists that anyone could peek at."""

from __future__ import annotations

from zareba.base.state import Record, record
from zareba.chance.meaning import Meaning
from zareba.table.table import Table

__all__ = ["Deck"]


@record
class Deck(Record):
    """A face-down pile and its discards, each as card -> number of copies.

    The order of a shuffled pile is unknown to everybody, so it is decided card by card when one is drawn: each
    remaining card with a chance in proportion to its copies. Exact odds see the composition; nobody sees an order.
    """

    pile: dict[str, int]
    discards: dict[str, int]

    def draw(
        self,
        table: Table,
        *,
        why: str,
        rule: str,
        actor: str = "",
        seat: str | None = None,
        means: Meaning | None = None,
    ) -> str | None:
        """Take one card off the pile; None when pile and discards are both empty.

        An empty pile is made anew from the discards first. `seat` is the only one who sees the card; None: all do.
        """
        if not self.pile:
            if not self.discards:
                return None
            self.pile, self.discards = self.discards, {}
        card = table.draw(self.pile, why=why, rule=rule, actor=actor, seat=seat, means=means)
        if self.pile[card] == 1:
            del self.pile[card]
        else:
            self.pile[card] -= 1
        return card

    def discard(self, card: str) -> None:
        """Lay a card on the discards."""
        self.discards[card] = self.discards.get(card, 0) + 1
