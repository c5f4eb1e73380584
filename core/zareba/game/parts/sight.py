"""The sight of a game: what each seat may see, and states that may be the real one as far as a seat knows."""

from __future__ import annotations

from collections.abc import Collection, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from zareba.game.parts.part import GameOfParts, Part, S
from zareba.house_rules.hook_function import HookFunction
from zareba.house_rules.state_variables import StateVariable


class Sight(Part[S]):
    """Shows each seat what it may see. This one hides nothing."""

    def __init__(self, game: GameOfParts[S]) -> None:
        super().__init__(game)
        self._may_hide: dict[str, bool] = {}

    def view(self, state: S, seat: str) -> S:
        """Return the part of `state` that `seat` may see: all of it, unless the rules hide something."""
        return state

    def printed_view(self, state: S, seat: str) -> S:
        """Return the part of `state` that `seat` may see by the rules alone. House rules may hide more (`view`)."""
        return self.view(state, seat)

    def public(self, state: S) -> S:
        """Return the part of `state` that all seats may see."""
        for seat in self.game.seats:
            state = self.view(state, seat)
        return state

    def hidden_pieces(self, state: S, seat: str) -> frozenset[str]:
        """Return the pieces of `state` that `seat` does not see. The seat "" is a watcher."""
        seen = self.view(state, seat) if seat else self.public(state)
        if seen is state:
            return frozenset()
        return frozenset(self.known_pieces(state)).difference(self.known_pieces(seen))

    def known_pieces(self, state: S) -> Collection[str]:
        """Return the ids of all pieces that `state` shows. No id is that of a side."""
        return self.game.umpire_editor().piece_holders(state)

    def secrets(self, state: S, seat: str) -> frozenset[str]:
        """Return a name for each thing in `state` that is secret from `seat`: hidden pieces, and more under some rules.

        When a name disappears, the seat has learned something.
        """
        return self.hidden_pieces(state, seat)

    def may_hide(self, seat: str) -> bool:
        """Return True if pieces can be hidden from `seat` during the game. The seat "" is a watcher."""
        if seat not in self._may_hide:
            self._may_hide[seat] = bool(self.hidden_pieces(self.game.origin, seat))
        return self._may_hide[seat]

    def determinize(self, state: S, seat: str, luck: int) -> S:
        """Return a playable state that may be the real one, as far as `seat` knows; everything hidden is made up.

        By default, everything hidden is missing; a ruleset may do better. The same `luck` gives the same state.
        """
        return self.printed_view(state, seat).copy()

    def conceal(self, state: S, hidden: AbstractSet[str]) -> None:
        """Remove every reference to the `hidden` pieces, which house rules have taken out of `pieces_in`, from a view.

        A ruleset that stores more about its pieces than their records (an index by place, a queue, contacts, carried
        objects) clears it here, so that no code looks up a missing piece.
        """

    def put_away(self, state: S, piece: Any) -> None:
        """Take a piece off the table and remove every reference to it, except those through which play reaches it.

        Used for imagined states, in which play goes on without the pieces that a seat does not see.
        """

    def pieces_in(self, state: S) -> Sequence[MutableMapping[str, Any]]:
        """Return the records, by id, that a house rule may remove from a seat's view (`zareba_view`)."""
        units: MutableMapping[str, Any] = state.units  # type: ignore[attr-defined]  # every state of a battle has units
        return (units,)


class SightWithHooks(Sight[S]):
    """A sight without what house rules hide: secret state variables, and pieces (`zareba_view`)."""

    def __init__(self, inner: Sight[S], hooks: Sequence[HookFunction], secret: Sequence[StateVariable]) -> None:
        super().__init__(inner.game)
        self.inner, self._hooks, self._secret = inner, hooks, secret

    def view(self, state: S, seat: str) -> S:
        seen = self.inner.view(state, seat).copy()  # a view may share its public parts with the state
        self._hide(seen, seat)
        return seen

    def printed_view(self, state: S, seat: str) -> S:
        return self.inner.view(state, seat)

    def public(self, state: S) -> S:
        seen = self.inner.public(state).copy()
        for seat in self.game.seats:
            self._hide(seen, seat)
        return seen

    def secrets(self, state: S, seat: str) -> frozenset[str]:
        return self.inner.secrets(state, seat) | self.hidden_pieces(state, seat)

    def may_hide(self, seat: str) -> bool:
        return bool(self._hooks) or self.inner.may_hide(seat)

    def determinize(self, state: S, seat: str, luck: int) -> S:
        """Return an imagined state in which play can go on: pieces hidden by house rules are in it, but off the
        table.
        """
        imagined = self.inner.determinize(state, seat, luck).copy()
        hidden = self._see(imagined, seat)
        for real, there in zip(self.pieces_in(state), self.pieces_in(imagined), strict=True):
            for name in [name for name in real if name in hidden]:
                there[name] = real[name].copy()
        for there in self.pieces_in(imagined):
            for name in [name for name in there if name in hidden]:
                self.put_away(imagined, there[name])
        return imagined

    def known_pieces(self, state: S) -> Collection[str]:
        return self.inner.known_pieces(state)

    def conceal(self, state: S, hidden: AbstractSet[str]) -> None:
        self.inner.conceal(state, hidden)

    def put_away(self, state: S, piece: Any) -> None:
        self.inner.put_away(state, piece)

    def pieces_in(self, state: S) -> Sequence[MutableMapping[str, Any]]:
        return self.inner.pieces_in(state)

    def _hide(self, seen: S, seat: str) -> None:
        """Remove from a view everything that house rules hide from a seat, and all references to it."""
        if hidden := self._see(seen, seat):
            self.conceal(seen, hidden)

    def _see(self, seen: Any, seat: str) -> set[str]:
        """Remove from a copy of the state everything that house rules hide from a seat; return the hidden pieces."""
        before = self._pieces(seen)
        for variable in self._secret:
            for key in [key for key in seen.own if key.startswith(f"{variable.full_name}/")]:
                name = key.partition("/")[2]
                side = (
                    name
                    if variable.of == "side"
                    else getattr(getattr(seen.units.get(name), "spec", None), "side", seat)
                )
                if side != seat:
                    del seen.own[key]
        for hook in self._hooks:
            hook(state=seen, seat=seat)
        return before - self._pieces(seen)

    def _pieces(self, state: S) -> set[str]:
        return set().union(*self.pieces_in(state))
