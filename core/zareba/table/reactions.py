"""How house rules hear what happens, and each other.

Every house rule hears an event in the order of the session. What one tells in its reaction the others hear when all have
reacted to the event before, in the order in which things were told; it does not hear its own words again. Two that answer
each other for ever are stopped, and named.
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
"""How long a chain of reactions to reactions may be."""


class _Told(dict[str, Any]):
    """What an event tells; asked for what it does not, it says what it does."""

    def __init__(self, event: Event) -> None:
        super().__init__(event.data)
        self._kind = event.kind

    def __missing__(self, name: str) -> Any:
        raise MissingEventField(f"'{self._kind}' tells no '{name}'; it tells {', '.join(self) or 'nothing'}")


class MissingEventField(ZarebaError, KeyError):
    """An event does not tell what it was asked for."""

    __str__ = ZarebaError.__str__


class Reactions:
    """The reactions to one event, and to all that is told in them. What happened cannot be changed any more."""

    def __init__(self, event: Event) -> None:
        self._waiting: deque[tuple[Event, tuple[str, ...]]] = deque([(event, ())])
        self._by: tuple[str, ...] = ()

    def hear(self, event: Event) -> None:
        """Something that the house rule tells whose turn it is to react."""
        self._waiting.append((event, self._by))

    def run(self, table: Any, hooks: Sequence[Reaction]) -> None:
        """Let everybody react until nothing more is told; raises RuleBroken when that has no end."""
        while self._waiting:
            event, told_by = self._waiting.popleft()
            if len(told_by) > MOST_ECHOES:
                names = " and ".join(f"'{name}'" for name in sorted(set(told_by)))
                raise RuleBroken(
                    f"the house rules {names} answer each other without end, last with '{event.kind}'; "
                    "leave one out, or let it react to fewer kinds of events"
                )
            event = event._replace(data=MappingProxyType(_Told(event)))
            for hook in hooks:
                if not told_by or hook.house_rule != told_by[-1]:
                    self._by = (*told_by, hook.house_rule)
                    hook(table=table, event=event)
