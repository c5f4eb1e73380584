"""A rematch: the same battle under the same rules, with the sides exchanged."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence

from zareba.session import repeated_session
from zareba.session.session import HUMAN
from zareba.web.lobby.games import Games, OpenGame
from zareba.web.lobby.links import OWNER, Link
from zareba.web.lobby.start import FRIEND, ME, grant_links


def seats_with_links(game: OpenGame) -> frozenset[str]:
    """Return the seats that people can play with a link."""
    return frozenset(seat for link in game.links.all() for seat in link.seats)


def seat_holders(links: Sequence[Link]) -> dict[str, str]:
    """Return the holder of each seat according to the links: the owner or a friend.

    Links of older games have no holder; the first one that opens a seat was the owner's.
    """
    first = next((link for link in links if link.seats), None)
    holders: dict[str, str] = {}
    for link in reversed(links):  # of several links to a seat, the oldest counts
        is_owners = link.holder == OWNER or (not link.holder and link is first)
        holders |= dict.fromkeys(link.seats, ME if is_owners else FRIEND)
    return holders


def _next_sides(game: OpenGame) -> dict[str, str]:
    """Return for each side the one that its player has in a rematch."""
    sides = list(game.game.scenario.sides)
    return dict(zip(sides, [*sides[1:], sides[0]], strict=True))


def seats_in_rematch(game: OpenGame, seats: Collection[str]) -> set[str]:
    """Return the seats that the players of some seats have in a rematch."""
    next_sides = _next_sides(game)
    return {next_sides[seat] for seat in seats}


def rematch(games: Games, game: OpenGame) -> OpenGame:
    """Start a rematch, and note it at the old table. A second call returns the same game."""
    with game.lock:
        if game.people.rematch:
            return games.open(game.people.rematch)
        next_sides = _next_sides(game)
        players_before = {**game.session.seats, **seat_holders(game.links.all())}
        players = {next_sides[side]: players_before[side] for side in next_sides}
        seats = {side: HUMAN if player in (ME, FRIEND) else player for side, player in players.items()}
        ruleset = game.game.rules.ruleset.id
        with games.new_path(game.game.scenario.id, ruleset) as path:
            session = repeated_session(
                game.path, seats, seed=secrets.randbelow(2**32), path=path, house_rules=games.trusted(game.path)
            )
            new_game = games.add(path, session)
        grant_links(new_game, players)
        people = game.people
        new_game.people.set_names({next_sides[side]: name for side, name in people.names.items()})
        if people.clock is not None:
            new_game.people.set_clock(people.clock.model_copy(update={"used": {}, "pardoned": []}))
        people.note_rematch(new_game.name)
        return new_game
