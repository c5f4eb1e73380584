"""Late reserve: the last unit of a side arrives late, over a table edge, in a turn that a setting gives.

`zareba_scenario` gives the unit an arrival, and each system carries it out by its own rules. A unit that has not
arrived is not on the table. The side is given by its place in the scenario's list.
"""

from zareba.api import Setting, hookimpl

RULE = "HOUSE-RESERVE"


@hookimpl
def zareba_settings():
    """Add settings for the side, the turn and the edge."""
    return {
        "side": Setting(rule=RULE, summary="the side with a late reserve (1 or 2)", default=2, at_least=1, at_most=2),
        "turn": Setting(rule=RULE, summary="the turn in which it arrives", default=3, at_least=2, at_most=20),
        "edge": Setting(
            rule=RULE,
            summary="the table edge where it arrives",
            default="east",
            values=["north", "east", "south", "west"],
        ),
    }


@hookimpl
def zareba_scenario(scenario, settings):
    """Hold back the last unit of the side that has no leader and no gun."""
    side = list(scenario.sides)[settings["side"] - 1]
    own = scenario.units_of(side).items()
    name = [name for name, unit in own if scenario.leader_of(name) is None and unit.gun is None][-1]
    data = scenario.model_dump()
    unit = data["units"][name]
    unit |= {
        "arrival": {"turn": settings["turn"], "edge": settings["edge"]},
        "position": None,
        "zone": None,
        "inside": None,
    }
    return type(scenario).model_validate(data)
