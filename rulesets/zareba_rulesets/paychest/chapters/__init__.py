"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, mounts, marching, movement, machines,
morale, command, casualties, melee, fire, guns, targets, setting_up, victory.
"""
