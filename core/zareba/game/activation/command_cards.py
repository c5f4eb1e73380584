"""Command cards: after set-up, the sides take turns, each with one card and the same list of stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.base.state import Record, record
from zareba.game.activation.policy import Policy
from zareba.rules.schema import PhaseEntry
from zareba.table.step import Step

__all__ = ["CommandCards", "CommandCardsCursor"]


@record
class CommandCardsCursor(Record):
    """The position in the sequence of play: player turn (0 during set-up), side to act, stage, steps this turn."""

    turn: int
    active: str
    stage: str
    tick: int
    over: bool
    ending: str


class CommandCards(Policy):
    """The policy of rulesets in which a player turn is one card.

    The stages of `setup` in `sequence` are played once. The two sides then play the stages of `turn` alternately.

    A stage may take several steps. The step key contains the number of the step within the turn, so no two steps have
    the same key.
    """

    def __init__(self, sequence: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        setup, turn = sequence["setup"].stages, sequence["turn"].stages
        self.first = setup[0]
        self._after = dict(zip(setup, [*setup[1:], turn[0]], strict=True))
        self._after |= dict(zip(turn, [*turn[1:], turn[0]], strict=True))
        self._opening = turn[0]
        self._other = {sides[0]: sides[1], sides[1]: sides[0]}

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return list(self._after)

    def phase(self, state: CommandCardsCursor) -> str:
        """Return the stage at the cursor."""
        return state.stage

    def next_step(self, state: CommandCardsCursor) -> Step | None:
        """Return the step at the cursor, or None when the game is over."""
        if state.over:
            return None
        return Step(state.stage, state.turn, f"{state.active}.{state.tick}")

    def game_turn(self, state: CommandCardsCursor) -> int:
        """Return the game turn of a state. Each side has one player turn in it."""
        return -(-state.turn // len(self._other))

    def again(self, state: CommandCardsCursor) -> None:
        """Stay in the stage for one more step."""
        state.tick += 1

    def advance(self, state: CommandCardsCursor) -> None:
        """Move the cursor to the next stage, and from the last one to the first stage of the other side's turn."""
        state.tick += 1
        following = self._after[state.stage]
        if following == self._opening:
            if state.turn:
                state.active = self._other[state.active]
            state.turn += 1
            state.tick = 0
        state.stage = following
