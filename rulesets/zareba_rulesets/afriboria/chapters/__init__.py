"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, exchange, setting_up, victory, losses,
retreat, combat, air, breakthrough, siege, engagement, movement, orders, cards.
"""
