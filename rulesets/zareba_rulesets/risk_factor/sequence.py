"""The sequence of play: what happens in each step of a player turn (RSK-037 to RSK-041)."""

from __future__ import annotations

from zareba.game.activation import CommandPoints
from zareba.game.step_methods import StepMethods
from zareba.table import Table
from zareba.table.questions import Step
from zareba_rulesets.risk_factor.actions import give_order
from zareba_rulesets.risk_factor.chapters.action_moves import carry_out_result, list_moves_and_charges, nearest_first
from zareba_rulesets.risk_factor.chapters.action_throws import action_throws
from zareba_rulesets.risk_factor.chapters.charge import carry_out_charge
from zareba_rulesets.risk_factor.chapters.command import (
    command,
    merge_side,
    replace_lost_commanders,
    settle_ties,
    share_actions,
)
from zareba_rulesets.risk_factor.chapters.melee import capture_routers, fight, find_fights
from zareba_rulesets.risk_factor.chapters.prisoners import dispatch, escape, free_prisoners
from zareba_rulesets.risk_factor.chapters.setting_up import arrivals, begin, move_markers, reveal
from zareba_rulesets.risk_factor.chapters.shooting import shoot
from zareba_rulesets.risk_factor.chapters.sight import roll_sight_dice, update_sight
from zareba_rulesets.risk_factor.chapters.targets import has_loaded, ready_to_shoot
from zareba_rulesets.risk_factor.chapters.victory import (
    check_after_throws,
    end_of_turn,
    leave_table,
    take_carried_objects,
)
from zareba_rulesets.risk_factor.forces import TURN_MARKS, Battle
from zareba_rulesets.risk_factor.translation import Plan


class Sequence(StepMethods[CommandPoints, Plan]):
    """The steps of a player turn. The battle stores the position in them: the active side, the phase, and the units or
    melees that wait in it.
    """

    one_by_one = frozenset({"command", "move", "charge", "shoot", "melee"})
    """The phases in which units or melees act in turn, one per step."""

    def perform(self, table: Table, battle: Battle, step: Step) -> None:
        """Perform one step, then move on to the next waiting unit or to the next phase that has something to do."""
        phase = battle.phase
        self.carry_out(table, battle, step)
        if battle.over:
            return
        if phase in self.one_by_one:
            battle.waiting = battle.waiting[1:]
            if battle.waiting:
                return
        self.policy.advance(battle)
        self._open(table, battle)

    def _open(self, table: Table, battle: Battle) -> None:
        """List the units that act in the new phase. Skip phases for single units in which no unit acts."""
        while battle.phase in self.one_by_one:
            battle.waiting = self.policy.called(table, battle, _list_waiting(table, battle))
            if battle.waiting:
                return
            self.policy.advance(battle)

    # --- step 1 -------------------------------------------------------------------------------------------------------

    def start(self, table: Table, battle: Battle) -> None:
        """Start the player turn: remove last turn's marks of the side, bring on reinforcements, throw the sight dice,
        and reveal markers that are spotted (RSK-037, RSK-151).
        """
        if not battle.begun:
            begin(table, battle, self.scenario, self.plan)
        side = battle.side
        for unit in battle.units.values():
            if unit.spec.side == side:
                unit.marks -= TURN_MARKS
                unit.killers = 0
                unit.target = unit.result = ""
        for marker in battle.markers.values():
            marker.went = 0.0
        battle.pools, battle.linked = {}, {}
        replace_lost_commanders(table, battle)
        arrivals(table, battle, self.scenario, self.plan)
        roll_sight_dice(table, battle)
        if battle.markers:
            reveal(table, battle)

    def command(self, table: Table, battle: Battle) -> None:
        """Throw and spend the command points of one Player Character (RSK-037)."""
        command(table, battle, battle.units[battle.waiting[0]])

    def throw(self, table: Table, battle: Battle) -> None:
        """Make the Action throws of the whole side, move its markers, then check for beaten sides (RSK-037,
        RSK-183).
        """
        action_throws(table, battle)
        if battle.markers:
            move_markers(table, battle)
        check_after_throws(table, battle)

    # --- step 2 -------------------------------------------------------------------------------------------------------

    def move(self, table: Table, battle: Battle) -> None:
        """Move one unit: by its orders if it is free to obey, otherwise by its Action result (RSK-038)."""
        unit = battle.units[battle.waiting[0]]
        if not unit.is_on_table:
            return
        if "free" in unit.marks:
            give_order(table, battle, unit, self.plan)
        else:
            carry_out_result(table, battle, unit)

    def charge(self, table: Table, battle: Battle) -> None:
        """Carry out the attack of one unit (RSK-162)."""
        carry_out_charge(table, battle, battle.units[battle.waiting[0]])

    def settle(self, table: Table, battle: Battle) -> None:
        """End the moves: weak groups combine, prisoners escape or are freed, objects are picked up, units leave the
        table, and spotted markers are revealed.
        """
        merge_side(table, battle)
        if battle.captives:
            free_prisoners(table, battle)
            escape(table, battle)
        take_carried_objects(table, battle, self.scenario)
        leave_table(table, battle, self.scenario)
        share_actions(battle)
        update_sight(battle)
        if battle.markers:
            reveal(table, battle)

    # --- steps 3 and 4 ------------------------------------------------------------------------------------------------

    def dispatch(self, table: Table, battle: Battle) -> None:
        """Let captors kill prisoners instead of shooting (RSK-159)."""
        if battle.captives:
            dispatch(table, battle)

    def shoot(self, table: Table, battle: Battle) -> None:
        """Shoot with one unit (RSK-039)."""
        unit = battle.units[battle.waiting[0]]
        if unit.is_on_table:
            shoot(table, battle, unit)

    def melee(self, table: Table, battle: Battle) -> None:
        """Fight one melee (RSK-040)."""
        fight(table, battle, tuple(battle.waiting[0].split("+")))

    def finish(self, table: Table, battle: Battle) -> None:
        """End the player turn: capture routers, let prisoners escape, load, check for the end of the game, and pass the
        turn to the other side (RSK-041).
        """
        capture_routers(table, battle)
        if battle.captives:
            escape(table, battle)
        for unit in battle.of(battle.side):
            if "fired_now" not in unit.marks:
                unit.unmark("fired")
                if has_loaded(battle, unit):
                    unit.mark("loaded")
        update_sight(battle)
        end_of_turn(table, battle, self.scenario, self.plan)


def _list_waiting(table: Table, battle: Battle) -> list[str]:
    """List what acts in the new phase, in order: commanders, units, or melees named by their fighters (RSK-037 to
    RSK-040).
    """
    side = battle.side
    if battle.phase == "command":
        return [
            name for name, own_side in battle.commanders.items() if own_side == side and battle.units[name].is_on_table
        ]
    if battle.phase == "move":
        moves, charges = list_moves_and_charges(battle)
        battle.charging = charges
        return moves
    if battle.phase == "charge":
        ordered = [unit.spec.id for unit in battle.of(side) if unit.target]
        return nearest_first(battle, dict.fromkeys([*battle.charging, *ordered])) if ordered else battle.charging
    settle_ties(table, battle)
    if battle.phase == "shoot":
        return ready_to_shoot(battle)
    battle.fights = find_fights(battle)
    return ["+".join(names) for names in battle.fights]
