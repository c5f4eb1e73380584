"""The sequence of play: draw a card, then its unit moves, fires and fights (PAY-052 to PAY-065)."""

from __future__ import annotations

from zareba.chance import random_draw
from zareba.game.activation import CardPerUnit
from zareba.game.step_methods import StepMethods
from zareba.table import Table
from zareba_rulesets.paychest.actions.fire import fire_step
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.actions.movement import move_unit, set_postures
from zareba_rulesets.paychest.chapters.casualties import (
    recover_unconscious,
    remove_fallen_irregulars,
    shuffle_casualties,
)
from zareba_rulesets.paychest.chapters.command import give_orders, note_deed, promote, replace_lost_leaders
from zareba_rulesets.paychest.chapters.machines import crew_at
from zareba_rulesets.paychest.chapters.marching import arm_from_loads
from zareba_rulesets.paychest.chapters.morale import check_morale, fall_back, morale_order, must_check, rally
from zareba_rulesets.paychest.chapters.setting_up import arrivals, note_returning, place_next, recycle
from zareba_rulesets.paychest.chapters.sight import figures_that_may_duck
from zareba_rulesets.paychest.chapters.victory import decide
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import (
    FIGURE_MARKS_OF_ACTIVATION,
    UNIT_MARKS_OF_ACTIVATION,
    UNIT_MARKS_OF_TURN,
    Unit,
)
from zareba_rulesets.paychest.translation import Plan


class Sequence(StepMethods[CardPerUnit, Plan]):
    """Plays the steps of a turn.

    `battle` stores how far the turn has come: its stage, its card deck and the unit that is acting. Each stage has a
    method of its name: the stage `unit.fire` is played by `unit_fire`, which then moves the battle on to the next one.
    """

    def _advance(self, battle: Battle) -> None:
        """Go on to the next phase."""
        battle.moved_away = ()
        self.policy.advance(battle, bool(battle.cards.pile))

    def setup_place(self, table: Table, battle: Battle) -> None:
        """Set up one unit per step (PAY-048). Once all are set up, figures in hard cover may get down (PAY-086)."""
        battle.drawn += 1
        if battle.waiting:
            place_next(table, battle, self.plan)
        if not battle.waiting:
            battle.drawn = 0
            for unit_id in [key for key, unit in battle.units.items() if figures_that_may_duck(battle, unit)]:
                set_postures(table, battle, battle.change(unit_id))
            self._advance(battle)

    def turn_start(self, table: Table, battle: Battle) -> None:
        """Start a turn: arrivals, hits back to zero, and a deck with a card for every unit (PAY-046, PAY-059).

        A unit without able figures has no card (PAY-060). The number of cards has no limit (PAY-047).
        """
        arrivals(table, battle, self.plan)
        recycle(table, battle)
        for unit_id, unit in battle.units.items():
            if unit.hits or not unit.marks.isdisjoint(UNIT_MARKS_OF_TURN):
                fresh = battle.change(unit_id)
                fresh.hits = 0  # PAY-150
                fresh.marks -= UNIT_MARKS_OF_TURN
        if battle.book.settings.casualty_reshuffle == "every_turn":
            shuffle_casualties(battle)
        battle.order = []
        battle.cards.pile = {unit_id: 1 for unit_id, unit in battle.units.items() if unit.has_able_figures}
        battle.cards.discards = {}
        replace_lost_leaders(table, battle)
        for side in self.scenario.sides:
            give_orders(table, battle, side)
        self._advance(battle)

    def unit_card(self, table: Table, battle: Battle) -> None:
        """Step 1: draw a card; its unit becomes the phasing unit (PAY-052, PAY-058).

        Cards of units that are gone have no effect. The sequence returns here until no card is left (PAY-056).
        """
        if not battle.cards.pile:
            self._advance(battle)
            return
        card = battle.cards.draw(table, why="card", rule="PAY-052", means=random_draw("who acts next"))
        assert card is not None, "there is a card to draw"
        battle.drawn += 1
        battle.order.append(card)
        unit = battle.change(card)
        if "skip" in unit.marks or not unit.has_able_figures:
            table.emit("card without effect", "PAY-060", unit=card, ran=unit.has_able_figures)
            self._advance(battle)
            return
        table.emit("card", "PAY-052", unit=card)
        battle.acting = card
        self._advance(battle)
        if not begin_activation(table, battle, unit):
            self.end_activation(table, battle, unit)

    def unit_move(self, table: Table, battle: Battle) -> None:
        """Step 2: the move, or the forced move that replaces it (PAY-053, PAY-164)."""
        unit = battle.change(battle.acting)
        if unit.pending:
            order = battle.book.results[unit.pending]
            unit.clear_pending()
            fall_back(table, battle, unit, order.dice, backs=order.backs)
            if order.backs:
                unit.mark("no fire")
        elif unit.marks.isdisjoint(("no move", "idle")):
            move_unit(table, battle, unit)
        if unit.leader and unit.figures[unit.leader].at is None:
            replace_lost_leaders(table, battle)  # the leader has left the table
        self._advance(battle)

    def unit_fire(self, table: Table, battle: Battle) -> None:
        """Step 3: fire (PAY-054)."""
        unit = battle.change(battle.acting)
        if unit.marks.isdisjoint(("no fire", "idle")):
            fire_step(table, battle, unit)
        self._advance(battle)

    def unit_melee(self, table: Table, battle: Battle) -> None:
        """Step 4: melee, then the end of the activation (PAY-055)."""
        unit = battle.change(battle.acting)
        if "idle" not in unit.marks:
            melee_step(table, battle, unit)
        self.end_activation(table, battle, unit)

    def end_activation(self, table: Table, battle: Battle, unit: Unit) -> None:
        """End the activation of a unit, check the end of the battle, and go on to the next unit."""
        end_activation(table, battle, unit)
        note_returning(battle)
        decide(battle, self.scenario, self.plan, turn_over=False)
        battle.moved_away = ()
        self.policy.end_activation(battle, bool(battle.cards.pile))

    def turn_end(self, table: Table, battle: Battle) -> None:
        """Step 6: morale checks in card order (PAY-057, PAY-064), recorded deeds, and the end of the game (PAY-192)."""
        for unit_id in morale_order(battle):
            if must_check(battle, battle.unit(unit_id)):
                check_morale(table, battle, battle.change(unit_id))
        self.close_turn(table, battle)

    def close_turn(self, table: Table, battle: Battle) -> None:
        """End the turn after the morale checks: recorded deeds, units that form again, and the end of the game."""
        replace_lost_leaders(table, battle)
        for side in self.scenario.sides:
            note_deed(table, battle, side)
        note_returning(battle)
        decide(battle, self.scenario, self.plan, turn_over=True)
        if not battle.over:
            self._advance(battle)


