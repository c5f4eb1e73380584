"""The part of a ruleset that its resolved rules use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from zareba.rules.schema import RulesetFile


class RulesetInfo(Protocol):
    """A ruleset as its rules see it; `zareba.plugins.ruleset.Ruleset` is the complete class."""

    @property
    def id(self) -> str:
        """The id of the ruleset."""
        ...

    @property
    def folder(self) -> Path:
        """The folder with its YAML files."""
        ...

    @property
    def lineage(self) -> tuple[str, ...]:
        """The ids of the ruleset and of those it extends, nearest first."""
        ...

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of the ruleset and of those it extends, nearest first."""
        ...

    @property
    def file(self) -> type[RulesetFile]:
        """The model of `ruleset.yaml`."""
        ...

    @property
    def game(self) -> Callable[..., Any]:
        """Makes the game of a scenario from the rules, the scenario and the sides that the rules run."""
        ...

    @property
    def procedures(self) -> Mapping[str, Any]:
        """The procedures whose odds can be computed."""
        ...

    @property
    def facts(self) -> Mapping[str, type]:
        """The class of facts of each tally."""
        ...

    @property
    def companion(self) -> Callable[..., Any] | None:
        """Makes the companion of a game for a real table; None if the ruleset has none."""
        ...

    @property
    def solo(self) -> bool:
        """True if the rules can run a side that has no player."""
        ...

    @property
    def instead_of_solo(self) -> str:
        """The alternative to rules that run a side, which the refusal of such a side names."""
        ...

    @property
    def force(self) -> Callable[..., Any] | None:
        """Makes the units of an organisation template; None if the rules have no templates."""
        ...

    @property
    def wrappable(self) -> Mapping[str, Callable[..., Any]]:
        """The rule functions that a house rule may wrap."""
        ...

    def procedure(self, name: str) -> Any:
        """Return the procedure with this name; raise ZarebaError with the most similar name if there is none."""
        ...
