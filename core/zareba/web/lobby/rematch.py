"""A rematch: the same battle under the same rules, with the sides exchanged."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence

from zareba.session import repeated_session
from zareba.session.session import HUMAN
from zareba.web.lobby.games import Games, OpenGame
from zareba.web.lobby.links import OWNER, Link
from zareba.web.lobby.start import FRIEND, ME, links_for


def seats_with_links(game: OpenGame) -> frozenset[str]:
    """Return the seats that people can play with a link."""
    return frozenset(seat for link in game.links.all() for seat in link.seats)


def who_sits(links: Sequence[Link]) -> dict[str, str]:
    """Return the holder of each seat according to the links: the owner or a friend.

    Links of older games have no holder; the first one that opens a seat was the owner's.
    """
    first = next((link for link in links if link.seats), None)
    return {
        seat: ME if link.whom == OWNER or (not link.whom and link is first) else FRIEND
        for link in reversed(links)
        for seat in link.seats
    }


def _next_side(game: OpenGame) -> dict[str, str]:
    """Return the side that the player of each side has in a rematch."""
    sides = list(game.game.scenario.sides)
    return dict(zip(sides, [*sides[1:], sides[0]], strict=True))


def exchanged(game: OpenGame, seats: Collection[str]) -> set[str]:
    """Return the seats that the players of some seats have in a rematch."""
    following = _next_side(game)
    return {following[seat] for seat in seats}


def rematch(games: Games, game: OpenGame) -> OpenGame:
    """Start a rematch, and note it at the old table. A second call returns the same game."""
    with game.lock:
        if game.people.rematch:
            return games.at(game.people.rematch)
        following, before = _next_side(game), {**game.session.seats, **who_sits(game.links.all())}
        chosen = {following[side]: before[side] for side in following}
        seats = {side: HUMAN if kind in (ME, FRIEND) else kind for side, kind in chosen.items()}
        rules = game.game.rules.ruleset.id
        with games.new_path(game.game.scenario.id, rules) as path:
            session = repeated_session(
                game.path, seats, seed=secrets.randbelow(2**32), path=path, house_rules=games.trusted(game.path)
            )
            made = games.add(path, session)
        links_for(made, chosen)
        people = game.people
        made.people.take_names({following[side]: name for side, name in people.names.items()})
        if people.clock is not None:
            made.people.set_clock(people.clock.model_copy(update={"used": {}, "pardoned": []}))
        people.note_rematch(made.name)
        return made
