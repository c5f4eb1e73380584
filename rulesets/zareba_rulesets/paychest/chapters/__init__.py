"""The chapters of the rulebook, a file or a room each. Each uses only those that stand before it here:

sight, movement, casualties, morale, leaders, to_hit, melee, guns, fire, setting_up, victory.
"""
