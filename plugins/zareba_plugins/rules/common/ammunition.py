"""Ammunition: every unit has a limited number of volleys; when they are gone it shoots worse for the rest of the
battle.

`rounds[table, unit]` is a state variable of the unit. It starts from a setting, which players change with `--set
ammunition.rounds=4`. Each system reports volleys with a different kind of event. The modifier's `when` depends on the
rounds left.
"""

from zareba.api import Modifier, Setting, StateVariable, hookimpl

RULE = "HOUSE-AMMO"
VOLLEYS = {"vcc": ("fire",), "paychest": ("fire",), "fixed_baynet": ("volley", "shot"), "risk_factor": ("shooting",)}
rounds = StateVariable("rounds", lambda settings: settings["rounds"], words="volleys left")


@hookimpl
def zareba_settings():
    """Add a setting for the number of volleys."""
    return {"rounds": Setting(rule=RULE, summary="volleys of each unit", default=6, at_least=1, at_most=50)}


@hookimpl
def zareba_state():
    """Store the volleys left."""
    return [rounds]


@hookimpl
def zareba_event(table, event, ruleset):
    """Count a volley."""
    if event.kind in VOLLEYS.get(ruleset, ()):
        spend(table, event.data["unit"])


def spend(table, unit):
    """Use up a volley of a unit, if it has any left."""
    if rounds[table, unit] > 0 and rounds.add(table, unit, -1) == 0:
        table.emit("out of ammunition", RULE, unit=unit)


@hookimpl
def zareba_procedures(ruleset):
    """In Afriboria, which emits no event for a volley, count every attack by fire."""

    def attack(procedure, table, book, exchange):
        procedure(table, book, exchange)
        if exchange.attacker in table.state.units:
            spend(table, exchange.attacker)

    return {"battle.attack": attack} if ruleset == "afriboria" else {}


@hookimpl
def zareba_modifiers():
    """Subtract 2 from shooting without ammunition."""
    return {"shooting": [Modifier("out", RULE, "add", -2, when={"ammunition.rounds": 0}, summary="out of ammunition")]}


@hookimpl
def zareba_words():
    """Give the text of the event."""
    return {"event out of ammunition": "{unit} is out of ammunition"}
