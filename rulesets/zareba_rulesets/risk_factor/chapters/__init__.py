"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, movement, targets, casualties, marksmen,
shooting, out_of_turn, charge, action_throws, command, groups, prisoners, matching, melee, action_moves, setting_up,
victory.
"""
