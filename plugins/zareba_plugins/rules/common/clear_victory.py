"""Clear victory: a side must lead by a minimum number of points to win; otherwise the battle is a draw.

`zareba_outcome` receives the outcome by the rules and may return another one. zareba also calls it after every step to
show the score, so it must not change the state.
"""

from dataclasses import replace

from zareba.api import Setting, hookimpl

RULE = "HOUSE-CLEAR"


@hookimpl
def zareba_settings():
    """Add a setting for the lead that a winner needs."""
    return {
        "lead": Setting(rule=RULE, summary="minimum lead of a winner, in points", default=3, at_least=1, at_most=50)
    }


@hookimpl
def zareba_outcome(outcome, settings):
    """Return a draw if the winner's lead is too small."""
    if outcome.winner is None:
        return None
    mine, *others = sorted(outcome.points.values(), reverse=True)
    if outcome.points[outcome.winner] == mine and mine - max(others, default=0) >= settings["lead"]:
        return None
    return replace(outcome, winner=None, ground="no clear victory")
