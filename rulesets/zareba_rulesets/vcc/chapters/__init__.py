"""The chapters of the rulebook. Each uses only those listed before it:

sight, casualties, victory, movement, fire, melee, morale, army_commander, setting_up.
"""
