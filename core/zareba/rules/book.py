"""The numbers of a ruleset, prepared for fast access in play."""

from __future__ import annotations

from typing import Generic, TypeVar

from zareba.rules.resolved import Rules
from zareba.rules.schema import RulesetFile
from zareba.rules.settings import Settings

__all__ = ["CompiledBook"]

F = TypeVar("F", bound=RulesetFile)


class CompiledBook(Generic[F]):
    """The numbers of a session as plain attributes and dicts, because play reads them millions of times; each ruleset has
    a subclass.
    """

    def __init__(self, rules: Rules, model: type[F]) -> None:
        assert isinstance(rules.book, model), "the registry validates ruleset.yaml with the model of the ruleset"
        self.rules = rules
        self.file: F = rules.book
        self.settings = Settings(rules.settings)
