"""The chapters of the rulebook, a file or a room each. Each uses only those that stand before it here:

sight, morale, victory, fire, movement, melee, cavalry, buildings, guns, panic, setting_up, orders.
"""
