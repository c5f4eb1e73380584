"""What a table asks of the rules that are played on it; the resolved rules of a session are one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from zareba.table.event import Event
from zareba.table.questions import Choose, Option
from zareba.tally import Tally

__all__ = ["Law", "Reaction"]


class Reaction(Protocol):
    """How one house rule reacts to what is told."""

    @property
    def house_rule(self) -> str:
        """The name of the house rule."""
        ...

    def __call__(self, *, table: Any, event: Event) -> Any:
        """React."""
        ...


class Law(Protocol):
    """What hangs on the rules of a session while a step is run."""

    @property
    def book(self) -> Any:
        """The numbers of the ruleset, as its file model has them."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its settings, by their full names."""
        ...

    @property
    def ruleset(self) -> Any:
        """The ruleset whose rules they are."""
        ...

    @property
    def house_rules(self) -> Sequence[str]:
        """The names of the house rules, in their order."""
        ...

    @property
    def wraps(self) -> Mapping[str, Callable[..., Any]]:
        """What house rules put round procedures, by the name of the procedure."""
        ...

    @property
    def option_hooks(self) -> Sequence[Any]:
        """The house rules that change options; without any, `filter_options` is not asked."""
        ...

    @property
    def event_hooks(self) -> Sequence[Reaction]:
        """The house rules that react to events."""
        ...

    def tally(self, name: str, facts: Any, /) -> Tally:
        """The tally `name` for these facts."""
        ...

    def filter_options(self, state: Any, question: Choose, /) -> Sequence[Option]:
        """The options of a choice after every house rule has had its say."""
        ...
