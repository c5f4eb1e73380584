"""Fatigue: every melee tires those who were in it; the tired fight and stand worse, until they have rested for a turn.

Events tell who fought, in the words of each system (Afriboria tells of no melee by itself, so nobody tires there); `fought` takes
the units out of them.
"""

from zareba.api import Modifier, StateVariable, hookimpl

RULE = "HOUSE-FATIGUE"
FIGHTS = {"vcc": "melee", "paychest": "melee", "fixed_baynet": "blow", "risk_factor": "blow"}
tired = StateVariable("tired", 0, words="tired")


@hookimpl
def zareba_event(table, event, ruleset, settings):
    """Two for a fight, of which the next turn takes one off again."""
    if event.kind == FIGHTS.get(ruleset):
        for unit in fought(table.state, event.data):
            tired[table, unit] = min(2, tired[table, unit] + 2)


def fought(state, data):
    """The units that are named in an event, by themselves or by one of their men."""
    for value in data.values():
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str):
                unit = name if name in state.units else name.rpartition(".")[0]
                if unit in state.units:
                    yield unit


@hookimpl
def zareba_turn(table, state):
    """A turn's rest."""
    for unit in state.units:
        if tired[table, unit]:
            tired.add(table, unit, -1)


@hookimpl
def zareba_modifiers():
    """One worse hand to hand and for morale."""
    line = Modifier("tired", RULE, "add", -1, when={"fatigue.tired": {"at_least": 1}}, summary="tired")
    return {"melee": [line], "morale": [line]}
