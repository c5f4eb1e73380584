"""Leaders' characters: before the battle, a die roll gives every leader of a unit a character that affects the unit.

The unit of a bold leader fights better in melee, that of a careful leader shoots better, and that of a beloved leader
has better morale. The unit of a drunkard does everything worse. The character is a state variable of the unit: all
players see it next to the unit, and "why?" names it. The rule works in every system with leaders of units.
"""

from zareba.api import Modifier, StateVariable, game_of, hookimpl, roll_on_chart, scenario_name, units

RULE = "HOUSE-CHARACTER"
WORDS = {1: "drunk", 2: "dull", 4: "careful", 5: "bold", 6: "beloved"}
character = StateVariable("character", "", words="leader:")


@hookimpl
def zareba_begin(table):
    """Roll a die for each unit of the scenario that has a leader."""
    led_units = {leader.unit for leader in game_of(table).scenario.leaders.values()}
    for unit in units(table):
        if scenario_name(table, unit) in led_units:
            character[table, unit] = roll_on_chart(table, WORDS, why="character", rule=RULE, actor=unit.spec.id)


def line(name, word, amount):
    """Return a modifier for units led by such a leader."""
    return Modifier(name, RULE, "add", amount, when={"characters.character": word}, summary=f"leader: {word}")


@hookimpl
def zareba_modifiers():
    """Add the effects of each character."""
    drunk = line("drunk", "drunk", -1)
    return {
        "melee": [line("bold", "bold", 1), drunk],
        "shooting": [line("careful", "careful", 1), drunk],
        "morale": [line("beloved", "beloved", 1), drunk],
    }
