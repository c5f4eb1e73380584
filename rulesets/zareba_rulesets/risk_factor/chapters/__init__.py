"""The chapters of the rulebook, each a module or a package.

A chapter imports only chapters that come before it in this list: sight, movement, casualties, prisoners, groups,
action_throws, fire, melee, orders, command, setting_up, victory.
"""
