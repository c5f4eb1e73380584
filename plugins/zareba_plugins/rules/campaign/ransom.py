"""Prisoners and ransom: every capture is worth points to the enemy at the end, by a setting.

Each system tells of a capture by the same word, "captured", with the unit whose men they are. How many there were is kept of the
side that lost them; `zareba_outcome` pays the other.
"""

from zareba.api import Setting, StateVariable, add_points, hookimpl

RULE = "HOUSE-RANSOM"
taken = StateVariable("taken", 0, of="side", words="captures suffered:")


@hookimpl
def zareba_settings():
    """What a capture is worth."""
    return {"worth": Setting(rule=RULE, summary="points for each capture", default=1, at_least=1, at_most=20)}


@hookimpl
def zareba_event(table, event):
    """One more."""
    unit = table.state.units.get(event.data.get("unit")) if "captured" in event.kind else None
    if unit is not None:
        taken.add(table, unit.spec.side, 1)


@hookimpl
def zareba_outcome(state, outcome, settings):
    """Paid to all others; who leads then has won."""
    sides = outcome.points
    paid = {side: settings["worth"] * sum(taken[state, other] for other in sides if other != side) for side in sides}
    return add_points(outcome, paid) if any(paid.values()) else None
