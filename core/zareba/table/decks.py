"""Decks of cards, stored as counts of the cards left, so that there is no order to peek at."""

from __future__ import annotations

from zareba.base.state import Record, record
from zareba.chance.meaning import Meaning
from zareba.table.table import Table

__all__ = ["Deck"]


@record
class Deck(Record):
    """A face-down pile and its discards, each as card -> number of copies.

    The order of a shuffled pile is not stored. Each draw picks one of the remaining cards, with a chance in proportion
    to its copies. Exact odds read the composition of the pile.
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
        """Take one card off the pile, or return None if the pile and the discards are both empty.

        If the pile is empty, the discards become the new pile first. Only the player of `seat` sees the card; None
        shows it to all players.
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
        """Put a card on the discards."""
        self.discards[card] = self.discards.get(card, 0) + 1
