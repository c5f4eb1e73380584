"""Sudden death: after the turn that a setting names, a die ends the battle on a 6, in any system.

`zareba_turn` is called before the first step of every game turn, alike in all systems; `zareba_over` says why the battle is over.
What the die has said is kept in the state, so that it is undone and replayed with the turn.
"""

from zareba.api import Setting, StateVariable, hookimpl, roll_at_least

RULE = "HOUSE-SUDDEN"
ENDS = "the battle is over", "it goes on for another turn"
ended = StateVariable("ended", False, of="game")


@hookimpl
def zareba_settings():
    """From when on."""
    return {"after": Setting(rule=RULE, summary="the last turn that is sure", default=6, at_least=1, at_most=40)}


@hookimpl
def zareba_turn(table, turn, settings):
    """A die before every turn after the sure ones."""
    if turn > settings["after"] and roll_at_least(table, 6, *ENDS, why="sudden death", rule=RULE, actor="umpire"):
        ended[table] = True


@hookimpl
def zareba_over(state):
    """It is over when the die has said so."""
    return "sudden_death" if ended[state] else None
