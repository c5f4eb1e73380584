"""What a table asks of the rules that are played on it; the resolved rules of a session are one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from zareba.base.tally import Tally
from zareba.table.event import Event
from zareba.table.questions import Answer, Choose, Confirm, Option, Place, Roll

__all__ = ["Reaction", "RulesProtocol"]


class Reaction(Protocol):
    """How one house rule reacts to what is told."""

    @property
    def house_rule(self) -> str:
        """The name of the house rule."""
        ...

    def __call__(self, *, table: Any, event: Event) -> Any:
        """React."""
        ...


class RulesProtocol(Protocol):
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

    @property
    def runs_code(self) -> bool:
        """Whether functions of house rules are run during play, which may do what cannot be done again."""
        ...

    @property
    def roll_hooks(self) -> Sequence[Any]:
        """The house rules that throw dice in their own way; without any, `thrown` is not asked."""
        ...

    @property
    def place_hooks(self) -> Sequence[Any]:
        """The house rules that refuse points; without any, `narrowed` is not asked."""
        ...

    @property
    def confirm_hooks(self) -> Sequence[Any]:
        """The house rules that say yes or no in a player's place; without any, `confirmed` is not asked."""
        ...

    def tally(
        self, name: str, facts: Any, /, state: Any = None, unit: Any = None, target: Any = None, table: Any = None
    ) -> Tally:
        """The tally `name` for these facts, in the situation of this unit and that which it is about; `table` throws dice."""
        ...

    def filter_options(self, state: Any, question: Choose, /) -> Sequence[Option]:
        """The options of a choice after every house rule has had its say; its own ones know what is done (`ExtraOption`)."""
        ...

    def thrown(self, table: Any, roll: Roll, throw: Callable[[Roll], Answer], /) -> Answer:
        """What a roll comes to when house rules have had their say; `throw` throws dice as they are asked for."""
        ...

    def narrowed(self, state: Any, question: Place, /) -> Place:
        """The question for a point, with what house rules refuse."""
        ...

    def confirmed(self, state: Any, question: Confirm, /) -> bool | None:
        """The answer to a question that a house rule gives in a player's place, None where it leaves it to him."""
        ...
