"""Colours: in Risk-Factor, a card of a side's colour decides at the beginning of every turn whose player turn comes first.

`zareba_turn` is called before the first step of a game turn, when nothing is under way: the order of the sides may be changed then.
"""

from zareba.api import hookimpl, lot, name_of

RULESETS = ("risk_factor",)
RULE = "HOUSE-COLOURS"


@hookimpl
def zareba_turn(table, state):
    """The sides in the order in which their colours come up."""
    left, order = list(state.order), []
    while left:
        means = lot("who is next")
        side = table.draw(dict.fromkeys(left, 1), why="colour", rule=RULE, means=means) if len(left) > 1 else left[0]
        left.remove(side)
        order.append(side)
    if order != state.order:
        table.tell("order of the turn", RULE, text=f"{name_of(table, order[0])} moves first")
    state.order[:] = order
