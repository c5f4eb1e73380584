"""The sequence of play: the stages of setting up and of a player turn (AFR-056)."""

from __future__ import annotations

from typing import Any

from zareba.game.activation import CommandCards
from zareba.game.step_methods import StepMethods
from zareba.table import Table
from zareba.table.questions import Step
from zareba_rulesets.afriboria.chapters.air import count_down_fuel, crash_overdue_aircraft, fly
from zareba_rulesets.afriboria.chapters.cards import (
    deal,
    discard_from_hand,
    discard_played_card,
    draw_card,
    face_events,
    play_card,
    turn_over,
)
from zareba_rulesets.afriboria.chapters.engagement import engage, fighters
from zareba_rulesets.afriboria.chapters.movement import move_commander, move_unit, must_come_back
from zareba_rulesets.afriboria.chapters.orders import DONE, give_order, order_options
from zareba_rulesets.afriboria.chapters.setting_up import (
    bring_on_arrivals,
    choose_first_side,
    form_companies,
    place_next,
)
from zareba_rulesets.afriboria.chapters.siege import work_gates
from zareba_rulesets.afriboria.chapters.sight import set_exposure
from zareba_rulesets.afriboria.chapters.victory import close_turn, hold_places
from zareba_rulesets.afriboria.forces.battle import Battle, Plan
from zareba_rulesets.afriboria.forces.companies import name_seconds, reactivate_companies, settle_companies
from zareba_rulesets.afriboria.forces.pieces import OFF, TURN_MARKS, Unit

_MOUNT, _ON_FOOT = "mount", "stay on foot"
_ANNOUNCED = "announced"


class Sequence(StepMethods[CommandCards, Plan]):
    """Plays the stages of a game; `policy` says which comes next (AFR-056, AFR-057).

    Each stage has a method of its name. It plays one step, and returns True if the stage is finished; stages of a
    single step return nothing.
    """

    def perform(self, table: Table, battle: Battle, step: Step) -> None:
        """Carry out one step and move the cursor on."""
        if self.carry_out(table, battle, step) and not battle.over:
            self.next_stage(battle)
        else:
            self.policy.again(battle)
        while not battle.over and self._is_idle(battle):
            self.next_stage(battle)

    def _is_idle(self, battle: Battle) -> bool:
        """Return True if no piece can do anything in this stage; such stages are skipped."""
        if battle.stage == "moves":
            for name in battle.waiting:  # noqa: SIM110  # a loop for speed: asked after every step
                if self._may_move(battle, name):
                    return False
            return True
        return battle.stage == "mounting" and not may_mount(battle)

    def next_stage(self, battle: Battle) -> None:
        """Go on to the next stage and list the pieces that may act in it."""
        self.policy.advance(battle)
        if battle.stage == "moves":
            battle.waiting = [
                *(unit.spec.id for unit in battle.side_units(battle.active) if "move" in unit.marks),
                *(chief.spec.id for chief in battle.side_commanders(battle.active) if "move" in chief.marks),
                *(name for name, flier in battle.fliers.items() if "move" in flier.marks),
            ]
        elif battle.stage in ("battles", "mounting"):
            battle.waiting = []

    # --- setting up ---------------------------------------------------------------------------------------------------

    def deploy(self, table: Table, battle: Battle) -> bool:
        """Deploy one unit or commander (AFR-047). Return True if all are deployed."""
        return place_next(table, battle, self.plan)

    def companies(self, table: Table, battle: Battle) -> None:
        """Form companies at the start (AFR-048)."""
        form_companies(table, battle)

    def deal(self, table: Table, battle: Battle) -> None:
        """Deal the hands (AFR-044)."""
        deal(table, battle)

    def first(self, table: Table, battle: Battle) -> None:
        """Decide who goes first (AFR-046), and which side holds each place from the start (AFR-051)."""
        battle.active = choose_first_side(table, battle, self.plan)
        hold_places(table, battle, self.scenario, self.plan)

    # --- the player turn ----------------------------------------------------------------------------------------------

    def begin(self, table: Table, battle: Battle) -> None:
        """Begin a player turn: fuel, marks that expire, suspended companies that reunite, arrivals."""
        begin_turn(battle)
        if battle.arrivals:
            bring_on_arrivals(table, battle, self.plan, self.scenario, self.policy.game_turn(battle))

    def card(self, table: Table, battle: Battle) -> None:
        """Play a card. If none is playable, a forced event takes effect, a card is exchanged and the turn ends
        (AFR-060, AFR-345).
        """
        if play_card(table, battle):
            return
        side = battle.active
        if battle.sides[side].forced:
            battle.sides[side].forced = False
            turn_over(table, battle, side)
        hand = battle.sides[side].hand
        if hand and not battle.over:
            name = table.choose(side, sorted(set(hand)), why="card to discard", rule="AFR-060", actor=side)
            discard_from_hand(table, battle, side, name)
            draw_card(table, battle, side)
        battle.stage = "draw"

    def orders(self, table: Table, battle: Battle) -> bool:
        """Give one order. All are named before the first move, and may be fewer than the card allows (AFR-061).

        Return True if no more orders follow.
        """
        side = battle.active
        if not battle.waiting:
            work_gates(table, battle)
            name_seconds(table, battle, side)
            battle.waiting = [_ANNOUNCED]
        card = battle.book.cards[battle.card]
        options: list[Any] = [*order_options(battle, side, card, battle.slots), DONE]
        order = table.choose(side, options, why="order", rule="AFR-062", actor=side)
        if order != DONE:
            give_order(table, battle, order, card)
            if any(battle.slots.values()):
                return False
        self.conceal_in_forts(table, battle)
        return True

    def conceal_in_forts(self, table: Table, battle: Battle) -> None:
        """Ask for each ordered unit in a fort if it keeps out of sight (AFR-316)."""
        if battle.structures:
            for unit in battle.side_units(battle.active):
                if "ordered" in unit.marks:
                    set_exposure(table, battle, unit)

    def event(self, table: Table, battle: Battle) -> None:
        """Resolve the events of this turn (AFR-067 to AFR-070)."""
        face_events(table, battle)

    def moves(self, table: Table, battle: Battle) -> bool:
        """Move one unit, commander or flier, in any sequence, each finished before the next (AFR-078).

        Return True if no more moves follow.
        """
        side = battle.active
        battle.waiting = [name for name in battle.waiting if self._may_move(battle, name)]
        ready = [name for name in battle.waiting if not _waits_for_nco(battle, name)]
        a_unit_must_move = battle.companies and any(
            flier in battle.units and must_come_back(battle, battle.units[flier]) for flier in ready
        )
        options = ready if a_unit_must_move else [*ready, DONE]
        name = table.choose(side, options, why="move with", rule="AFR-078", actor=side)
        if name == DONE:
            return True
        battle.waiting.remove(name)
        if name in battle.units:
            move_unit(table, battle, battle.units[name], self.plan)
        elif name in battle.commanders:
            move_commander(table, battle, battle.commanders[name])
        else:
            fly(table, battle, battle.fliers[name])
        return False

    def _may_move(self, battle: Battle, name: str) -> bool:
        """Return True if an ordered unit, commander or flier is on the table and has not moved."""
        piece = battle.units.get(name) or battle.commanders.get(name) or battle.fliers[name]
        return piece.hex != OFF and "moved" not in piece.marks

    def battles(self, table: Table, battle: Battle) -> bool:
        """Fight one battle, resolved completely before the next (AFR-163). Return True if no more battles follow."""
        options = fighters(battle)
        if not options:
            return True
        side = battle.active
        name = table.choose(side, [*options, DONE], why="battle with", rule="AFR-162", actor=side)
        if name == DONE:
            return True
        engage(table, battle, name)
        return False

    def mounting(self, table: Table, battle: Battle) -> None:
        """Ask each unit that may mount after the battles (AFR-092)."""
        for unit in may_mount(battle):
            options = (_ON_FOOT, _MOUNT)
            if table.choose(unit.spec.side, options, why="mount", rule="AFR-092", actor=unit.spec.id) == _MOUNT:
                mount(table, unit)

    def draw(self, table: Table, battle: Battle) -> None:
        """Discard the card played and draw another (AFR-072)."""
        discard_played_card(table, battle)

    def close(self, table: Table, battle: Battle) -> None:
        """End the player turn: crashes, companies, objectives, the turn limit."""
        crash_overdue_aircraft(table, battle)
        settle_companies(battle, battle.active)
        if not battle.over:
            close_turn(table, battle, self.scenario, self.plan)


