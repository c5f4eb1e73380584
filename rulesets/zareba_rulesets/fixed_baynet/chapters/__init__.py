"""The chapters of the rulebook, one module or package each. A chapter uses only those listed before it:

sight, morale, victory, fire, movement, melee, cavalry, buildings, guns, panic, setting_up.
"""
