"""Colours: in Risk-Factor, a card in the colour of a side decides every turn which side moves first.

`zareba_turn` is called before the first step of a game turn. No action is in progress then, so the order of the sides
may change.
"""

from zareba.api import hookimpl, name_of, random_draw

RULESETS = ("risk_factor",)
RULE = "HOUSE-COLOURS"


@hookimpl
def zareba_turn(table, state):
    """Put the sides in the order in which their colours are drawn."""
    left, order = list(state.order), []
    while left:
        means = random_draw("who is next")
        side = table.draw(dict.fromkeys(left, 1), why="colour", rule=RULE, means=means) if len(left) > 1 else left[0]
        left.remove(side)
        order.append(side)
    if order != state.order:
        table.emit("order of the turn", RULE, text=f"{name_of(table, order[0])} moves first")
    state.order[:] = order
