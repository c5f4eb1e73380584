"""Random events: at the beginning of every turn a die, and on a 6 a card off a small pack tells what goes right or wrong.

A pack of cards is kept in mind as a tuple of names, for what is kept never changes. `one_of` draws: odds take every card with its weight,
and nobody knows before which it will be.
"""

from zareba.api import Modifier, Setting, StateVariable, draw_one, game_of, hookimpl, roll_at_least

RULE = "HOUSE-EVENTS"
PACK = ("good heart", "good heart", "jammed rifles", "thirst", "lost water cart", "a rumour of relief")
left = StateVariable("left", PACK, of="game")
luck = StateVariable("luck", "", of="side", words="luck:")


@hookimpl
def zareba_settings():
    """How often something happens."""
    return {
        "on": Setting(rule=RULE, summary="a card comes up on this or more on a D6", default=6, at_least=2, at_most=6)
    }


@hookimpl
def zareba_state():
    """The cards that are left, and what has befallen whom."""
    return [left, luck]


@hookimpl
def zareba_turn(table, state, settings):
    """Last turn's luck is over; on a 6 a card comes up for a side by lot."""
    sides = game_of(table).seats
    for side in sides:
        luck[table, side] = ""
    words = "a card comes up", "nothing happens"
    if not left[table] or not roll_at_least(
        table, settings["on"], *words, why="random event", rule=RULE, actor="events"
    ):
        return
    card = draw_one(table, left[table], "what happens", why="event card", rule=RULE)
    rest = list(left[table])
    rest.remove(card)
    left[table] = tuple(rest)
    side = draw_one(table, sides, "whom it befalls", why="whom it befalls", rule=RULE)
    luck[table, side] = card
    table.tell("random event", RULE, side=side, card=card)


@hookimpl
def zareba_modifiers():
    """What it does for the turn to the side that it befell."""

    def when(*cards):
        return lambda facts, here: here.unit is not None and luck[here.state, here.unit] in cards

    good = Modifier(
        "good_heart", RULE, "add", 1, when=when("good heart", "a rumour of relief"), summary="in good heart"
    )
    rifles = Modifier("jammed", RULE, "add", -1, when=when("jammed rifles"), summary="rifles jam in the sand")
    thirst = Modifier("thirst", RULE, "add", -1, when=when("thirst", "lost water cart"), summary="thirst")
    return {"shooting": [rifles], "melee": [thirst], "morale": [good]}


@hookimpl
def zareba_words():
    """How it is told."""
    return {"event random event": "{side}: {card}"}
