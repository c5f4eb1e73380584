"""Command points: the sides take turns, and in its turn a side runs through stages, unit after unit in each.

Which units wait in a stage is for the rules to say: the dice of command decide what a side may do, not its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from zareba.game.activation.policy import Policy
from zareba.rules.schema import PhaseEntry
from zareba.table import Step, Table

__all__ = ["CommandPoints", "CommandPointsCursor"]


class CommandPointsCursor(Protocol):
    """Where a state stands: game turn from 1, the sides in the order of this turn, whose it is, stage, who waits."""

    turn: int
    order: list[str]
    active: int
    phase: str
    waiting: list[str]
    over: bool


class CommandPoints(Policy):
    """The policy of a ruleset whose sides act one after the other; `stages` of a player turn in their order."""

    def __init__(self, stages: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = stages
        self._order = list(stages)
        self._next = dict(zip(self._order, [*self._order[1:], None], strict=True))

    @property
    def first(self) -> str:
        """The stage that begins a player turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return [stage.step for stage in self.phases.values()]

    def next_step(self, state: CommandPointsCursor) -> Step | None:
        """The step at the cursor, for the unit that waits first or for the side; None when the game is over."""
        if state.over:
            return None
        side = state.order[state.active]
        about = f"{side}/{state.waiting[0]}" if state.waiting else side
        return Step(self.phases[state.phase].step, state.turn, about)

    def called(self, table: Table, state: CommandPointsCursor, waiting: list[str]) -> list[str]:
        """Those who act in the stage that begins, of all who wait for it: all of them, in their order."""
        return waiting

    def advance(self, state: CommandPointsCursor) -> None:
        """Move the cursor to the next stage, side or turn."""
        following = self._next[state.phase]
        state.waiting = []
        if following is not None:
            state.phase = following
            return
        state.phase = self._order[0]
        state.active += 1
        if state.active == len(state.order):
            state.active = 0
            state.turn += 1
