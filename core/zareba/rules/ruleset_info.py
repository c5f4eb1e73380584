"""What the resolved rules of a session know of the ruleset whose rules they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from zareba.rules.schema import RulesetFile

__all__ = ["RulesetInfo"]


class RulesetInfo(Protocol):
    """A ruleset as its own rules see it; `zareba.plugins.ruleset.Ruleset` is the whole of it."""

    @property
    def id(self) -> str:
        """Its name for programs."""
        ...

    @property
    def folder(self) -> Path:
        """Where its YAML lies."""
        ...

    @property
    def file(self) -> type[RulesetFile]:
        """The model of `ruleset.yaml`."""
        ...

    @property
    def game(self) -> Callable[..., Any]:
        """Makes the game of a scenario: with the rules, the scenario and the sides that the rules run."""
        ...

    @property
    def procedures(self) -> Mapping[str, Any]:
        """The procedures whose odds can be asked."""
        ...

    @property
    def facts(self) -> Mapping[str, type]:
        """The kind of facts of each tally."""
        ...

    @property
    def solo(self) -> bool:
        """Whether the rules can run a side by themselves."""
        ...

    @property
    def force(self) -> Callable[..., Any] | None:
        """Makes the units of an organisation template, where the rules have any."""
        ...

    @property
    def wrappable(self) -> Mapping[str, Callable[..., Any]]:
        """The rule functions that a house rule may wrap."""
        ...

    def procedure(self, name: str) -> Any:
        """The procedure called so; raises ZarebaError with the nearest one."""
        ...
