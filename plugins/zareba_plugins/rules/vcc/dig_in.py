"""Dig in: a unit that could shoot may scrape cover instead, once; whoever shoots at it then is one worse, until it moves.

An option of one's own is an `ExtraOption`: it says what is done, and as which option of the rules it counts then ("hold fire" ends the
unit's fire). `zareba_evaluate` tells commanders what it is worth; without it they would play it on. For Victorian Colonial Combat.
"""

from zareba.api import Evaluation, ExtraOption, Modifier, StateVariable, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-DIG"
dug = StateVariable("dug", False, words="dug in")


@hookimpl
def zareba_options(state, question):
    """Offered to whoever could shoot, beside holding its fire."""
    if question.why == "fire at" and not dug[state, question.actor]:
        return [*question.options, ExtraOption("dig in", dig_in, then="hold fire")]
    return None


def dig_in(table, state, question):
    """Scrape cover."""
    dug[table, question.actor] = True
    table.tell("dug in", RULE, unit=question.actor)


@hookimpl
def zareba_evaluate(option):
    """Worth it for who has nothing better to shoot at."""
    return Evaluation(steadies=0.15, reason="cover for all turns that it stays") if option == "dig in" else None


@hookimpl
def zareba_event(table, event):
    """Who moves leaves it."""
    if event.kind == "move" and dug[table, event.data["unit"]]:
        dug[table, event.data["unit"]] = False


@hookimpl
def zareba_modifiers():
    """One worse against it."""
    return {
        "shooting": [Modifier("dug_in", RULE, "add", -1, when={"target.dig_in.dug": True}, summary="target dug in")]
    }


@hookimpl
def zareba_words():
    """How it reads."""
    return {"option dig in": "{actor} digs in", "event dug in": "{unit} dug in"}
