"""Alternate units: the sides take turns to activate one unit each, until every unit has been activated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from zareba.base.state import Record, record
from zareba.game.activation.policy import Policy
from zareba.rules.schema import PhaseEntry
from zareba.table.step import Step

__all__ = ["AlternateUnits", "AlternateUnitsCursor"]


@record
class AlternateUnitsCursor(Record, ABC):
    """The position in the sequence of play: turn from 1, phase id, active unit ("" for none), steps done this turn.

    `order` are the sides in their order of activation, `at` the index in it of the side whose turn it is.
    """

    turn: int
    phase: str
    over: bool
    ending: str
    active: str
    acts: int
    order: list[str]
    at: int

    @abstractmethod
    def is_waiting(self, side: str) -> bool:
        """Return True if the side has a unit that is still to be activated."""


class AlternateUnits(Policy):
    """The policy of rulesets in which the sides activate units alternately.

    A phase with two stages is for activations: the first stage picks a unit, the second is an act of the active unit
    and repeats until its activation ends. A phase with one stage repeats until it is advanced.
    """

    def __init__(self, phases: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = phases
        self._order = list(phases)
        self._next_phase = dict(zip(self._order, [*self._order[1:], None], strict=True))

    @property
    def first(self) -> str:
        """The phase that begins a turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return [f"{phase.step}.{stage}" for phase in self.phases.values() for stage in phase.stages]

    def next_step(self, state: AlternateUnitsCursor) -> Step | None:
        """Return the next step of play, or None when the game is over. No two steps of a turn have the same key."""
        if state.over:
            return None
        phase = self.phases[state.phase]
        stage = phase.stages[-1] if state.active else phase.stages[0]
        return Step(f"{phase.step}.{stage}", state.turn, str(state.acts))

    def side(self, state: AlternateUnitsCursor) -> str | None:
        """Return the side that activates now: the one whose turn it is, or the next with a unit waiting, or None."""
        sides = len(state.order)
        for onward in range(sides):
            side = state.order[(state.at + onward) % sides]
            if state.is_waiting(side):
                return side
        return None

    def pass_on(self, state: AlternateUnitsCursor, side: str) -> None:
        """Give the turn to the side after `side`."""
        state.at = (state.order.index(side) + 1) % len(state.order)

    def advance(self, state: AlternateUnitsCursor) -> None:
        """Move to the next phase, or to the first phase of the next turn. The first side in order begins."""
        following = self._next_phase[state.phase]
        state.at = 0
        if following is None:
            state.turn += 1
            state.acts = 0
            following = self._order[0]
        state.phase = following
