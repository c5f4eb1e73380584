"""Unit calls: units act one at a time, each once a turn. Sides or cards decide which unit is called next.

All these policies use the same order of play, so a house rule may replace one with another. A phase with `each: unit`
runs through its stages for each unit as it is called; any other phase runs through them once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from zareba.base.state import Record, record
from zareba.chance import lot
from zareba.game.activation.policy import Policy
from zareba.rules.schema import PhaseEntry
from zareba.table import Step, Table

__all__ = ["AlternateCalls", "CallsCursor", "ColourCards", "SidesInTurn", "UnitCalls", "UnitCards"]

CALL = "call"
CALLED = lot("who is called next")
SET_UP = "set_up"


@record
class CallsCursor(Record):
    """The position in the sequence of play: turn from 1 (0 during set-up), phase, stage, acting unit ("" for none).

    A state inherits these fields as its first ones. `setting_out` are the units still to be set up, `waiting` those
    still to be called in this phase, with their sides. `called` counts the calls of this phase, `last` is the side
    called last, `cards` are the cards left.
    """

    turn: int
    phase: str
    stage: int
    acting: str
    called: int
    last: str
    setting_out: list[str]
    waiting: dict[str, str]
    cards: dict[str, int]
    over: bool
    ending: str


class UnitCalls(Policy):
    """The policy of rulesets in which units are called one at a time; a subclass decides how."""

    def __init__(self, phases: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = phases
        self.sides = tuple(sides)
        self._order = list(phases)

    @property
    def first(self) -> str:
        """The phase that begins a turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        found = [SET_UP]
        for phase in self.phases.values():
            found += [f"{phase.step}.{stage}" for stage in ([CALL] if phase.each == "unit" else [])]
            found += [f"{phase.step}.{stage}" for stage in phase.stages]
        return found

    def phase(self, state: CallsCursor) -> str:
        """Return the phase at the cursor, "" during set-up."""
        return state.phase if state.turn else ""

    def next_step(self, state: CallsCursor) -> Step | None:
        """Return the next step of play, or None when the game is over. No two steps of a turn have the same key."""
        if state.over:
            return None
        if state.turn == 0:
            return Step(SET_UP, 0, next(iter(state.setting_out), "all"))
        phase = self.phases[state.phase]
        if phase.each == "unit" and not state.acting:
            return Step(f"{phase.step}.{CALL}", state.turn, f"{state.phase} {state.called}")
        return Step(f"{phase.step}.{phase.stages[state.stage]}", state.turn, state.acting or state.phase)

    def begin(self, state: CallsCursor, units: Mapping[str, str]) -> None:
        """Begin the phase at the cursor. `units` are the units to call in it, with their sides."""
        state.stage, state.acting, state.called, state.last = 0, "", 0, ""
        state.waiting = dict(units)
        state.cards = self.deal(state)

    def deal(self, state: CallsCursor) -> dict[str, int]:
        """Return the cards with which a phase begins; empty for a policy without cards."""
        return {}

    def call(self, table: Table, state: CallsCursor, rule: str) -> str:
        """Call the next waiting unit, which then acts, and return it; "" if none is left."""
        while state.waiting:
            state.called += 1
            unit = self.called(table, state, rule)
            if unit:
                state.acting, state.last = unit, state.waiting.pop(unit)
                return unit
        return ""

    @abstractmethod
    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        """Return one of the waiting units; "" for a card that calls no unit."""

    def pick(self, table: Table, state: CallsCursor, side: str, rule: str) -> str:
        """Return the waiting unit of a side that its player chooses."""
        own = [unit for unit, whose in state.waiting.items() if whose == side]
        return table.choose(side, own, why="who acts", rule=rule, actor=side)

    def advance(self, state: CallsCursor) -> str:
        """Move on from a finished stage. Return the phase that has ended, or "" within a phase.

        The cursor is then at the next phase, which still has to be begun. The first phase of the next turn follows the
        last phase.
        """
        state.stage += 1
        phase = self.phases[state.phase]
        if state.stage < len(phase.stages):
            return ""
        state.stage, state.acting = 0, ""
        return "" if phase.each == "unit" else self.end_phase(state)

    def end_phase(self, state: CallsCursor) -> str:
        """Move from the phase at the cursor to the next one and return the phase that has ended."""
        over, at = state.phase, self._order.index(state.phase) + 1
        if at == len(self._order):
            state.turn += 1
            at = 0
        state.phase = self._order[at]
        return over


class SidesInTurn(UnitCalls):
    """All units of one side act first, then all units of the next side."""

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        there = set(state.waiting.values())
        return self.pick(table, state, next(side for side in self.sides if side in there), rule)


class AlternateCalls(UnitCalls):
    """The sides alternate, one unit each, as long as they have units waiting."""

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        there = set(state.waiting.values())
        after = self.sides.index(state.last) + 1 if state.last else 0
        order = (*self.sides[after:], *self.sides[:after])
        return self.pick(table, state, next(side for side in order if side in there), rule)


class UnitCards(UnitCalls):
    """One card for each unit: when its card is drawn, the unit acts."""

    def deal(self, state: CallsCursor) -> dict[str, int]:
        return dict.fromkeys(state.waiting, 1)

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        unit = drawn(table, state, rule)
        return unit if unit in state.waiting else ""


class ColourCards(UnitCalls):
    """One card for each unit, in the colour of its side: the side of the card drawn picks one of its units."""

    def deal(self, state: CallsCursor) -> dict[str, int]:
        sides = list(state.waiting.values())
        return {side: sides.count(side) for side in self.sides if side in sides}

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        side = drawn(table, state, rule)
        return self.pick(table, state, side, rule) if side in state.waiting.values() else ""


def drawn(table: Table, state: CallsCursor, rule: str) -> str:
    """Draw a card from the pile of this phase and return it."""
    card = table.draw(state.cards, why="card", rule=rule, means=CALLED)
    state.cards[card] -= 1
    if not state.cards[card]:
        del state.cards[card]
    return card
