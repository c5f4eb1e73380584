"""Command points: the sides take turns, and in its turn a side runs through the stages, unit by unit in each.

The rules decide which units wait in a stage. The command dice limit the acts of a side, not the order of play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from zareba.game.activation.policy import Policy
from zareba.rules.schema import PhaseEntry
from zareba.table import Step, Table

__all__ = ["CommandPoints", "CommandPointsCursor"]


class CommandPointsCursor(Protocol):
    """The position in the sequence of play: turn from 1, order of sides, active side's index, stage, waiting units."""

    turn: int
    order: list[str]
    active: int
    phase: str
    waiting: list[str]
    over: bool


class CommandPoints(Policy):
    """The policy of rulesets in which each side has its own turn; `stages` are those of a player turn, in order."""

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
        """Return the step at the cursor, of the first waiting unit or else of the side; None when the game is over."""
        if state.over:
            return None
        side = state.order[state.active]
        about = f"{side}/{state.waiting[0]}" if state.waiting else side
        return Step(self.phases[state.phase].step, state.turn, about)

    def called(self, table: Table, state: CommandPointsCursor, waiting: list[str]) -> list[str]:
        """Return the waiting units that act in the stage that begins: all of them, in their order."""
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
