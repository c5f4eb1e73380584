"""The chapters of the rulebook, a file or a room each. Each uses only those that stand before it here:

sight, casualties, victory, movement, fire, melee, morale, army_commander, setting_up.
"""
