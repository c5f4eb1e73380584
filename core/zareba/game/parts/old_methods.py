"""Methods of `Game` of the last release that a part of the game has now. They work until the next release.

A ruleset that still overrides one of them on its game class is loaded with a warning.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from zareba.renamed import warn_renamed

__all__ = ["PARTS", "adopt_old_methods", "keep_old_methods"]

_log = logging.getLogger("zareba")

PARTS: Mapping[str, Mapping[str, str]] = {
    "advisor": {name: name for name in ("evaluate", "best_places", "best_options", "odds_for", "has_odds", "prospect")},
    "display": {
        name: name
        for name in (
            "awaited",
            "board",
            "cell_of",
            "changes",
            "changes_since",
            "condition",
            "cost_of",
            "drawn",
            "headline",
            "phases",
            "pieces",
            "places",
            "roster",
        )
    },
    "narrator": {
        name: name
        for name in (
            "counted_as",
            "describe",
            "describe_card",
            "describe_change",
            "describe_event",
            "describe_option",
            "fired",
            "knows_question",
            "length",
            "name_of",
            "words",
        )
    },
    "sight": {
        name: name
        for name in (
            "conceal",
            "determinize",
            "hidden_pieces",
            "may_hide",
            "pieces_in",
            "printed_view",
            "public",
            "put_away",
            "secrets",
            "view",
        )
    },
    "odds_horizon": {"consequences": "includes", "settled": "settled", "waits": "waits", "hold": "hold"},
}
"""The old members of `Game` by the part that has them now, each with its name there."""


class _OldMethod:
    """A member that a game had in the last release. It gives the member of the part that has it now."""

    def __init__(self, part: str, old: str, new: str) -> None:
        self.part, self.old, self.new = part, old, new

    def __get__(self, game: Any, kind: type) -> Any:
        if game is None:
            return self
        if getattr(kind, self.old) is self:
            warn_renamed(f"Game.{self.old}", f"Game.{self.part}.{self.new}")
            return getattr(getattr(game, self.part), self.new)
        # a game class that overrides the old method asks for the one that it overrides
        kind_of_part = getattr(kind, f"{self.part}_class")
        last = [one for one in kind_of_part.__mro__ if "adopted" in vars(one)][-1]
        part = vars(game).setdefault(f"_adopted_{self.part}", kind_of_part(game))
        return getattr(super(last, part), self.new)


def keep_old_methods(game_class: type) -> None:
    """Add the members of the last release to `Game`. Type checkers do not see them, so new code cannot use them."""
    for part, names in PARTS.items():
        for old, new in names.items():
            setattr(game_class, old, _OldMethod(part, old, new))


def _on_game(name: str) -> Callable[[Any], Any]:
    return lambda part: getattr(part.game, name)


def adopt_old_methods(game_class: Any) -> None:
    """Let the parts of a game call the methods that its class still overrides, and log how to move them."""
    for part, names in PARTS.items():
        own = {new: old for old, new in names.items() if old in vars(game_class)}
        if not own:
            continue
        base = getattr(game_class, f"{part}_class")
        shown = ", ".join(f"{game_class.__name__}.{old}" for old in own.values())
        moved = ", ".join(own)
        _log.warning(
            "%s will no longer be used in the next release; derive a class from %s, move the methods to it (%s), and "
            "set %s_class of the game to it",
            shown,
            base.__name__,
            moved,
            part,
        )
        calls = {new: property(_on_game(old)) for new, old in own.items()}
        setattr(game_class, f"{part}_class", type(base.__name__, (base,), {"adopted": True, **calls}))
