"""Thorn hedge: no unit can move to a point near the western or southern table edge, because the hedge there is too
thick.

`zareba_place` is called for every point that a player names on an open table (deployment, marches, rides), after the
rules have allowed it. It returns the sentence that the player sees, to which zareba adds the name of the rule.
"""

from zareba.api import Setting, hookimpl


@hookimpl
def zareba_settings():
    """Add a setting for the depth of the hedge."""
    return {
        "depth": Setting(
            rule="HOUSE-HEDGE",
            summary="depth of the hedge, in the unit of length of the ruleset",
            default=1,
            at_least=0,
            at_most=10,
        )
    }


@hookimpl
def zareba_place(question, point, settings):
    """Refuse points close to the western and southern edges, where the coordinates start."""
    if question.why != "arrive at" and min(point) < settings["depth"]:
        return "the thorn hedge is too thick there"
    return None
