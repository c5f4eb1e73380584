"""The sequence of play: which units act in each phase of a turn, and what they do (VCC-027 to VCC-038)."""

from __future__ import annotations

from zareba.game.activation import FixedPhases
from zareba.game.step_methods import StepMethods
from zareba.scenario.victory import end_of_battle
from zareba.table import Option, Table
from zareba.table.questions import Step
from zareba_rulesets.vcc.chapters.army_commander import move_commander
from zareba_rulesets.vcc.chapters.casualties import resolve_checks
from zareba_rulesets.vcc.chapters.fire import (
    check_all_overheating,
    end_fire_step,
    fire,
    fire_rocket,
    has_target,
    may_fire,
    rocket_target_boxes,
    targets,
)
from zareba_rulesets.vcc.chapters.melee import melee, must_check_after_melee
from zareba_rulesets.vcc.chapters.morale import (
    check_morale,
    must_check_after_fire,
    must_rally,
    next_to_check,
    rally_side,
)
from zareba_rulesets.vcc.chapters.movement import may_act, move_unit
from zareba_rulesets.vcc.chapters.setting_up import bring_on_arrivals, draw_roles, place_next
from zareba_rulesets.vcc.chapters.sight import in_front, visibility_between_boxes
from zareba_rulesets.vcc.chapters.victory import (
    VccScoreboard,
    capture_commanders,
    capture_wagons_and_guns,
    take_carried_objects,
)
from zareba_rulesets.vcc.forces import GUN_MARKS, OFF_TABLE, STEP_MARKS, TURN_MARKS, Battle, Unit
from zareba_rulesets.vcc.translation import Plan

DONE, _HOLD = "done", "hold fire"


