"""Late reserve: the last unit of a side is not there at first, and comes on over an edge in a turn that a setting names.

`zareba_scenario` gives the unit an arrival, which each system carries out by its own rules; who is not on the table yet, nobody
sees. The side is counted as the scenario lists them.
"""

from zareba.api import Setting, hookimpl

RULE = "HOUSE-RESERVE"


@hookimpl
def zareba_settings():
    """Who, when, and from where."""
    return {
        "side": Setting(rule=RULE, summary="which side has a late reserve", default=2, at_least=1, at_most=2),
        "turn": Setting(rule=RULE, summary="the turn in which it comes on", default=3, at_least=2, at_most=20),
        "edge": Setting(
            rule=RULE, summary="over which edge", default="east", values=["north", "east", "south", "west"]
        ),
    }


@hookimpl
def zareba_scenario(scenario, settings):
    """Its last unit without a leader or a gun waits."""
    side = list(scenario.sides)[settings["side"] - 1]
    own = scenario.units_of(side).items()
    name = [name for name, unit in own if scenario.leader_of(name) is None and unit.gun is None][-1]
    changed = scenario.model_dump()
    unit = changed["units"][name]
    unit |= {
        "arrival": {"turn": settings["turn"], "edge": settings["edge"]},
        "position": None,
        "zone": None,
        "inside": None,
    }
    return type(scenario).model_validate(changed)
