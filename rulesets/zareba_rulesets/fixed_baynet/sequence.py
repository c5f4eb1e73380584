"""The sequence of play: initiative, deployment, activations, glory tests and the end of a turn (FBN-012 to FBN-017)."""

from __future__ import annotations

from zareba.game.activation import AlternateUnits
from zareba.game.step_methods import StepMethods
from zareba.scenario.victory import end_of_battle
from zareba.table import Table
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.actions.activation import (
    begin_activation,
    choose_action,
    end_activation,
    perform_or_end,
)
from zareba_rulesets.fixed_baynet.chapters.machine_guns import end_gun_turn
from zareba_rulesets.fixed_baynet.chapters.morale import glory_phase
from zareba_rulesets.fixed_baynet.chapters.setting_up import (
    bring_on_arrivals,
    roll_for_event,
    roll_initiative,
    set_up_next_unit,
)
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard, leave_table, take_carried_objects
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import UNIT_TURN_MARKS, Unit, after_turn
from zareba_rulesets.fixed_baynet.translation import Plan

_PASS = "pass"


class Sequence(StepMethods[AlternateUnits, Plan]):
    """Runs one step of the game at a time. The position in the sequence is part of the battle."""

    def perform(self, table: Table, battle: Battle, step: Step) -> None:
        """Run one step. `acts` counts the steps, so that no two steps of a turn have the same key."""
        battle.acts += 1
        self.carry_out(table, battle, step)

    def move_on(self, table: Table, battle: Battle) -> None:
        """Move on to the next phase with something to do, and open the turn if it is the Actions phase."""
        self.policy.advance(battle)
        if battle.phase == "initiative" and not battle.book.settings.initiative_each_turn:
            self.policy.advance(battle)  # roll only once, before the first turn (FBN-008)
        if battle.phase == "deployment" and not battle.waiting:
            self.policy.advance(battle)
        if battle.phase == "actions":
            self._open_turn(table, battle)

    def initiative_roll(self, table: Table, battle: Battle) -> None:
        """Roll for initiative (FBN-008), then move on to the next phase."""
        roll_initiative(table, battle)
        self.move_on(table, battle)

    def deployment_place(self, table: Table, battle: Battle) -> None:
        """Set up one unit; the sides alternate in initiative order (FBN-011)."""
        side = self.policy.side(battle)
        if side is not None:
            set_up_next_unit(table, battle, self.plan, side)
            self.policy.pass_on(battle, side)
        if not battle.waiting:
            self.move_on(table, battle)

    def _open_turn(self, table: Table, battle: Battle) -> None:
        """Resolve this turn's arrivals and weather; then every unit on the table may be activated (FBN-013)."""
        for key, event in self.scenario.events.items():
            if event.turn == battle.turn and roll_for_event(table, event.die, event.at_least, key):
                battle.night = battle.night if event.night is None else event.night
                battle.fog = battle.fog if event.fog is None else event.fog
                table.emit("note", "FBN-234", text=event.text)
        bring_on_arrivals(table, battle, self.scenario, self.plan)
        battle.waiting = [unit.spec.id for unit in battle.on_table()]

    def actions_unit(self, table: Table, battle: Battle) -> None:
        """Let the player whose turn it is activate a unit.

        A player with none left is passed over (FBN-013, FBN-014).
        """
        battle.waiting = [key for key in battle.waiting if battle.units[key].on_table]
        side = self.policy.side(battle)
        if side is None:
            self.move_on(table, battle)
            return
        options = [key for key in battle.waiting if battle.units[key].spec.side == side]
        others = {battle.units[key].spec.side for key in battle.waiting} - {side}
        if battle.book.settings.pass_allowed and battle.passes < len(others):
            options.append(_PASS)
        chosen = table.choose(side, options, why="activate", rule="FBN-013", actor=side)
        battle.passes = battle.passes + 1 if chosen == _PASS else 0
        if chosen == _PASS:
            self.policy.pass_on(battle, side)
            return
        battle.waiting.remove(chosen)
        unit = battle.change(battle.units[chosen])
        begin_activation(table, battle, unit)
        if not unit.on_table:
            end_activation(table, battle, unit)
            self.after_activation(table, battle, unit)

    def actions_act(self, table: Table, battle: Battle) -> None:
        """Resolve one act of the active unit.

        The activation lasts until the unit's owner ends it (FBN-016).
        """
        unit = battle.units[battle.active]
        choice = choose_action(table, battle, unit)
        unit = battle.change(unit)
        if perform_or_end(table, battle, unit, choice):
            self.after_activation(table, battle, unit)

    def after_activation(self, table: Table, battle: Battle, unit: Unit) -> None:
        """Resolve what follows an activation: leaving the table, objects, and whose turn it is."""
        if unit.figures:
            leave_table(table, battle, unit)
        take_carried_objects(table, battle)
        self.policy.pass_on(battle, unit.spec.side)

    def glory_test(self, table: Table, battle: Battle) -> None:
        """Run the Glory phase (FBN-012, FBN-147)."""
        glory_phase(table, battle)
        self.move_on(table, battle)

    def housekeeping_turn(self, table: Table, battle: Battle) -> None:
        """Clear the marks of the turn (FBN-017); then check the objectives and the end of the battle."""
        for key in battle.units:
            unit = battle.units.change(key)
            if "pinned" in unit.marks and unit.shot_turn != battle.turn:
                unit.unmark("pinned")  # FBN-231
            unit.marks = unit.marks - UNIT_TURN_MARKS
            for figure in unit.figures.values():
                figure.spent, figure.owed = figure.owed, 0
                figure.last_gait, figure.gait = (figure.gait if figure.mounted else 0), 0
                if figure.marks:
                    figure.marks = after_turn(figure.marks)
            for gun in unit.guns:
                end_gun_turn(battle, gun)
        for name, house in battle.houses.items():
            if house.used:
                battle.houses.change(name).used = {}
        battle.calls = []
        battle.flares = [flare for flare in battle.flares if flare.until > battle.turn]
        battle.ending = end_of_battle(FbnScoreboard(battle, self.scenario), battle.achieved)
        if battle.ending:
            battle.over = True
            return
        self.move_on(table, battle)
