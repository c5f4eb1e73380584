"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, movement, casualties, targets, shooting,
charge, action_throws, command, prisoners, melee, action_moves, setting_up, victory.
"""
