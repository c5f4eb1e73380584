"""Prisoners and ransom: at the end, every capture is worth points to the enemy; a setting says how many.

All systems report a capture with the word "captured" in the kind of the event and the unit that lost the figures. A
state variable counts the captures that each side has suffered; `zareba_outcome` gives the points to the other sides.
"""

from zareba.api import Setting, StateVariable, add_points, hookimpl

RULE = "HOUSE-RANSOM"
taken = StateVariable("taken", 0, of="side", words="captures suffered:")


@hookimpl
def zareba_settings():
    """Add a setting for the value of a capture."""
    return {"worth": Setting(rule=RULE, summary="points for each capture", default=1, at_least=1, at_most=20)}


@hookimpl
def zareba_event(table, event):
    """Count a capture."""
    unit = table.state.units.get(event.data.get("unit")) if "captured" in event.kind else None
    if unit is not None:
        taken.add(table, unit.spec.side, 1)


@hookimpl
def zareba_outcome(state, outcome, settings):
    """Add the points of captures to all other sides; the side that then leads has won."""
    sides = outcome.points
    paid = {side: settings["worth"] * sum(taken[state, other] for other in sides if other != side) for side in sides}
    return add_points(outcome, paid) if any(paid.values()) else None
