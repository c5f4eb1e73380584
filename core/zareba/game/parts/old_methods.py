"""Methods of `Game` of the last release that a part of the game has now. They work until the next release.

A ruleset that still overrides one of them on its game class is loaded with a warning.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from inspect import getattr_static
from typing import Any

from zareba.renamed import GAME_MEMBERS, warn_renamed

_log = logging.getLogger("zareba")

PARTS: dict[str, dict[str, str]] = {}
"""The old members of `Game` by the part that has them now, each with its name there."""
for _old, _new in GAME_MEMBERS["Game"].items():
    PARTS.setdefault(_new.partition(".")[0], {})[_old] = _new.partition(".")[2]


class _OldMethod:
    """A member that a game had in the last release. It gives the member of the part that has it now."""

    def __init__(self, part: str, old: str, new: str) -> None:
        self.part, self.old, self.new = part, old, new

    def __get__(self, game: Any, kind: type) -> Any:
        if game is None:
            return self
        if getattr_static(kind, self.old) is self:
            warn_renamed(f"Game.{self.old}", f"Game.{self.part}.{self.new}")
            return getattr(getattr(game, self.part), self.new)
        # a game class that overrides the old member asks for the one that it overrides
        kind_of_part = getattr(kind, f"{self.part}_class")
        last = [cls for cls in kind_of_part.__mro__ if "adopted" in vars(cls)][-1]
        part = vars(game).setdefault(f"_adopted_{self.part}", kind_of_part(game))
        return getattr(super(last, part), self.new)


class _Adopted:
    """A member that a game class overrides though a part has it now. Callers get that of the part, with house rules."""

    def __init__(self, part: str, old: str, new: str, own: Any) -> None:
        self.part, self.old, self.new, self.own = part, old, new, own

    def __get__(self, game: Any, kind: type) -> Any:
        if game is None:
            return self.own
        if getattr_static(kind, self.old) is self:
            return getattr(getattr(game, self.part), self.new)
        return self.on(game)  # a derived game class asks for the member that it overrides

    def on(self, game: Any) -> Any:
        """Return the member as the game class defines it."""
        return self.own.__get__(game, type(game)) if hasattr(self.own, "__get__") else self.own


def keep_old_methods(game_class: type) -> None:
    """Add the members of the last release to `Game`. Type checkers do not see them, so new code cannot use them."""
    for part, names in PARTS.items():
        for old, new in names.items():
            setattr(game_class, old, _OldMethod(part, old, new))


def adopt_old_methods(game_class: Any) -> None:
    """Give the members that a game class still overrides to its parts, and log how to move them."""
    for part, names in PARTS.items():
        own = {old: new for old, new in names.items() if old in vars(game_class)}
        if not own:
            continue
        base = getattr(game_class, f"{part}_class")
        _log.warning(
            "%s will no longer be used in the next release; derive a class from %s, move the methods to it (%s), and "
            "set %s_class of the game to it",
            ", ".join(f"{game_class.__name__}.{old}" for old in own),
            base.__name__,
            ", ".join(own.values()),
            part,
        )
        adopted = {new: _Adopted(part, old, new, vars(game_class)[old]) for old, new in own.items()}
        members = {new: property(_of_game(method)) for new, method in adopted.items()}
        setattr(game_class, f"{part}_class", type(base.__name__, (base,), {"adopted": True, **members}))
        for method in adopted.values():
            setattr(game_class, method.old, method)


def _of_game(method: _Adopted) -> Callable[[Any], Any]:
    return lambda part: method.on(part.game)
