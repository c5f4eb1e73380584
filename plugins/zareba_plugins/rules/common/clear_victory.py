"""Clear victory: whoever leads by less than a setting says has not won; the battle is a draw.

`zareba_outcome` is given the outcome as the rules see it, and may say it otherwise. It is asked after every step, for the score, so
it only looks.
"""

from dataclasses import replace

from zareba.api import Setting, hookimpl

RULE = "HOUSE-CLEAR"


@hookimpl
def zareba_settings():
    """By how much one has to lead."""
    return {
        "lead": Setting(rule=RULE, summary="points by which a winner leads at least", default=3, at_least=1, at_most=50)
    }


@hookimpl
def zareba_outcome(outcome, settings):
    """A draw, where the winner does not lead clearly."""
    if outcome.winner is None:
        return None
    mine, *others = sorted(outcome.points.values(), reverse=True)
    if outcome.points[outcome.winner] == mine and mine - max(others, default=0) >= settings["lead"]:
        return None
    return replace(outcome, winner=None, ground="no clear victory")
