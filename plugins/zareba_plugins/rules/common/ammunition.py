"""Ammunition: every unit has so many volleys; with the last one gone it shoots worse, until the battle is over.

What is kept of a unit is written `rounds[table, unit]`; it starts from a setting, which a player changes by
`--set ammunition.rounds=4`. Each system tells of a volley by an event of its own kind. `when` hangs on what is left.
"""

from zareba.api import Modifier, Setting, StateVariable, hookimpl

RULE = "HOUSE-AMMO"
VOLLEYS = {"vcc": ("fire",), "paychest": ("fire",), "fixed_baynet": ("volley", "shot"), "risk_factor": ("shooting",)}
rounds = StateVariable("rounds", lambda settings: settings["rounds"], words="volleys left")


@hookimpl
def zareba_settings():
    """How many volleys a unit has."""
    return {"rounds": Setting(rule=RULE, summary="volleys that a unit has", default=6, at_least=1, at_most=50)}


@hookimpl
def zareba_state():
    """What is left."""
    return [rounds]


@hookimpl
def zareba_event(table, event, ruleset):
    """A volley is gone."""
    if event.kind in VOLLEYS.get(ruleset, ()):
        spend(table, event.data["unit"])


def spend(table, unit):
    """A volley of a unit, if it has any."""
    if rounds[table, unit] > 0 and rounds.add(table, unit, -1) == 0:
        table.tell("out of ammunition", RULE, unit=unit)


@hookimpl
def zareba_procedures(ruleset):
    """Afriboria tells of no volley: there every attack by fire is one."""

    def attack(printed, table, book, exchange):
        printed(table, book, exchange)
        if exchange.attacker in table.state.units:
            spend(table, exchange.attacker)

    return {"battle.attack": attack} if ruleset == "afriboria" else {}


@hookimpl
def zareba_modifiers():
    """Two worse without any."""
    return {"shooting": [Modifier("out", RULE, "add", -2, when={"ammunition.rounds": 0}, summary="out of ammunition")]}


@hookimpl
def zareba_words():
    """How it is told."""
    return {"event out of ammunition": "{unit} is out of ammunition"}
