"""The interface that a table needs from the rules; the resolved rules of a session implement it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from zareba.base.tally import Tally
from zareba.table.questions import Answer, Choose, Confirm, Event, Option, Place, Roll


class Reaction(Protocol):
    """A house rule's handler of events."""

    @property
    def house_rule(self) -> str:
        """The name of the house rule."""
        ...

    def __call__(self, *, table: Any, event: Event) -> Any:
        """React to the event."""
        ...


class RulesProtocol(Protocol):
    """The rules of a session as a table sees them while a step runs."""

    @property
    def book(self) -> Any:
        """The values of the ruleset, as an instance of its file model."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the ruleset, by full name."""
        ...

    @property
    def ruleset(self) -> Any:
        """The ruleset that the rules belong to."""
        ...

    @property
    def house_rules(self) -> Sequence[str]:
        """The names of the house rules, in order."""
        ...

    @property
    def wraps(self) -> Mapping[str, Callable[..., Any]]:
        """The wrappers that house rules put around procedures, by the name of the procedure."""
        ...

    @property
    def option_hooks(self) -> Sequence[Any]:
        """The hooks that change options; if there are none, `filter_options` is not called."""
        ...

    @property
    def event_hooks(self) -> Sequence[Reaction]:
        """The hooks that react to events."""
        ...

    @property
    def runs_code(self) -> bool:
        """True if house rules run Python functions during play. Such functions might not give the same result twice."""
        ...

    @property
    def roll_hooks(self) -> Sequence[Any]:
        """The hooks that replace or change dice rolls; if there are none, `roll_with_hooks` is not called."""
        ...

    @property
    def place_hooks(self) -> Sequence[Any]:
        """The hooks that refuse points; if there are none, `place_with_hooks` is not called."""
        ...

    @property
    def confirm_hooks(self) -> Sequence[Any]:
        """The hooks that answer yes or no instead of a player; if there are none, `confirm_with_hooks` is not
        called.
        """
        ...

    def tally(
        self, name: str, facts: Any, /, state: Any = None, unit: Any = None, target: Any = None, table: Any = None
    ) -> Tally:
        """Return the modifier breakdown `name` for these facts, unit and target; `table` rolls any dice that a modifier
        needs.
        """
        ...

    def filter_options(self, state: Any, question: Choose, /) -> Sequence[Option]:
        """Return the options of a choice after all house rules have changed them; those they added are `ExtraOption`
        values.
        """
        ...

    def roll_with_hooks(self, table: Any, roll: Roll, throw: Callable[[Roll], Answer], /) -> Answer:
        """Return the result of a roll after house rules have changed it; `throw` rolls the dice of a given `Roll`."""
        ...

    def place_with_hooks(self, state: Any, question: Place, /) -> Place:
        """Return the question for a point with the refusals of house rules added."""
        ...

    def confirm_with_hooks(self, state: Any, question: Confirm, /) -> bool | None:
        """Return the yes or no that a house rule gives instead of a player, or None to ask the player."""
        ...
