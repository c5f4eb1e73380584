"""Thorn hedge: nobody may be sent to a point within so much of the edge of the table; the hedge there is too thick.

`zareba_place` is asked of every point that a player may name on a measured table (set-up, marches, rides), after the rules have
allowed it; the sentence that it gives is what the player is told, with the name of the rule.
"""

from zareba.api import Setting, hookimpl


@hookimpl
def zareba_settings():
    """How deep the hedge is."""
    return {
        "depth": Setting(rule="HOUSE-HEDGE", summary="its depth in units of length", default=1, at_least=0, at_most=10)
    }


@hookimpl
def zareba_place(question, point, settings):
    """Only the western and southern edges have one: those from which the table is measured."""
    if question.why != "arrive at" and min(point) < settings["depth"]:
        return "the thorn hedge is too thick there"
    return None
