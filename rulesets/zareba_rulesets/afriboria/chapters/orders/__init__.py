"""Order cards, what an order may be spent on, and event cards."""
