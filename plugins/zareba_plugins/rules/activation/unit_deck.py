"""Unit deck: each unit has a card, and the unit whose card is drawn acts next, instead of one that its player picks.

In Fixed Bay'net the card also decides which side is next. In Victorian Colonial Combat the phases stay, and within
each phase the units of the side act in the order of their cards. A wrap of a step draws the card before the step; an
option filter leaves only the unit on the card.
"""

from zareba.api import StateVariable, draw_one, hookimpl

RULESETS = ("fixed_baynet", "vcc")
RULE = "HOUSE-DECK"
STEPS = {"fixed_baynet": ("actions.unit",), "vcc": ("fire.shots", "move.units")}
QUESTIONS = ("activate", "fire with", "move with")
drawn = StateVariable("drawn", "", of="game", words="card drawn:")


@hookimpl
def zareba_steps(ruleset):
    """Draw a card before every choice of a unit."""
    return dict.fromkeys(STEPS[ruleset], draw_first)


def draw_first(pick, table, battle):
    """Draw a card for one of the waiting units; in Fixed Bay'net, make its side the next one."""
    waiting_on_table = [key for key in battle.waiting if getattr(battle.units[key], "on_table", True)]
    drawn[table] = ""
    if waiting_on_table:
        drawn[table] = card = draw_one(table, waiting_on_table, "who acts next", why="unit card", rule=RULE)
        if hasattr(battle, "at"):
            battle.at = battle.order.index(battle.units[card].spec.side)
    pick(table, battle)


@hookimpl
def zareba_options(state, question):
    """Offer only the unit on the card."""
    if question.why in QUESTIONS and drawn[state] in question.options:
        return [drawn[state]]
    return None
