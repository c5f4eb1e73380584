"""The chapters of the rulebook, one module each.

A chapter imports only chapters that come before it in this list: sight, contact, morale, night, movement, manoeuvre,
hits, aiming, fire, out_of_turn, crews, melee, cavalry, mounted_charges, buildings, artillery, machine_guns, panic,
setting_up, victory.
"""
