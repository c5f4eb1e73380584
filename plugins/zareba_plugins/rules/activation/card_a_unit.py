"""A card a unit: in Victorian Colonial Combat the phases give way to cards, dealt in a row before every turn for all to see.

The unit whose card is next does all that its side's phases allow: it fires its gun, rallies, moves, fires small arms. Melees and the
end of the turn come when all cards are through; an Army Commander moves with the last card of his side. The policy is derived from
that of the rules and says how the cursor goes on; whose card it is lies in the state, as `StateVariable`.
"""

from zareba.api import FixedPhases, StateVariable, draw_one, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-CARDS"
row = StateVariable("row", (), of="game")
at = StateVariable("at", 0, of="game")


class CardAUnit(FixedPhases):
    """Through the phases of one unit's side for each card, then through those of both."""

    def own(self, battle):
        """The phases of the side whose card is up."""
        role = "british" if battle.units[card(battle)].spec.side == battle.field.by_role[0] else "native"
        return [phase for phase, entry in self.phases.items() if entry.side == role]

    def next_step(self, battle):
        """As ever; a phase that comes again for another card is another one."""
        step = super().next_step(battle)
        return (
            step._replace(about=f"{step.about} {at[battle] + 1}") if step and self.phases[battle.phase].side else step
        )

    def advance(self, battle):
        """To the next stage, phase, card, or what comes after all cards."""
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
            if battle.phase != self.own(battle)[-1]:
                battle.phase = self.own(battle)[self.own(battle).index(battle.phase) + 1]
                return
            at.add(battle, None, 1)
        while card(battle) and not battle.units[card(battle)].on_table and card(battle) not in battle.arrivals:
            at.add(battle, None, 1)
        battle.phase = self.own(battle)[0] if card(battle) else "melee"


def card(battle):
    """The unit whose card is up; "" when all have been."""
    return row[battle][at[battle]] if at[battle] < len(row[battle]) else ""


def deal(table, battle):
    """A card for every unit that is not lost."""
    left, dealt = [name for name in battle.units if name not in battle.gone], []
    while left:
        dealt.append(draw_one(table, left, "who acts next", why="card", rule=RULE))
        left.remove(dealt[-1])
    row[table], at[table] = tuple(dealt), 0


def deal_first(end_of_turn, table, battle):
    """The row for the next turn, before the cursor goes on to it."""
    deal(table, battle)
    end_of_turn(table, battle)


def only_his(procedure, table, battle, unit, *more):
    """A unit rallies on its own card."""
    return unit.spec.id == card(battle) and procedure(table, battle, unit, *more)


def with_the_last(move_commander, table, battle, side):
    """The Army Commander moves with the last card of his side."""
    if not any(battle.units[name].spec.side == side for name in row[battle][at[battle] + 1 :]):
        move_commander(table, battle, side)


@hookimpl
def zareba_policy():
    """In the place of the fixed phases."""
    return CardAUnit


@hookimpl
def zareba_begin(table, state):
    """The first row."""
    deal(table, state)


@hookimpl
def zareba_steps():
    """A new row at the end of every turn."""
    return {"end.turn": deal_first}


@hookimpl
def zareba_procedures():
    """What is done for a whole side is done for one unit."""
    return {"rally.roll": only_his, "commander.move": with_the_last}


@hookimpl
def zareba_options(state, question):
    """Nobody acts but the unit of the card."""
    if question.why in ("move with", "fire with"):
        return [option for option in question.options if option in (card(state), "done")]
    return None
