"""Fixed phases: every turn runs through the same list of phases, each with its stages, in the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.base.state import Record, record
from zareba.game.activation.policy import Policy
from zareba.rules.schema import PhaseEntry
from zareba.table.step import Step

__all__ = ["FixedPhases", "PhaseCursor"]


@record
class PhaseCursor(Record):
    """The position in the sequence of play: turn from 1, phase id, stage index, end of the game and its reason."""

    turn: int
    phase: str
    stage: int
    over: bool
    ending: str


class FixedPhases(Policy):
    """The policy of rulesets with a fixed sequence of play; `phases` are in order."""

    def __init__(self, phases: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = phases
        self._order = list(phases)
        self._next_phase = dict(zip(self._order, [*self._order[1:], None], strict=True))
        self._names = {
            (phase_id, stage): f"{phase.step}.{name}"
            for phase_id, phase in phases.items()
            for stage, name in enumerate(phase.stages)
        }

    @property
    def first(self) -> str:
        """The phase that begins a turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return list(self._names.values())

    def stage(self, state: PhaseCursor) -> str:
        """Return the stage at the cursor, as `step.stage`."""
        return self._names[state.phase, state.stage]

    def next_step(self, state: PhaseCursor) -> Step | None:
        """Return the step at the cursor, or None when the game is over."""
        if state.over:
            return None
        return Step(self._names[state.phase, state.stage], state.turn, state.phase)

    def advance(self, state: PhaseCursor) -> None:
        """Move the cursor to the next stage, phase or turn."""
        if state.stage + 1 < len(self.phases[state.phase].stages):
            state.stage += 1
            return
        state.stage = 0
        following = self._next_phase[state.phase]
        if following is None:
            state.turn += 1
            following = self._order[0]
        state.phase = following
