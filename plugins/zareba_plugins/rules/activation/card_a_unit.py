"""A card a unit: in Victorian Colonial Combat, unit cards replace the phases; they are dealt face up before every turn.

The unit whose card is next does everything that its side's phases allow: it fires its gun, rallies, moves and fires
small arms. Melees and the end of the turn follow after the last card. An Army Commander moves with the last card of
its side. The activation policy is derived from that of the rules and changes only the order. The cards are stored in
the game state, as a `StateVariable`.
"""

from zareba.api import FixedPhases, StateVariable, draw_one, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-CARDS"
row = StateVariable("row", (), of="game")
at = StateVariable("at", 0, of="game")


class CardAUnit(FixedPhases):
    """Goes through the phases of one unit's side for each card, then through the phases of both sides."""

    def own_phases(self, battle):
        """Return the phases of the side whose card is up."""
        role = "british" if battle.units[card(battle)].spec.side == battle.field.by_role[0] else "native"
        return [phase for phase, entry in self.phases.items() if entry.side == role]

    def next_step(self, battle):
        """Return the next step; add the number of the card, so that steps of different cards have different names."""
        step = super().next_step(battle)
        return (
            step._replace(about=f"{step.about} {at[battle] + 1}") if step and self.phases[battle.phase].side else step
        )

    def advance(self, battle):
        """Move on to the next stage, phase or card, or to the phases after the last card."""
        if battle.stage + 1 < len(self.phases[battle.phase].stages):
            battle.stage += 1
            return
        battle.stage = 0
        if battle.phase == "end_of_turn":
            battle.turn += 1
        elif battle.phase != "deployment":
            if not card(battle):
                battle.phase = "melee_morale" if battle.phase == "melee" else "end_of_turn"
                return
            if battle.phase != self.own_phases(battle)[-1]:
                battle.phase = self.own_phases(battle)[self.own_phases(battle).index(battle.phase) + 1]
                return
            at.add(battle, None, 1)
        while card(battle) and not battle.units[card(battle)].on_table and card(battle) not in battle.arrivals:
            at.add(battle, None, 1)
        battle.phase = self.own_phases(battle)[0] if card(battle) else "melee"


def card(battle):
    """Return the unit whose card is up, or "" after the last card."""
    return row[battle][at[battle]] if at[battle] < len(row[battle]) else ""


def deal(table, battle):
    """Deal a card for every unit that is not lost."""
    left, dealt = [name for name in battle.units if name not in battle.gone], []
    while left:
        dealt.append(draw_one(table, left, "who acts next", why="card", rule=RULE))
        left.remove(dealt[-1])
    row[table], at[table] = tuple(dealt), 0


def deal_first(end_of_turn, table, battle):
    """Deal the cards for the next turn, then end the turn."""
    deal(table, battle)
    end_of_turn(table, battle)


def only_his(procedure, table, battle, unit, *more):
    """Let a unit rally only on its own card."""
    return unit.spec.id == card(battle) and procedure(table, battle, unit, *more)


def with_the_last(move_commander, table, battle, side):
    """Move the Army Commander with the last card of its side."""
    if not any(battle.units[name].spec.side == side for name in row[battle][at[battle] + 1 :]):
        move_commander(table, battle, side)


@hookimpl
def zareba_policy():
    """Replace the fixed phases."""
    return CardAUnit


@hookimpl
def zareba_begin(table, state):
    """Deal the cards for the first turn."""
    deal(table, state)


@hookimpl
def zareba_steps():
    """Deal new cards at the end of every turn."""
    return {"end.turn": deal_first}


@hookimpl
def zareba_procedures():
    """Limit actions of a whole side to the unit whose card is up."""
    return {"rally.roll": only_his, "commander.move": with_the_last}


@hookimpl
def zareba_options(state, question):
    """Let only the unit whose card is up act."""
    if question.why in ("move with", "fire with"):
        return [option for option in question.options if option in (card(state), "done")]
    return None
