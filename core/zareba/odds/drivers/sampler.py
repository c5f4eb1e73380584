"""The sampling table: it plays procedures or choices with keyed dice if they have too many outcomes to enumerate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from zareba.base.errors import RuleBroken
from zareba.base.memento import key
from zareba.chance.keyed import KeyedDice
from zareba.odds.drivers.preset_answers import Choice, PresetAnswers, Settled
from zareba.table import Answer, Draw, GivenAnswer, Roll, has_python_rules, nondeterminism_error
from zareba.table.drivers.seeded import ChanceKeys
from zareba.table.step import Step

if TYPE_CHECKING:
    from zareba.rules import Rules
    from zareba.table.rules_protocol import RulesProtocol

__all__ = ["NO_ODDS", "DeterminismCheck", "Sampler", "endless_loop_error"]

NO_ODDS = "its odds cannot be computed"


def endless_loop_error(law: RulesProtocol) -> RuleBroken:
    """Return the error for a play that never ends; no published rules do this."""
    by = f"; check the house rules in force ({', '.join(law.house_rules)})" if law.house_rules else ""
    return RuleBroken(f"the choice starts something that never ends, so it has no odds{by}")


class Sampler(PresetAnswers):
    """A table that rolls keyed dice for unknown results; `thrown` are the rolls and draws of the play so far."""

    __slots__ = ("_dice", "_keys", "thrown")

    def __init__(
        self,
        rules: Rules,
        seed: int,
        choose: Choice,
        settled: Settled | None = None,
    ) -> None:
        super().__init__(rules, None, choose, settled)
        self._dice = KeyedDice(seed)
        self._keys = ChanceKeys(Step("", 0, ""))
        self.thrown: list[Roll | Draw] = []

    def begin(self, state: Any, play: int, known: Sequence[GivenAnswer] = ()) -> None:
        """Begin a play with new dice. Questions that differ from the `known` ones raise QuestionChanged later."""
        self.state = state
        self._keys = ChanceKeys(Step("sample", play, ""))
        self._known = tuple(known)[::-1]
        self._asked = 0
        self.events.clear()
        self.tallies.clear()
        self.thrown.clear()

    def _by_chance(self, question: Roll | Draw) -> Answer:
        self.thrown.append(question)
        return self._keys.answer(self._dice, question)[0]


class DeterminismCheck:
    """A check that Python house rules give the same play before and after odds are worked out, with the same dice.

    It finds random numbers that change no question. The constructor and `check` raise RuleBroken if the results
    differ.
    """

    def __init__(self, rules: Rules, play: Callable[[], tuple[Sampler, object]]) -> None:
        self._rules, self._play = rules, play
        self._first = _come_to(*play()) if has_python_rules(rules) else None
        self.check()

    def check(self) -> None:
        """Play again and compare."""
        if self._first is not None and self._first != _come_to(*self._play()):
            raise nondeterminism_error(self._rules, NO_ODDS)


def _come_to(table: Sampler, outcome: object) -> tuple[Any, ...]:
    """Return everything observable about a play."""
    told = [(event.kind, event.rule, dict(event.data)) for event in table.events]
    return outcome, key(table.state), told, list(table.thrown), [tally.total for tally in table.tallies]
