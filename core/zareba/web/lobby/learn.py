"""Learning on the page: the small battle of the tutorial, under any ruleset."""

from __future__ import annotations

from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from zareba.base.errors import unknown_name
from zareba.lessons import first_steps, start_tutorial
from zareba.registry import ruleset_names
from zareba.web.lobby.games import THINK, Games
from zareba.web.lobby.links import OWNER
from zareba.web.lobby.owner import Owner


class LearnPages:
    """Starts the battle of the tutorial for the owner."""

    def __init__(self, games: Games, owner: Owner) -> None:
        self._games = games
        self.routes = [Route("/learn/{ruleset}", owner.restricted(self.learn), methods=["POST"])]

    async def learn(self, request: Request) -> Response:
        """Start the battle of the tutorial under a ruleset and open its table."""
        address = await run_in_threadpool(self._start, request.path_params["ruleset"])
        return RedirectResponse(address, 303)

    def _start(self, ruleset: str) -> str:
        if ruleset not in ruleset_names():
            raise unknown_name("ruleset", ruleset, ruleset_names())
        battle = first_steps()
        with self._games.new_path(battle.id, ruleset) as path:
            game = self._games.add(path, start_tutorial(ruleset, path, THINK))
        token = game.links.grant([next(iter(battle.sides))], OWNER)
        game.links.grant([])
        return f"/game/{quote(game.name)}/{token}"