def begin_activation(table: Table, battle: Battle, unit: Unit) -> bool:
    """Reset the counters and marks of the last activation, then recover, rally and promote.

    Return True if the unit goes on to move, fire and fight.
    """
    own, driven = unit.spec.id, battle.driven_by(unit)
    for key in [key for key, e in battle.engines.items() if e.unit == own or key in driven or e.carrier in driven]:
        engine = battle.engines.change(key)
        engine.shots, engine.first_ones, engine.served_by = 0, 0, ()
        vehicle = engine.carrier or key
        if vehicle in driven or not battle.engines[vehicle].aboard:
            engine.moved = "halt"  # engines driven by another unit keep the gait of their last move (PAY-080, PAY-084)
    for figure in unit.figures.values():
        figure.gait = battle.engines[figure.aboard].moved if figure.aboard else "halt"  # PAY-080
        figure.shots = 0
        if figure.marks:
            figure.unmark("back turned", "ran")
    unit.shot_at, unit.aimed, unit.volleys = "", (), 0
    if "inactive" in unit.marks:
        unit.unmark("inactive")
        unit.mark("idle")
    arm_from_loads(battle, unit)
    recover_unconscious(table, battle, unit.spec.id)
    if unit.rout:
        if not rally(table, battle, unit):
            return False
        may = battle.book.settings.rally_may_act
        if may == "nothing":
            return False
        if may == "fire_only":
            unit.mark("no move")
    promote(table, battle, unit)
    return True


def end_activation(table: Table, battle: Battle, unit: Unit) -> None:
    """End an activation: clear a jam, remove fallen irregulars, reset marks and fill the places of lost leaders."""
    for key in battle.guns_of(unit) if battle.engines else ():
        engine = battle.engines[key]
        if engine.jammed and any("clearing" in figure.marks for figure in crew_at(battle, engine)):
            battle.engines.change(key).jammed = False
            table.emit("jam cleared", "PAY-176", gun=key, unit=unit.spec.id)
    remove_fallen_irregulars(battle)
    unit.marks -= UNIT_MARKS_OF_ACTIVATION
    unit.mark("acted")
    for figure in unit.figures.values():
        if figure.marks:
            figure.marks -= FIGURE_MARKS_OF_ACTIVATION
    replace_lost_leaders(table, battle)
