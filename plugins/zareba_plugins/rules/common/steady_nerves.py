"""Steady nerves: the first failed test of nerve of each side may be thrown again, at once and by itself.

`zareba_roll` stands between every throw and the rules. `throw(roll)` throws; thrown a second time, it is for a purpose of its own,
so every other die of the game falls as it would. Two systems call a test of nerve "morale"; what is a bad throw differs.
"""

from zareba.api import StateVariable, hookimpl

RULE = "HOUSE-NERVES"
FAILS = {"vcc": lambda die: die >= 5, "paychest": lambda dice: dice <= 4}  # high dice are bad there, low ones here
used = StateVariable("used", False, of="side", words="has steadied its nerves")


@hookimpl
def zareba_roll(table, roll, throw, ruleset):
    """A bad throw for nerve is made again, once a battle and side; bad is high for some systems and low for others."""
    unit = getattr(table.state, "units", {}).get(roll.actor)
    if roll.why != "morale" or ruleset not in FAILS or unit is None or used[table, unit]:
        return None
    first = throw(roll)
    if not FAILS[ruleset](first):
        return first
    used[table, unit] = True
    table.tell("steadied", RULE, unit=roll.actor, text=f"{unit.spec.name} steadied itself and tries again")
    return throw(roll)
