"""Colour cards: in Risk-Factor both sides command and throw first; then cards come up, one of its side's colour for every unit.

Whose colour comes up names one of his units that has not acted: it moves, charges and shoots. Melees, captures and loading come when
all cards are through, side after side. The policy is derived from that of the rules: it says how the cursor goes on.
"""

from zareba.api import CommandPoints, StateVariable, draw_one, figures, hookimpl, units

RULESETS = ("risk_factor",)
RULE = "HOUSE-COLOUR-CARDS"
AFTER = {"move": "charge", "charge": "settle", "settle": "shoot", "dispatch": "melee", "melee": "finish"}
row = StateVariable("row", (), of="game", words="colours to come")
acted = StateVariable("acted", (), of="game")
now = StateVariable("now", "", of="game")


class ColourCards(CommandPoints):
    """Both sides throw; then a card, a unit; then both sides fight it out."""

    def next_step(self, battle):
        """As ever; a phase that comes again for another card is another one."""
        step = super().next_step(battle)
        return step and step._replace(about=f"{step.about} {len(row[battle])}")

    def called(self, table, battle, waiting):
        """Of those who wait the unit of this card, which its player names: one that stands and has not acted."""
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
        """To the next phase of a card or a side, the next card, or the next side."""
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
    """In the place of the turns of sides."""
    return ColourCards


@hookimpl
def zareba_turn(table, state):
    """A card for every unit that stands, shuffled."""
    left, dealt = [unit.spec.side for unit in units(table) if figures(table, unit)], []
    while left:
        dealt.append(draw_one(table, left, "whose unit acts next", why="colour", rule=RULE))
        left.remove(dealt[-1])
    row[table], acted[table] = tuple(dealt), ()


@hookimpl
def zareba_words():
    """How the choice reads."""
    return {"question who acts": "{seat}: which unit acts?"}
