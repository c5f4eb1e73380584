"""The list of games: whose turn it is, and who plays. Everyone else has a list of the games opened in the own browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.session.saved_games import SavedGame
from zareba.session.session import HUMAN
from zareba.web.lobby.games import Games, GameSummary
from zareba.web.lobby.owner import Owner, ago
from zareba.web.lobby.people import People
from zareba.web.lobby.rematch import rematch, who_sits
from zareba.web.lobby.start import ME, systems
from zareba.web.security import render

_SHOWN_GAMES = 12


class ListedGame(NamedTuple):
    """A game in the list: its record, its players in words, and whose turn it is.

    `turn` is "yours", "theirs" or "". `asked` says who must answer, and since when. `people` is True if people can play
    it.
    """

    name: str
    game: SavedGame | None
    trouble: str
    players: str
    turn: str
    asked: str
    people: bool


class GameList:
    """The games of the server, as its owner sees them."""

    def __init__(self, games: Games) -> None:
        self._games = games

    def values(self, everything: bool) -> dict[str, Any]:
        """Return the values for the template of the list: games in play, those that wait for the owner first."""
        listed = [self._listed(one) for one in self._games.saved()]
        going = [one for one in listed if one.game is None or not one.game.over]
        going.sort(key=lambda one: one.turn != "yours")
        return {
            "saved": going,
            "over": [one for one in listed if one.game is not None and one.game.over],
            "most": len(listed) if everything else _SHOWN_GAMES,
            "titles": {one["id"]: one["title"] for one in systems()},
            "ago": ago,
        }

    def _listed(self, one: GameSummary) -> ListedGame:
        game = one.game
        if game is None:
            return ListedGame(one.name, None, one.trouble, "", "", "", False)
        people, holders = self._games.people(one.name), who_sits(self._games.links(one.name).all())
        turn = people.turn if people.turn in game.sides and not game.over else ""
        yours = game.seats.get(turn) == HUMAN and holders.get(turn) == ME
        who = _player(game, people, holders, turn) if turn else ""
        asked = "" if not turn or game.seats.get(turn) != HUMAN else f"{who}, asked {ago(people.since)}"
        return ListedGame(
            one.name,
            game,
            one.trouble,
            ", ".join(f"{name}: {_player(game, people, holders, side)}" for side, name in game.sides.items()),
            "yours" if yours else "theirs" if asked else "",
            f"Your turn, asked {ago(people.since)}" if yours else f"Waiting for {asked}" if asked else "",
            bool(holders),
        )


def _player(game: SavedGame, people: People, holders: Mapping[str, str], side: str) -> str:
    """Return the player of a side in words."""
    kind = game.seats.get(side, "")
    if kind != HUMAN:
        return f"AI ({kind})"
    return "you" if holders.get(side) == ME else people.names.get(side) or "a friend"


class TablesPage:
    """The addresses of the list, and of rematches that the owner starts from it."""

    def __init__(self, games: Games, owner: Owner) -> None:
        self._games = games
        self._list = GameList(games)
        self.routes = [
            Route("/games", owner.only(self.games)),
            Route("/rematch/{name}", owner.only(self.rematch), methods=["POST"]),
            Route("/tables", self.tables),
        ]

    async def games(self, request: Request) -> Response:
        """Return the list to the script of the first page, which keeps it up to date."""
        values = await run_in_threadpool(self._list.values, bool(request.query_params.get("all")))
        return JSONResponse({"html": render("games.html.j2", values)})

    async def rematch(self, request: Request) -> Response:
        """Start a rematch of a finished game with the sides exchanged, or go to the one that was started."""
        game = await self._games.opened(request.path_params["name"])
        made = await game.work(lambda: rematch(self._games, game))
        return RedirectResponse(f"/links/{quote(made.name)}", 303)

    async def tables(self, _: Request) -> Response:
        """Show the games that a browser has opened. The browser keeps their links, and the server sends no others."""
        return HTMLResponse(render("tables.html.j2", {"title": "Your games"}))
