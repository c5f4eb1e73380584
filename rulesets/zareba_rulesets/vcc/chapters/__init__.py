"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, casualties, fire, melee, morale,
army_commander, victory, movement, setting_up.
"""
