"""Weather: every turn it may change, and dust or rain make shooting harder for everybody.

For all systems at once. `StateVariable` is what a house rule keeps in mind: here one word for the whole game, which is saved, undone and
shown in the first line above the table. A tally is reached by what it decides, "shooting", in every system: one more is
better for whoever shoots, however that system counts. `when` names the word kept, `RULE.NAME`, so that "why?" can tell.
"""

from zareba.api import Modifier, Setting, StateVariable, hookimpl, roll_at_least, roll_on_chart

RULE = "HOUSE-WEATHER"
NEW = {1: "fair", 5: "dust", 6: "rain"}
weather = StateVariable("weather", "fair", of="game", words="weather:")


@hookimpl
def zareba_settings(ruleset):
    """How easily it changes."""
    return {
        "changes_on": Setting(rule=RULE, summary="it changes on this or more on a D6", default=5, at_least=2, at_most=6)
    }


@hookimpl
def zareba_begin(table, state):
    """It is fair at first, unless the morning's die says otherwise."""
    change(table, "morning weather")


@hookimpl
def zareba_turn(table, state, turn, settings):
    """A die a turn; when it changes, another says to what."""
    words = "it changes", "it stays as it is"
    if turn > 1 and roll_at_least(table, settings["changes_on"], *words, why="weather", rule=RULE, actor="weather"):
        change(table, "new weather")


def change(table, why):
    """Fair on a 1 to 4, dust on a 5, rain on a 6."""
    new = roll_on_chart(table, NEW, why=why, rule=RULE, actor="weather")
    if new != weather[table]:
        weather[table] = new
        table.tell("weather", RULE, now=new)


@hookimpl
def zareba_modifiers():
    """One worse in dust and rain."""
    return {
        "shooting": [
            Modifier("dust", RULE, "add", -1, when={"weather.weather": "dust"}, summary="a cloud of dust"),
            Modifier("rain", RULE, "add", -1, when={"weather.weather": "rain"}, summary="wet powder"),
        ]
    }


@hookimpl
def zareba_words():
    """How it is told."""
    return {"event weather": "the weather turned: {now}"}
