"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, mounts, marching, movement, stretch,
machines, forced_moves, morale, leaders, casualties, melee, to_hit, fire, guns, targets, command, setting_up, victory.
"""
