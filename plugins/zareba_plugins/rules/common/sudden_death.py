"""Sudden death: after a turn that a setting gives, a die is rolled every turn, and a 6 ends the battle.

The rule works in any system. `zareba_turn` is called before the first step of every game turn; `zareba_over` returns
the reason why the battle is over. The result of the die is a state variable, so it is undone and replayed with the
turn.
"""

from zareba.api import Setting, StateVariable, hookimpl, roll_at_least

RULE = "HOUSE-SUDDEN"
ENDS = "the battle is over", "the battle goes on for another turn"
ended = StateVariable("ended", False, of="game")


@hookimpl
def zareba_settings():
    """Add a setting for the last turn that is certain."""
    return {
        "after": Setting(
            rule=RULE, summary="the last turn that is certain to be played", default=6, at_least=1, at_most=40
        )
    }


@hookimpl
def zareba_turn(table, turn, settings):
    """Roll a die before every later turn."""
    if turn > settings["after"] and roll_at_least(table, 6, *ENDS, why="sudden death", rule=RULE, actor="umpire"):
        ended[table] = True


@hookimpl
def zareba_over(state):
    """End the battle if the die has ended it."""
    return "sudden_death" if ended[state] else None
