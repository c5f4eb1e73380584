"""Colour cards: in Risk-Factor, cards in the colours of the sides decide which side activates its next unit.

Both sides command and throw first. Then cards come up, one in the colour of its side for every unit. The player of
that colour names a unit that has not acted yet; it moves, charges and shoots. Melees, captures and loading follow
after the last card, one side after the other. The activation policy is derived from that of the rules and changes only
the order.
"""

from zareba.api import CommandPoints, StateVariable, draw_one, figures, hookimpl, units

RULESETS = ("risk_factor",)
RULE = "HOUSE-COLOUR-CARDS"
AFTER = {"move": "charge", "charge": "settle", "settle": "shoot", "dispatch": "melee", "melee": "finish"}
row = StateVariable("row", (), of="game", words="colours to come")
acted = StateVariable("acted", (), of="game")  # the units that have acted this turn
now = StateVariable("now", "", of="game")  # the unit that acts on the present card


class ColourCards(CommandPoints):
    """Takes both sides through the throws, then a unit for each card, then both sides through the melees."""

    def next_step(self, battle):
        """Return the next step; add the number of cards left, so that steps of different cards have different names."""
        step = super().next_step(battle)
        return step and step._replace(about=f"{step.about} {len(row[battle])}")

    def called(self, table, battle, waiting):
        """Return the unit of this card: the player names a unit that is on the table and has not acted."""
        if battle.phase not in ("move", "charge", "shoot"):
            return waiting
        side = battle.side
        free = [
            unit.spec.id for unit in units(table, side) if figures(table, unit) and unit.spec.id not in acted[battle]
        ]
        if free and battle.phase == "move":
            asks = not battle.is_solo(side)
            now[table] = table.choose(side, free, why="who acts", rule=RULE, actor=side) if asks else free[0]
            acted.add(table, None, (now[table],))
        return [now[battle]] if now[battle] in waiting else []

    def advance(self, battle):
        """Move on to the next phase of a card or a side, the next card, or the next side."""
        battle.waiting = []
        if battle.phase in AFTER:
            battle.phase = AFTER[battle.phase]
        elif battle.phase in ("start", "command") or (
            battle.phase == "finish" and battle.active + 1 == len(battle.order)
        ):
            super().advance(battle)
        elif battle.phase in ("throw", "finish") and battle.active + 1 < len(battle.order):
            battle.active, battle.phase = battle.active + 1, "start" if battle.phase == "throw" else "dispatch"
        elif row[battle]:
            battle.active, battle.phase = battle.order.index(row[battle][0]), "move"
            row[battle], now[battle] = row[battle][1:], ""
        else:
            battle.active, battle.phase = 0, "dispatch"


@hookimpl
def zareba_policy():
    """Replace the turns of the sides."""
    return ColourCards


@hookimpl
def zareba_turn(table, state):
    """Shuffle a card for every unit on the table."""
    left, dealt = [unit.spec.side for unit in units(table) if figures(table, unit)], []
    while left:
        dealt.append(draw_one(table, left, "whose unit acts next", why="colour", rule=RULE))
        left.remove(dealt[-1])
    row[table], acted[table] = tuple(dealt), ()


@hookimpl
def zareba_words():
    """Give the text of the choice."""
    return {"question who acts": "{seat}: which unit acts?"}