class Sequence(StepMethods[FixedPhases, Plan]):
    """Plays the phases of a turn, one stage at a time.

    The phases of a turn and their stages are listed below `sequence` in `ruleset.yaml`. `battle` stores how far the
    turn has come: its phase, its stage, and the units still waiting to act. Each stage has a method of its name: the
    stage `fire.shots` is played by `fire_shots`. It plays one step, and returns True if the stage is finished; stages
    of a single step return nothing.
    """

    def perform(self, table: Table, battle: Battle, step: Step) -> None:
        """Play one step, and move the cursor on when its stage is finished.

        An Army Commander left alone with the enemy by the step is captured at once (VCC-171).
        """
        finished = self.carry_out(table, battle, step)
        if step.about != "deployment":
            capture_commanders(table, battle)
        if finished:
            self.advance(battle)

    def advance(self, battle: Battle) -> None:
        """Go on to the next stage in which there is something to do."""
        while True:
            phase = battle.phase
            self.policy.advance(battle)
            if battle.phase == "deployment":  # only once, before the first turn
                self.policy.advance(battle)
            if battle.phase != phase:
                _close_phase(battle, phase, self.side(battle, phase))
            if self._open_stage(battle):
                return

    def side(self, battle: Battle, phase: str = "") -> str:
        """Return the side whose phase it is; the British side for phases of both."""
        british, native = battle.by_role
        return native if self.policy.phases[phase or battle.phase].side == "native" else british

    def _open_stage(self, battle: Battle) -> bool:
        """List the units that may act in the stage that begins. Return False if there is nothing to do in it."""
        stage = self.policy.stage(battle)
        field = battle.field
        if stage == "fire.shots":
            battle.waiting = self._ready_to_fire(battle)
        elif stage == "fire.leaders":
            return bool(battle.checks)
        elif stage == "fire.morale":
            side = self.side(battle)
            order = (field.enemy(side), side)
            battle.waiting = [
                u.spec.id for s in order for u in battle.side_units(s) if must_check_after_fire(battle, u)
            ]
        elif stage == "move.units":
            units = battle.side_units(self.side(battle))
            battle.waiting = [unit.spec.id for unit in units if may_act(battle, unit)]
        elif stage == "move.rally":
            return any(unit.marks and must_rally(battle, unit) for unit in battle.side_units(self.side(battle)))
        elif stage == "move.reinforce":
            return bool(battle.arrivals)
        elif stage == "move.commander":
            commander = battle.commanders.get(self.side(battle))
            return commander is not None and commander.box != OFF_TABLE
        elif stage == "melee.fight":
            return bool(battle.contacts)
        elif stage == "melee.morale":
            if not battle.taken and not battle.contacts:
                return False
            units = [unit for side in battle.by_role for unit in battle.side_units(side)]
            battle.waiting = [unit.spec.id for unit in units if must_check_after_melee(battle, unit)]
        else:
            return True
        return bool(battle.waiting)

    # --- steps 1, 2, 5, 6: fire ---------------------------------------------------------------------------------------

    def _ready_to_fire(self, battle: Battle) -> list[str]:
        """Return the units of the side that may fire in this phase and have a target."""
        firers, visibility, side = [], visibility_between_boxes(battle), self.side(battle)
        enemies = battle.side_units(battle.field.enemy(side))
        for unit in battle.side_units(side):
            if may_fire(battle, unit):
                rocket = unit.spec.weapon == "rocket"
                if (
                    rocket_target_boxes(battle, unit, visibility)
                    if rocket
                    else has_target(battle, unit, visibility, enemies)
                ):
                    firers.append(unit.spec.id)
        return firers

    def deploy_place(self, table: Table, battle: Battle) -> bool:
        """Deploy one unit (VCC-025). Return True if all units are deployed.

        The first step also rolls for the roles where the scenario leaves them open.
        """
        if battle.field.roles_are_rolled and not battle.drawn:
            draw_roles(table, battle)
        if battle.waiting:
            place_next(table, battle, self.plan)
        return not battle.waiting

    def fire_shots(self, table: Table, battle: Battle) -> bool:
        """Fire with one unit that its side picks, or end the side's fire (VCC-028, VCC-029, VCC-032, VCC-033).

        Return True if no unit is left to fire.
        """
        side = self.side(battle)
        chosen = table.choose(side, [*battle.waiting, DONE], why="fire with", rule="VCC-038", actor=side)
        if chosen == DONE:
            return True
        battle.waiting.remove(chosen)
        unit = battle.unit(chosen)
        lost_before = len(battle.gone)
        if unit.spec.weapon == "rocket":
            boxes: list[Option] = [*rocket_target_boxes(battle, unit), _HOLD]
            box = table.choose(side, boxes, why="rocket at", rule="VCC-098", actor=chosen)
            if isinstance(box, int):
                fire_rocket(table, battle, unit, box)
            else:
                unit.mark("held")
        else:
            shoot(table, battle, unit)
        # A lost unit may open the line to other targets, or have been the last target.
        if len(battle.gone) != lost_before:
            battle.waiting = [ready for ready in self._ready_to_fire(battle) if "held" not in battle.unit(ready).marks]
        return not battle.waiting

    def fire_leaders(self, table: Table, battle: Battle) -> None:
        """Resolve the leader checks that the shots have caused, in the order of the shots (VCC-038)."""
        resolve_checks(table, battle, "fire")

    def fire_morale(self, table: Table, battle: Battle) -> bool:
        """Resolve one morale check (VCC-037, VCC-038). Return True if no unit is left to check."""
        unit = next_to_check(table, battle)
        if unit is not None:
            check_morale(table, battle, unit)
        return not battle.waiting

    melee_morale = fire_morale

    # --- steps 3, 4: rally and move -----------------------------------------------------------------------------------

    def move_rally(self, table: Table, battle: Battle) -> None:
        """Make all rally rolls of the side (VCC-030, VCC-031)."""
        rally_side(table, battle, self.side(battle))

    def move_reinforce(self, table: Table, battle: Battle) -> None:
        """Bring on the reinforcements that are due this turn (VCC-169)."""
        bring_on_arrivals(table, battle, self.side(battle), self.plan, self.scenario)

    def move_units(self, table: Table, battle: Battle) -> bool:
        """Move one unit that its side picks, or leave all remaining units where they are (VCC-030, VCC-039).

        Return True if no unit is left to move.
        """
        side = self.side(battle)
        chosen = table.choose(side, [*battle.waiting, DONE], why="move with", rule="VCC-030", actor=side)
        if chosen == DONE:
            return True
        battle.waiting.remove(chosen)
        move_unit(table, battle, battle.unit(chosen))
        return not battle.waiting

    def move_commander(self, table: Table, battle: Battle) -> None:
        """Move the Army Commander, after all units of his side (VCC-056)."""
        move_commander(table, battle, self.side(battle))

    # --- steps 7, 8 and the end of the turn ---------------------------------------------------------------------------

    def melee_fight(self, table: Table, battle: Battle) -> None:
        """Fight all melees: step 7 (VCC-034)."""
        melee(table, battle)

    def end_turn(self, table: Table, battle: Battle) -> bool:
        """End the turn: overheating, marks that expire, captures, objectives, end of the battle.

        Return True if the battle goes on.
        """
        check_all_overheating(table, battle)
        for unit in battle.units.values():
            expired = TURN_MARKS | GUN_MARKS if battle.book.settings.gun_move_memory == "same_turn" else TURN_MARKS
            if unit.marks & expired:
                unit.marks -= expired
        battle.dealt, battle.taken = {}, {}
        capture_wagons_and_guns(table, battle)
        take_carried_objects(table, battle)
        scoreboard = VccScoreboard(battle, self.scenario, self.plan)
        battle.ending = end_of_battle(scoreboard, battle.achieved, "withdrawal" if scoreboard.beaten else "")
        battle.over = bool(battle.ending)
        return not battle.over


def shoot(table: Table, battle: Battle, unit: Unit) -> None:
    """Fire with one unit at a target that its side picks, or hold fire; a gun pivots first (VCC-044, VCC-093)."""
    side, name = unit.spec.side, unit.spec.id
    options = [target.spec.id for target in targets(battle, unit)]
    choice = table.choose(side, [*options, _HOLD], why="fire at", rule="VCC-093", actor=name)
    if choice == _HOLD:
        unit.mark("held")
        return
    target = battle.unit(choice)
    if not in_front(battle, unit, target.box):
        front = battle.field.front_arcs
        facings = [facing for facing in range(8) if front[facing, unit.box, target.box]]
        unit.facing = table.choose(side, facings, why="pivot to", rule="VCC-044", actor=name)
        unit.mark("gun_pivoted")
    fire(table, battle, unit, target)


def _close_phase(battle: Battle, phase: str, side: str) -> None:
    """Remove the marks that end with a phase, such as a crewed weapon's spoilt shot after its fire step (VCC-045).

    The marks of melee last until its morale checks are done (VCC-136).
    """
    if phase == "melee":
        return
    for unit in battle.units.values():
        if unit.marks & STEP_MARKS:
            unit.marks -= STEP_MARKS
    if phase in ("british_guns", "native_guns"):
        end_fire_step(battle, side)
