"""Delivery of events to house rules, including events that house rules emit themselves.

Each event goes to all house rules in the order of the session. A house rule may emit new events while it reacts. These
wait in a queue until every house rule has reacted to the current event. A house rule does not receive its own events.
If house rules keep reacting to each other without end, play stops with an error that names them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from zareba.base.errors import RuleBroken, ZarebaError
from zareba.table.event import Event
from zareba.table.rules_protocol import Reaction

__all__ = ["Reactions"]

MOST_ECHOES = 20
"""The longest chain of reactions to reactions."""


class _Told(dict[str, Any]):
    """The data of an event; reading a missing field raises an error that lists the fields there are."""

    def __init__(self, event: Event) -> None:
        super().__init__(event.data)
        self._kind = event.kind

    def __missing__(self, name: str) -> Any:
        raise MissingEventField(
            f"the event '{self._kind}' has no field '{name}'; it has {', '.join(self) or 'no fields'}"
        )


class MissingEventField(ZarebaError, KeyError):
    """A house rule reads a field that the event does not have."""

    __str__ = ZarebaError.__str__


class Reactions:
    """The reactions to one event and to the events emitted in response. The event data is read-only."""

    def __init__(self, event: Event) -> None:
        self._waiting: deque[tuple[Event, tuple[str, ...]]] = deque([(event, ())])
        self._by: tuple[str, ...] = ()

    def hear(self, event: Event) -> None:
        """Queue an event that the house rule now reacting has emitted."""
        self._waiting.append((event, self._by))

    def run(self, table: Any, hooks: Sequence[Reaction]) -> None:
        """Run the reactions until the queue is empty; raise RuleBroken if a chain of reactions becomes too long."""
        while self._waiting:
            event, told_by = self._waiting.popleft()
            if len(told_by) > MOST_ECHOES:
                names = " and ".join(f"'{name}'" for name in sorted(set(told_by)))
                raise RuleBroken(
                    f"the house rules {names} react to each other without end, last with '{event.kind}'; "
                    "leave one out, or let it react to fewer kinds of events"
                )
            event = event._replace(data=MappingProxyType(_Told(event)))
            for hook in hooks:
                if not told_by or hook.house_rule != told_by[-1]:
                    self._by = (*told_by, hook.house_rule)
                    hook(table=table, event=event)
