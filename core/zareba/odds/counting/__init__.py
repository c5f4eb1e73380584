"""Counting for odds formulas: if the order of events does not matter, many outcomes are counted at once."""

from zareba.odds.counting.cards import Cards, card_counts, dealt, drawn_that_count
from zareba.odds.counting.even_losses import losses_evenly
from zareba.odds.counting.random_losses import losses_at_random

__all__ = ["Cards", "card_counts", "dealt", "drawn_that_count", "losses_at_random", "losses_evenly"]
