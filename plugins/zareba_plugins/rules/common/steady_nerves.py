"""Steady nerves: the first failed morale check of each side is rerolled automatically.

`zareba_roll` sees every roll before the rules do. `throw(roll)` rolls the dice. A second call counts as a roll for
another purpose, so all other dice of the game are unchanged. Two systems call the test "morale"; a bad roll is high in
one and low in the other.
"""

from zareba.api import StateVariable, hookimpl

RULE = "HOUSE-NERVES"
FAILS = {
    "vcc": lambda die: die >= 5,
    "paychest": lambda dice: dice <= 4,
}  # high dice are bad in vcc, low dice in paychest
used = StateVariable("used", False, of="side", words="has steadied its nerves")


@hookimpl
def zareba_roll(table, roll, throw, ruleset):
    """Reroll a failed morale check, once in a battle for each side."""
    unit = getattr(table.state, "units", {}).get(roll.actor)
    if roll.why != "morale" or ruleset not in FAILS or unit is None or used[table, unit]:
        return None
    first = throw(roll)
    if not FAILS[ruleset](first):
        return first
    used[table, unit] = True
    table.emit("steadied", RULE, unit=roll.actor, text=f"{unit.spec.name} steadied itself and tries again")
    return throw(roll)
