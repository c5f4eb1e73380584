"""A table that answers from a strict list, for tests of rulebook examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.table.questions import Answer, Question, Roll, read_faces, refusal
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.table import Table

__all__ = ["ScriptedTable"]


class ScriptedTable(Table):
    """Answers each question from the script: pairs (why, answer), in order, each used exactly once.

    The answer to a roll is either the list of faces that the dice show or the result itself. An unexpected question,
    an illegal answer or an unused answer fails the test with a sentence.
    """

    __slots__ = ("_script", "_used")

    def __init__(self, rules: RulesProtocol, state: Any, script: Sequence[tuple[str, Answer]]) -> None:
        super().__init__(rules, state)
        self._script = list(script)
        self._used = 0

    def answer(self, question: Question) -> Answer:
        if self._used == len(self._script):
            raise AssertionError(f"the script has no answer for '{question.why}' ({question.rule}, {question.actor})")
        why, given = self._script[self._used]
        self._used += 1
        if why != question.why:
            raise AssertionError(f"the script expects '{why}', the rules ask '{question.why}' ({question.rule})")
        return _admitted(question, given)

    def finish(self) -> None:
        """Fail if an answer of the script was not used."""
        left = self._script[self._used :]
        if left:
            raise AssertionError(f"the rules never asked for {left}")

    def __enter__(self) -> ScriptedTable:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.finish()


def _admitted(question: Question, given: Answer) -> Answer:
    if isinstance(question, Roll) and isinstance(given, list):
        try:
            return read_faces(question, given)
        except ValueError as error:
            raise AssertionError(f"{given} for '{question.why}': {error}") from error
    refused = refusal(question, given)
    if refused:
        raise AssertionError(refused)
    return given
