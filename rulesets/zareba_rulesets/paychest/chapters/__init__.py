"""The chapters of the rulebook, one file or folder each.

Each chapter imports only chapters listed before it: sight, movement, casualties, morale, leaders, to_hit, melee, guns,
fire, setting_up, victory.
"""
