"""The numbers of a ruleset, prepared for fast access in play."""

from __future__ import annotations

from functools import cached_property
from typing import Generic, TypeVar

from zareba.base.tally import fact_or_number
from zareba.rules.resolved import Rules
from zareba.rules.schema import RulesetFile
from zareba.rules.settings import Settings

F = TypeVar("F", bound=RulesetFile)


class CompiledBook(Generic[F]):
    """The numbers of a session as plain attributes and dicts, because play reads them millions of times; each ruleset
    has a subclass.
    """

    def __init__(self, rules: Rules, model: type[F]) -> None:
        assert isinstance(rules.book, model), "the registry validates ruleset.yaml with the model of the ruleset"
        self.rules = rules
        self.file: F = rules.book
        self.settings = Settings(rules.settings)

    def modifier(self, tally: str, line: str, removed: float = 0.0) -> float:
        """Return the number that a line of a tally adds or multiplies by, or `removed` if a house rule removed the
        line.

        Evaluations use it for estimates and reasons. Play asks for the whole tally.
        """
        return self._modifiers.get((tally, line), removed)

    @cached_property
    def _modifiers(self) -> dict[tuple[str, str], float]:
        """The amounts that are numbers and not facts, by tally and line."""
        return {
            (name, line): float(number)
            for name, tally in self.file.tallies.items()
            for line, modifier in tally.modifiers.items()
            for amount in modifier.operations.values()
            if not callable(number := fact_or_number(amount))
        }