def begin_turn(battle: Battle) -> None:
    """End what lasts until a player turn begins, burn fuel, and reactivate companies."""
    for unit in battle.units.values():
        if unit.marks:  # every action of a turn leaves a mark
            unit.marks -= TURN_MARKS
            if unit.spec.side == battle.active:
                unit.unmark("inspired")
            unit.moved = unit.shots = 0
            unit.battled = ()
    for chief in battle.commanders.values():
        if chief.marks:
            chief.marks -= TURN_MARKS
        chief.supports = chief.along = ""
    for flier in battle.fliers.values():
        flier.marks -= TURN_MARKS
        flier.flown = 0
    count_down_fuel(battle)
    reactivate_companies(battle, battle.active)


def mount(table: Table, unit: Unit) -> None:
    """Mount a unit after the battles (AFR-092)."""
    unit.mounted = True
    table.emit("mount", "AFR-092", unit=unit.spec.id)


def _waits_for_nco(battle: Battle, name: str) -> bool:
    """Return True if a unit that may only go along with its NCO must wait because he has not moved yet (AFR-103)."""
    if name not in battle.units or "along" not in battle.units[name].marks:
        return False
    return not any(chief.along == name and "moved" in chief.marks for chief in battle.side_commanders(battle.active))


def may_mount(battle: Battle) -> list[Unit]:
    """Return the dismounted cavalry that was ordered, did not move or fire twice, and is whole in one hex (AFR-092)."""
    return [
        unit
        for unit in battle.side_units(battle.active)
        if unit.spec.foot is not None
        and not unit.mounted
        and not unit.sections
        and "move" in unit.marks
        and "along" not in unit.marks
        and not (unit.moved or unit.shots > 1 or "changed" in unit.marks)
    ]
