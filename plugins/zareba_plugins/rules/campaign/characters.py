"""Leaders' characters: before the battle a die gives every leader of a unit a character, which his men feel.

A bold leader's men fight better hand to hand, a careful one's shoot better, a beloved one's stand better; a drunkard's do everything
worse. It is kept of the unit, so everybody sees it beside the unit, and "why?" names it. For every system that has led units.
"""

from zareba.api import Modifier, StateVariable, game_of, hookimpl, roll_on_chart, scenario_name, units

RULE = "HOUSE-CHARACTER"
WORDS = {1: "drunk", 2: "dull", 4: "careful", 5: "bold", 6: "beloved"}
character = StateVariable("character", "", words="led by one who is")


@hookimpl
def zareba_begin(table):
    """A die for each unit of the scenario with a leader."""
    led = {leader.unit for leader in game_of(table).scenario.leaders.values()}
    for unit in units(table):
        if scenario_name(table, unit) in led:
            character[table, unit] = roll_on_chart(table, WORDS, why="character", rule=RULE, actor=unit.spec.id)


def line(name, word, amount):
    """A line for the men of a leader who is so."""
    return Modifier(name, RULE, "add", amount, when={"characters.character": word}, summary=f"led by one who is {word}")


@hookimpl
def zareba_modifiers():
    """What it does."""
    drunk = line("drunk", "drunk", -1)
    return {
        "melee": [line("bold", "bold", 1), drunk],
        "shooting": [line("careful", "careful", 1), drunk],
        "morale": [line("beloved", "beloved", 1), drunk],
    }
