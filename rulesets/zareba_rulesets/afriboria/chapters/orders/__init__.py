"""Command cards, the choices of an order, and event cards."""
