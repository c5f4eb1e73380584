"""Views of the log: the pieces hidden from a seat at a moment, and the events that the seat may know.

A seat gets no event of a piece that it does not see. Shots are an exception: if a hidden piece fires at a piece in
sight, the seat learns the target but not the shooter. It gets every loss of a piece in sight.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from zareba.presentation.narration import SHOT_FROM_HIDING, SHOT_OUT_OF_SIGHT
from zareba.table.questions import Event, mentions, pieces_named_in

if TYPE_CHECKING:
    from zareba.game.game import Game


Unseen: TypeAlias = Mapping[str, frozenset[str]]
"""The pieces that each reader does not see at one moment; readers are the seats, and "" is a spectator."""


def may_hide(game: Game[Any]) -> bool:
    """Return True if pieces can be hidden from any reader during the game."""
    return any(game.sight.may_hide(reader) for reader in (*game.seats, ""))


def hidden_at(game: Game[Any], state: Any, before: Unseen) -> Unseen:
    """Return the hidden pieces in a state; `before` are those at the moment before it.

    A piece that was hidden and is no longer in the state was lost out of sight, so it stays hidden. A unit of the
    scenario is hidden, too, if all its pieces are.
    """
    there: Collection[str] = ()
    parts = _parts(game)
    found: dict[str, frozenset[str]] = {}
    for reader in (*game.seats, ""):
        if game.sight.may_hide(reader):
            hidden = game.sight.hidden_pieces(state, reader)
            if gone := before.get(reader, frozenset()) - hidden:
                there = there or game.sight.known_pieces(state)
                hidden |= gone.difference(there, parts)
            found[reader] = hidden.union(unit for unit, pieces in parts.items() if pieces <= hidden)
    return found


@lru_cache(maxsize=16)
def _parts(game: Game[Any]) -> Mapping[str, frozenset[str]]:
    """Return the pieces of each unit of the scenario that consists of several pieces."""
    pieces = game.sight.known_pieces(game.origin)
    found: dict[str, frozenset[str]] = {}
    for unit in game.scenario.units:
        part = re.compile(rf"{re.escape(unit)}[_.][0-9]+")
        if unit not in pieces and (own := frozenset(filter(part.fullmatch, pieces))):
            found[unit] = own
    return found


def known_events(game: Game[Any], hidden: Collection[str], events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events as they may be shown to a reader who does not see the `hidden` pieces."""
    if not hidden or not events:
        return tuple(events)
    names = _names(game, frozenset(hidden))
    found: list[Event] = []
    for event in events:
        if not (mentions(hidden, event.data) or names.betrayed_by(game.narrator.describe_event(event))):
            found.append(event)
        elif (report := _report_of_shot(game, hidden, names.seen, event)) is not None and report not in found:
            found.append(report)
    return tuple(found)


def _report_of_shot(game: Game[Any], hidden: Collection[str], seen: Collection[str], event: Event) -> Event | None:
    """Return the report of a shot between a piece that the reader sees and a hidden one; None for any other event."""
    fired = game.narrator.firing_piece(event)
    if not fired:
        return None
    if mentions(hidden, fired):
        target = next(pieces_named_in(seen, list(event.data.values())), None)
        return None if target is None else Event(SHOT_FROM_HIDING, "", {"unit": target})
    unit = next(pieces_named_in(seen, fired), None)
    return None if unit is None else Event(SHOT_OUT_OF_SIGHT, "", {"unit": unit})


@lru_cache(maxsize=64)
def _names(game: Game[Any], hidden: frozenset[str]) -> _Names:
    return _Names(game, hidden)


class _Names:
    """Finds the names of hidden pieces in sentences. `seen` are the pieces that are not hidden, without figures."""

    def __init__(self, game: Game[Any], hidden: Collection[str]) -> None:
        pieces = game.sight.known_pieces(game.origin)
        self.seen = [piece for piece in pieces if not mentions(hidden, piece)]
        listed = {piece for ids in game.display.pieces(game.origin).values() for piece in ids}.union(pieces, hidden)
        open_names = {game.narrator.name_of(piece) for piece in listed if not mentions(hidden, piece)}
        self._secret = {game.narrator.name_of(piece) for piece in listed if mentions(hidden, piece)} - open_names
        all_names = sorted(self._secret | open_names, key=len, reverse=True)
        self._any = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in all_names if name) or "(?!)")

    def betrayed_by(self, sentence: str) -> bool:
        """Return True if a sentence contains the name of a hidden piece, as a whole."""
        return any(found.group() in self._secret for found in self._any.finditer(sentence))
