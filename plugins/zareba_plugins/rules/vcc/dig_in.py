"""Dig in: a unit may take cover instead of shooting; enemies then shoot at it with -1 until it moves.

For Victorian Colonial Combat. An `ExtraOption` is an option that a house rule adds. It holds the function to run and
the option of the rules that it then counts as ("hold fire" ends the unit's fire). `zareba_evaluate` gives AI players
the value of the option; without it, they would simulate the option.
"""

from zareba.api import Evaluation, ExtraOption, Modifier, StateVariable, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-DIG"
dug = StateVariable("dug", False, words="dug in")


@hookimpl
def zareba_options(state, question):
    """Offer the option to any unit that could shoot."""
    if question.why == "fire at" and not dug[state, question.actor]:
        return [*question.options, ExtraOption("dig in", dig_in, then="hold fire")]
    return None


def dig_in(table, state, question):
    """Mark the unit as dug in."""
    dug[table, question.actor] = True
    table.emit("dug in", RULE, unit=question.actor)


@hookimpl
def zareba_evaluate(option):
    """Give the option a small value, for units without a good target."""
    return Evaluation(steadies=0.15, reason="cover until the unit moves") if option == "dig in" else None


@hookimpl
def zareba_event(table, event):
    """End the cover when the unit moves."""
    if event.kind == "move" and dug[table, event.data["unit"]]:
        dug[table, event.data["unit"]] = False


@hookimpl
def zareba_modifiers():
    """Subtract 1 from shooting at the unit."""
    return {
        "shooting": [Modifier("dug_in", RULE, "add", -1, when={"target.dig_in.dug": True}, summary="target dug in")]
    }


@hookimpl
def zareba_words():
    """Give the texts of the option and the event."""
    return {"option dig in": "{actor} digs in", "event dug in": "{unit} dug in"}
