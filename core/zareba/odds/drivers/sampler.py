"""The table on which what is too wide to be counted is played, with keyed dice."""

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

NO_ODDS = "no odds can be told with it"


def endless_loop_error(law: RulesProtocol) -> RuleBroken:
    """What is wrong when a play comes to no end, as no rules do that stand in a book."""
    by = f"; look at the house rules in force ({', '.join(law.house_rules)})" if law.house_rules else ""
    return RuleBroken(f"what the choice begins comes to no end, and nothing can be told of what comes of it{by}")


class Sampler(PresetAnswers):
    """Throws keyed dice for what is not known; `thrown` are those of the play so far."""

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
        """Begin a play, with dice of its own. Raises OtherwiseAsked, later, where what is known does not fit."""
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
    """One play with the same dice, before odds are looked for and after: under house rules in Python it must come to the same.

    Chance that changes no question is found out by that alone. Both raise RuleBroken where it does not.
    """

    def __init__(self, rules: Rules, play: Callable[[], tuple[Sampler, object]]) -> None:
        self._rules, self._play = rules, play
        self._first = _come_to(*play()) if has_python_rules(rules) else None
        self.check()

    def check(self) -> None:
        """Play it again."""
        if self._first is not None and self._first != _come_to(*self._play()):
            raise nondeterminism_error(self._rules, NO_ODDS)


def _come_to(table: Sampler, outcome: object) -> tuple[Any, ...]:
    """All that a play can show of itself."""
    told = [(event.kind, event.rule, dict(event.data)) for event in table.events]
    return outcome, key(table.state), told, list(table.thrown), [tally.total for tally in table.tallies]
