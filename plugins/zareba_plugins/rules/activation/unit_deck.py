"""Unit deck: a card for every unit, and the unit acts whose card comes up, instead of one that its player picks.

In Fixed Bay'net the card also says which side is next; in Victorian Colonial Combat the phases stay, and within each the units of the
side act as their cards come. A wrap of a step draws the card before it; an option filter leaves the player the unit of the card.
"""

from zareba.api import StateVariable, draw_one, hookimpl

RULESETS = ("fixed_baynet", "vcc")
RULE = "HOUSE-DECK"
STEPS = {"fixed_baynet": ("actions.unit",), "vcc": ("fire.shots", "move.units")}
QUESTIONS = ("activate", "fire with", "move with")
drawn = StateVariable("drawn", "", of="game", words="card of")


@hookimpl
def zareba_steps(ruleset):
    """A card before every choice of a unit."""
    return dict.fromkeys(STEPS[ruleset], draw_first)


def draw_first(pick, table, battle):
    """Of the units that wait; in Fixed Bay'net its side is next."""
    there = [key for key in battle.waiting if getattr(battle.units[key], "on_table", True)]
    drawn[table] = ""
    if there:
        drawn[table] = card = draw_one(table, there, "who acts next", why="unit card", rule=RULE)
        if hasattr(battle, "at"):
            battle.at = battle.order.index(battle.units[card].spec.side)
    pick(table, battle)


@hookimpl
def zareba_options(state, question):
    """The unit of the card alone."""
    if question.why in QUESTIONS and drawn[state] in question.options:
        return [drawn[state]]
    return None
