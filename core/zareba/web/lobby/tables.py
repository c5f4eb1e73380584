"""The list of games: whose turn it is, and who plays. Everyone else has a list of the games opened in the own
browser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.base.grammar import in_a_sentence, join_sentences
from zareba.session.saved_games import SavedGame
from zareba.session.session import HUMAN
from zareba.web.lobby.games import Games, GameSummary
from zareba.web.lobby.owner import Owner, ago
from zareba.web.lobby.people import People
from zareba.web.lobby.rematch import rematch, seat_holders
from zareba.web.lobby.start import ME, systems
from zareba.web.responses import render

_SHOWN_GAMES = 6


class ListedGame(NamedTuple):
    """A game in the list, with its players in words.

    `game` is None if the journal cannot be continued; then `trouble` is the reason. `turn` is "yours", "theirs" or "",
    and `turn_text` says who must answer, and since when. `progress` is the turn and phase of the pending question, or
    of the last recorded step if it does not wait for a person. `for_people` is True if people can play it.
    """

    name: str
    game: SavedGame | None
    trouble: str
    players: str
    turn: str
    turn_text: str
    progress: str
    for_people: bool


class GameList:
    """The games of the server, as its owner sees them."""

    def __init__(self, games: Games) -> None:
        self._games = games

    def values(self, all_games: bool) -> dict[str, Any]:
        """Return the values for the template of the list: games in play, those that wait for the owner first."""
        listed = [self._listed(summary) for summary in self._games.saved()]
        in_play = [entry for entry in listed if entry.game is None or not entry.game.over]
        in_play.sort(key=lambda entry: entry.turn != "yours")
        return {
            "saved": in_play,
            "over": [entry for entry in listed if entry.game is not None and entry.game.over],
            "most": len(listed) if all_games else _SHOWN_GAMES,
            "shows_all": all_games,
            "titles": {system["id"]: system["title"] for system in systems()},
            "ago": ago,
        }

    def _listed(self, summary: GameSummary) -> ListedGame:
        game = summary.game
        if game is None:
            return ListedGame(summary.name, None, summary.trouble, "", "", "", "", False)
        people, holders = self._games.people(summary.name), seat_holders(self._games.links(summary.name).all())
        players = {side: _player(game, people, holders, side) for side in game.sides}
        seat = people.turn if people.turn in game.sides and not game.over else ""
        turn = turn_text = ""
        if game.seats.get(seat) == HUMAN:  # the list does not wait for AI players
            turn = "yours" if holders.get(seat) == ME else "theirs"
            turn_text = "Your turn" if turn == "yours" else f"Waiting for {in_a_sentence(players[seat])}"
            turn_text += f", asked {ago(people.since)}"
        return ListedGame(
            summary.name,
            game,
            summary.trouble,
            join_sentences(f"{name}: {players[side]}" for side, name in game.sides.items()),
            turn,
            turn_text,
            (people.progress if turn else "") or game.progress,
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
            Route("/games", owner.restricted(self.games)),
            Route("/rematch/{name}", owner.restricted(self.rematch), methods=["POST"]),
            Route("/tables", self.tables),
        ]

    async def games(self, request: Request) -> Response:
        """Return the list to the script of the first page, which keeps it up to date."""
        values = await run_in_threadpool(self._list.values, bool(request.query_params.get("all")))
        return JSONResponse({"html": render("games.html.j2", values)})

    async def rematch(self, request: Request) -> Response:
        """Start a rematch of a finished game with the sides exchanged, or go to the one that was started."""
        game = await self._games.open_async(request.path_params["name"])
        new_game = await game.work(lambda: rematch(self._games, game))
        return RedirectResponse(f"/links/{quote(new_game.name)}", 303)

    async def tables(self, _: Request) -> Response:
        """Show the games that a browser has opened. The browser keeps their links, and the server sends no others."""
        return HTMLResponse(render("tables.html.j2", {"title": "Your games"}))
