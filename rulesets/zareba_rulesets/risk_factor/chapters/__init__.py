"""The chapters of the rulebook, a file or a room each. Each uses only those that stand before it here:

sight, movement, casualties, prisoners, groups, actions, fire, melee, orders, command, setting_up, victory.
"""
