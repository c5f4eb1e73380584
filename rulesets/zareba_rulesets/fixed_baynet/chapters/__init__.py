"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, contact, morale, night, movement, hits,
targets, fire, crews, melee, cavalry, buildings, artillery, machine_guns, panic, setting_up, victory.
"""
