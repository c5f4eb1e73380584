"""Random events: every turn a die is rolled, and on a 6 a card from a small pack brings one side good or bad luck.

The pack is a state variable: a tuple of names, because stored values cannot be changed in place. `draw_one` draws a
card. The odds include every card with its weight, and the order of the pack is not stored.
"""

from zareba.api import Modifier, Setting, StateVariable, draw_one, game_of, hookimpl, roll_at_least

RULE = "HOUSE-EVENTS"
PACK = ("good heart", "good heart", "jammed rifles", "thirst", "lost water cart", "a rumour of relief")
left = StateVariable("left", PACK, of="game")
luck = StateVariable("luck", "", of="side", words="luck:")


@hookimpl
def zareba_settings():
    """Add a setting for the chance of an event."""
    return {
        "on": Setting(rule=RULE, summary="a card is drawn on this or more on a D6", default=6, at_least=2, at_most=6)
    }


@hookimpl
def zareba_state():
    """Store the cards left in the pack, and the luck of each side."""
    return [left, luck]


@hookimpl
def zareba_turn(table, state, settings):
    """End the luck of the last turn; on the roll given by the setting, draw a card for a random side."""
    sides = game_of(table).seats
    for side in sides:
        luck[table, side] = ""
    words = "a card is drawn", "nothing happens"
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
    table.emit("random event", RULE, side=side, card=card)


@hookimpl
def zareba_modifiers():
    """Add the effects of the card for this turn."""

    def has_drawn(*cards):
        return lambda facts, context: context.unit is not None and luck[context.state, context.unit] in cards

    good = Modifier(
        "good_heart", RULE, "add", 1, when=has_drawn("good heart", "a rumour of relief"), summary="in good heart"
    )
    rifles = Modifier("jammed", RULE, "add", -1, when=has_drawn("jammed rifles"), summary="rifles jam in the sand")
    thirst = Modifier("thirst", RULE, "add", -1, when=has_drawn("thirst", "lost water cart"), summary="thirst")
    return {"shooting": [rifles], "melee": [thirst], "morale": [good]}


@hookimpl
def zareba_words():
    """Give the text of the event."""
    return {"event random event": "{side}: {card}"}
