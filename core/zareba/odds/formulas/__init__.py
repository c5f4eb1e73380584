"""Parts of odds formulas: many outcomes counted at once where the order of events does not matter."""

from zareba.odds.formulas.cards import Cards, card_counts, deal_cards, drawn_that_count
from zareba.odds.formulas.even_losses import losses_evenly
from zareba.odds.formulas.random_losses import losses_at_random

__all__ = ["Cards", "card_counts", "deal_cards", "drawn_that_count", "losses_at_random", "losses_evenly"]
