"""Card per unit: every turn all cards are drawn one by one, and a unit acts when its card comes up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.base.state import Record, record
from zareba.game.activation.policy import Policy
from zareba.rules.schema import PhaseEntry
from zareba.table.step import Step

__all__ = ["CardPerUnit", "CardPerUnitCursor"]


@record
class CardPerUnitCursor(Record):
    """The position in the sequence of play: turn from 1, stage, unit whose card is up ("" if none), cards drawn."""

    turn: int
    stage: str
    acting: str
    drawn: int
    over: bool
    ending: str


class CardPerUnit(Policy):
    """The policy of rulesets with one playing card for each unit.

    `sequence` lists the stages in order: those before the cards, the one named `card` that draws a card, those of a
    unit's activation, and the last one, which ends the turn. The first stage is played only once, in the first turn.
    """

    def __init__(self, sequence: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = sequence
        self._order = list(sequence)
        self._names = {name: f"{stage.step}.{stage.stages[0]}" for name, stage in sequence.items()}
        card = self._order.index("card")
        self._opening = self._order[1]
        self._acts = self._order[card + 1 : -1]

    @property
    def first(self) -> str:
        """The stage in which the game begins."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return list(self._names.values())

    def phase(self, state: CardPerUnitCursor) -> str:
        """Return the stage at the cursor."""
        return state.stage

    def next_step(self, state: CardPerUnitCursor) -> Step | None:
        """Return the step at the cursor, or None when the game is over."""
        if state.over:
            return None
        about = state.acting or f"{state.stage} {state.drawn}"
        return Step(self._names[state.stage], state.turn, about)

    def advance(self, state: CardPerUnitCursor, cards_left: bool) -> None:
        """Move the cursor on from a finished stage. Set `acting` first if the card drawn activates a unit."""
        stage = state.stage
        if stage == self._order[-1]:
            state.turn += 1
            state.drawn = 0
            state.stage = self._opening
        elif stage == "card":
            state.stage = self._acts[0] if state.acting else "card" if cards_left else self._order[-1]
        elif stage == self._acts[-1]:
            self.end_activation(state, cards_left)
        else:
            state.stage = self._order[self._order.index(stage) + 1]

    def end_activation(self, state: CardPerUnitCursor, cards_left: bool) -> None:
        """Skip the rest of the activation: move to the next card, or to the end of the turn."""
        state.acting = ""
        state.stage = "card" if cards_left else self._order[-1]
