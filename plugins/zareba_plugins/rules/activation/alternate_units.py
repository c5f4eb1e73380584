"""Alternate units: in The Paychest, the sides take turns to choose a unit to act, instead of drawing cards.

The rule wraps the step that draws a card. The side whose turn it is names one of its units, and the pile is arranged
so that this unit's card comes up. Units that cannot act are drawn at the end, as usual.
"""

from zareba.api import StateVariable, game_of, hookimpl

RULESETS = ("paychest",)
RULE = "HOUSE-ALTERNATE"
last = StateVariable("last", "", of="game")


@hookimpl
def zareba_steps():
    """Wrap the step that draws a card."""
    return {"unit.card": take_turns}


def take_turns(draw_card, table, battle):
    """Let the next side that has a unit able to act choose one."""
    pile = battle.cards.pile
    able = {
        card: unit.spec.side for card in pile if "skip" not in (unit := battle.units[card]).marks and unit.box[2] >= 0
    }
    if not able:
        draw_card(table, battle)
        return
    sides = list(game_of(table).seats)
    next_index = sides.index(last[table]) + 1 if last[table] else 0
    side = next(side for side in (*sides[next_index:], *sides) if side in able.values())
    card = table.choose(
        side, [card for card, owner in able.items() if owner == side], why="who acts", rule=RULE, actor=side
    )
    last[table] = side
    rest = {other: copies - (other == card) for other, copies in pile.items()}
    battle.cards.pile = {card: 1}
    draw_card(table, battle)
    battle.cards.pile = {other: copies for other, copies in rest.items() if copies}


@hookimpl
def zareba_words():
    """Give the text of the choice."""
    return {"question who acts": "{seat}: which unit acts?"}
