"""Fatigue: a melee tires the units in it; tired units have worse melee and morale until they have rested for a turn.

Each system reports melees with a different kind of event, and `units_in_event` finds the units in it. Afriboria emits
no such event, so the rule has no effect there.
"""

from zareba.api import Modifier, StateVariable, hookimpl

RULE = "HOUSE-FATIGUE"
FIGHTS = {"vcc": "melee", "paychest": "melee", "fixed_baynet": "blow", "risk_factor": "blow"}
tired = StateVariable("tired", 0, words="tired")


@hookimpl
def zareba_event(table, event, ruleset, settings):
    """Set the fatigue of each unit in a melee to 2; every turn removes 1."""
    if event.kind == FIGHTS.get(ruleset):
        for unit in units_in_event(table.state, event.data):
            tired[table, unit] = min(2, tired[table, unit] + 2)


def units_in_event(state, data):
    """Yield the units named in an event, directly or by one of their figures."""
    for value in data.values():
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str):
                unit = name if name in state.units else name.rpartition(".")[0]
                if unit in state.units:
                    yield unit


@hookimpl
def zareba_turn(table, state):
    """Remove one point of fatigue from each tired unit."""
    for unit in state.units:
        if tired[table, unit]:
            tired.add(table, unit, -1)


@hookimpl
def zareba_modifiers():
    """Subtract 1 from melee and morale."""
    line = Modifier("tired", RULE, "add", -1, when={"fatigue.tired": {"at_least": 1}}, summary="tired")
    return {"melee": [line], "morale": [line]}
