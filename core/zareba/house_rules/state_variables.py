"""State variables of house rules: values stored for the game, a side or a unit, such as rounds left, weather or wounds.

They are part of the battle's state, so they are copied, hashed, undone and saved with it. A variable has its start
value until a rule sets it, and takes no space until then.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, get_args

from zareba.base.state import Value

Holder: TypeAlias = Literal["game", "side", "unit"]


class StateVariable:
    """A value stored in the game: `rounds = StateVariable("rounds", 6, words="rounds left")`. The hook `zareba_state`
    registers it.

    `of` says what has its own value: each `unit`, each `side`, or the `game`. `start` is the first value, or a
    function of the house rule's own settings that returns it. A value is a number, a text, True or False, None, or a
    tuple of these. `words` is the label that players see with the unit and in the odds; without it the variable is not
    shown. If `secret` is set, only its own side sees the value, and other sides see the start value. `rule` is the
    house rule that it belongs to.

        rounds[table, unit]             the value; the first index may be the table or the state
        rounds[table, unit] = 3         set the value
        rounds.add(table, unit, -1, least=0)     change it within bounds
        weather[table] = "dust"         a variable of the game
    """

    __slots__ = ("_start", "name", "of", "rule", "secret", "start", "words")

    def __init__(
        self,
        name: str,
        start: Value | Callable[[Mapping[str, Any]], Value],
        *,
        of: Holder = "unit",
        words: str = "",
        secret: bool = False,
    ) -> None:
        if not name.isidentifier():
            raise ValueError(f"'{name}' is not a name for a state variable; use letters, digits and '_'")
        if of not in get_args(Holder):
            raise ValueError(f"'{name}' is a variable of '{of}', which is none of {', '.join(get_args(Holder))}")
        if not callable(start) and not is_storable(start):
            raise TypeError(f"'{name}' cannot start from {start!r}; {VALUES}")
        self.name = name
        self._start = start
        self.start: Any = None if callable(start) else start
        self.of = of
        self.words = words
        self.secret = secret
        self.rule = ""

    def belongs(self, rule: str, settings: Mapping[str, Any]) -> None:
        """Assign the variable to a house rule and compute its start value from that rule's settings."""
        self.rule = rule
        if callable(self._start):
            start = self._start(settings) if inspect.signature(self._start).parameters else self._start()  # type: ignore[call-arg]  # checked by its signature
            if not is_storable(start):
                raise TypeError(f"'{self.name}' cannot start from {start!r}; {VALUES}")
            self.start = start

    @property
    def full_name(self) -> str:
        """The name with that of its house rule, as written in conditions: `ammunition.rounds`."""
        if not self.rule:
            raise ValueError(f"'{self.name}' belongs to no house rule; register it with the hook zareba_state")
        return f"{self.rule}.{self.name}"

    def key(self, holder: Any = None) -> str:
        """Return the key of the value in the state; `holder` is the unit or side, or its id."""
        if self.of == "game":
            return self.full_name
        return f"{self.full_name}/{holder_id(holder, self.of)}"

    def __getitem__(self, where: Any) -> Any:
        state, holder = self._state_and_holder(where)
        return state.own.get(self.key(holder), self.start)

    def __setitem__(self, where: Any, value: Value) -> None:
        if not is_storable(value):
            raise TypeError(f"'{self.name}' cannot be {value!r}; {VALUES}")
        state, holder = self._state_and_holder(where)
        key = self.key(holder)
        if value == self.start and type(value) is type(self.start):
            state.own.pop(key, None)
        else:
            state.own[key] = value

    def add(self, table: Any, holder: Any, amount: Any, *, least: Any = None, most: Any = None) -> Any:
        """Add `amount` and return the new value; pass None for `holder` if the variable belongs to the game.

        The value does not go below `least` or above `most`.
        """
        where = table if self.of == "game" else (table, holder)
        now = self[where] + amount
        now = now if least is None else max(now, least)
        now = now if most is None else min(now, most)
        self[where] = now
        return now

    def _state_and_holder(self, where: Any) -> tuple[Any, Any]:
        table, holder = where if isinstance(where, tuple) else (where, None)
        if (holder is None) != (self.of == "game"):
            wanted = "[table]" if self.of == "game" else f"[table, {self.of}]"
            raise TypeError(f"'{self.name}' is a variable of the {self.of}; write {self.name}{wanted}")
        state = getattr(table, "state", table)
        if not hasattr(state, "own"):
            raise TypeError(
                f"'{self.name}': {type(state).__name__} is not a battle state that house rules can write to"
            )
        return state, holder

    def describe(self, value: Any) -> str:
        """Return the value as text, or "" if there is nothing to say: `rounds left 3`, `tired`, `weather dust`."""
        if not self.words or value is None or value is False or value == "":
            return ""
        return self.words if value is True else f"{self.words} {value}"


VALUES = "a value must be a number, a text, True, False, None, or a tuple of these"


def is_storable(value: Any) -> bool:
    """Return True if a value can be stored: it is immutable and survives a round trip through JSON."""
    if isinstance(value, tuple):
        return all(map(is_storable, value))
    return value is None or type(value) in (str, int, bool) or (type(value) is float and value - value == 0)


def holder_id(holder: Any, of: Holder) -> str:
    """Return the id of a unit or side, or the side of a unit."""
    if isinstance(holder, str):
        return holder
    spec = getattr(holder, "spec", holder)
    name = getattr(spec, "side" if of == "side" else "id", None)
    if not isinstance(name, str):
        raise TypeError(f"{holder!r} is not a {of}")
    return name
