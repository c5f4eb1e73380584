"""Weather: every turn it may change, and dust or rain makes shooting harder for both sides.

The rule works in all systems. A `StateVariable` is a value that a house rule stores: here one word for the whole game,
which is saved, undone and shown in the first line above the board. The modifiers name the effect "shooting", which
every system has; more is better for the shooting unit, however the system counts. `when` names the variable as
`RULE.NAME`, so that "why?" can explain the line.
"""

from zareba.api import Modifier, Setting, StateVariable, hookimpl, roll_at_least, roll_on_chart

RULE = "HOUSE-WEATHER"
NEW = {1: "fair", 5: "dust", 6: "rain"}
weather = StateVariable("weather", "fair", of="game", words="weather:")


@hookimpl
def zareba_settings(ruleset):
    """Add a setting for the chance of a change."""
    return {
        "changes_on": Setting(
            rule=RULE, summary="the weather changes on this or more on a D6", default=5, at_least=2, at_most=6
        )
    }


@hookimpl
def zareba_begin(table, state):
    """Roll for the morning weather."""
    change(table, "morning weather")


@hookimpl
def zareba_turn(table, state, turn, settings):
    """Roll a die every turn; if the weather changes, roll for the new weather."""
    words = "the weather changes", "the weather stays the same"
    if turn > 1 and roll_at_least(table, settings["changes_on"], *words, why="weather", rule=RULE, actor="weather"):
        change(table, "new weather")


def change(table, why):
    """Set the weather by a die roll: fair on 1 to 4, dust on 5, rain on 6."""
    new = roll_on_chart(table, NEW, why=why, rule=RULE, actor="weather")
    if new != weather[table]:
        weather[table] = new
        table.emit("weather", RULE, now=new)


@hookimpl
def zareba_modifiers():
    """Subtract 1 from shooting in dust and rain."""
    return {
        "shooting": [
            Modifier("dust", RULE, "add", -1, when={"weather.weather": "dust"}, summary="a cloud of dust"),
            Modifier("rain", RULE, "add", -1, when={"weather.weather": "rain"}, summary="wet powder"),
        ]
    }


@hookimpl
def zareba_words():
    """Give the text of the event."""
    return {"event weather": "the weather turned: {now}"}
