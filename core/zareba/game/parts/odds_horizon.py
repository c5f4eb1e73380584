"""The odds horizon of a game: how far the odds of a choice look ahead, and what happens on the way."""

from __future__ import annotations

from zareba.game.parts.part import Part, S
from zareba.table.questions import Answer, Choose, Confirm, Draw, Place, Roll, Step, iterate_lazily

HOLDING = frozenset(
    {"done", "end", "halt", "hold", "hold fire", "no more", "nobody", "none", "nothing", "pass", "stay", "stop"}
)
"""The option words that mean "do nothing more". All rulesets use the same ones."""
DECLINING = HOLDING | {"answer none", "does not fight", "no melee", "no more orders", "nobody else"}
"""The option words that decline a question: those of `HOLDING`, and words that may harm the player who declines."""


class OddsHorizon(Part[S]):
    """The range of the odds of a choice: the later steps that they include. By default they end with the step of the
    choice.
    """

    def includes(self, before: S, state: S, step: Step) -> bool:
        """Return True if `step`, the next in `state`, still belongs to the act begun in `before`; False by default."""
        return False

    def neutral_answer(self, before: S, state: S, question: Roll | Draw) -> Answer | None:
        """Return a result that changes nothing, for dice or cards due anyway that do not affect the act from `before`.

        Return None for dice and cards that do affect it; by default for all.
        """
        return None

    def assumes_pass(self, question: Choose | Place | Confirm) -> bool:
        """Return True if odds should assume that all players do nothing at this question, until the act is resolved."""
        return False

    def hold(self, question: Choose | Place | Confirm) -> Answer:
        """Return the answer of a player who does nothing more.

        It is the first option in `HOLDING`, else the first option; no; or the first place.
        """
        if isinstance(question, Confirm):
            return False
        if isinstance(question, Place):
            return question.suggestions[0]
        options = question.options
        return next((option for option in iterate_lazily(options) if option in HOLDING), None) or options[0]
