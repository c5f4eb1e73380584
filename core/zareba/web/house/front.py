"""The owner's pages: the battles and the games, what can be chosen, and the links that come of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.base.amounts import amount
from zareba.base.errors import ZarebaError
from zareba.picture import picture
from zareba.session.session import HUMAN
from zareba.web.door.forms import Form, read_form
from zareba.web.door.pages import render
from zareba.web.house.battles import Battles
from zareba.web.house.games import Games, OpenGame
from zareba.web.house.owner import Owner
from zareba.web.house.start import ME, begin, checked, links_for, systems, told_of, what_to_choose

__all__ = ["FrontPages"]

SHOWN_GAMES = 12
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A picture that stands alone has its own colours in it, and no script."""


class FrontPages:
    """The start of everything: choose a field, begin, go on."""

    def __init__(self, games: Games, battles: Battles, owner: Owner) -> None:
        self._games = games
        self._battles = battles
        only = owner.only
        self.routes = [
            Route("/", only(self.hub)),
            Route("/enter/{key}", owner.enter),
            Route("/new/{scenario}", only(self.choose)),
            Route("/new/{scenario}", only(self.begin), methods=["POST"]),
            Route("/links/{name}", only(self.links), methods=["POST"]),
            Route("/scenario/{scenario}.svg", self.field),
        ]

    async def hub(self, request: Request) -> Response:
        """The battles, and the games that are kept."""
        return await run_in_threadpool(self._hub, bool(request.query_params.get("all")))

    def _hub(self, everything: bool) -> Response:
        saved = self._games.saved()
        going = [one for one in saved if one.game is None or not one.game.over]
        over = [one for one in saved if one.game is not None and one.game.over]
        battles, faults = told_of(self._battles)
        values = {
            "title": "Games",
            "scenarios": battles,
            "faults": faults,
            "saved": going,
            "over": over,
            "most": len(saved) if everything else SHOWN_GAMES,
            "titles": {one["id"]: one["title"] for one in systems()},
            "ago": ago,
        }
        return HTMLResponse(render("start.html.j2", values))

    async def choose(self, request: Request) -> Response:
        """All that can be chosen for a battle."""
        chosen = Form([("ruleset", request.query_params.get("ruleset", ""))])
        return await run_in_threadpool(self._choices, request.path_params["scenario"], chosen)

    async def begin(self, request: Request) -> Response:
        """Begin a game as the form asks, or say what is wrong with it."""
        form = await read_form(request)
        return await run_in_threadpool(self._begin, request.path_params["scenario"], form)

    def _begin(self, name: str, form: Form) -> Response:
        scenario = self._battles.scenario(name)
        try:
            if form.text("check"):
                return self._choices(name, form, fine=checked(scenario, form))
            begun = begin(self._games, scenario, form)
        except ZarebaError as error:
            return self._choices(name, form, refused=str(error))
        return links_page(begun.game, begun.links)

    def _choices(self, name: str, form: Form, *, refused: str = "", fine: str = "") -> Response:
        scenario, known, ruleset = self._battles.scenario(name), systems(), form.text("ruleset")
        chosen = ruleset if any(one["id"] == ruleset for one in known) else known[-1]["id"]
        values = {
            "title": scenario.title,
            "scenario": scenario,
            "name": name,
            "made": name in self._battles.made(),
            "systems": known,
            **what_to_choose(scenario, chosen, form),
            "refused": refused,
            "fine": fine,
        }
        return HTMLResponse(render("choose.html.j2", values), 400 if refused else 200)

    async def links(self, request: Request) -> Response:
        """Go on with a game: new links to its seats."""
        form = await read_form(request)
        game = await run_in_threadpool(self._games.at, request.path_params["name"])
        chosen = {seat: form.text(f"seat.{seat}", ME) for seat, kind in game.session.seats.items() if kind == HUMAN}
        if form.text("end"):
            game.links.end_all()
        return links_page(game, links_for(game, chosen))

    async def field(self, request: Request) -> Response:
        """A battle as a map; a small one without names, which could not be read."""
        scenario = await run_in_threadpool(self._battles.scenario, request.path_params["scenario"])
        small = "small" if request.query_params.get("small") else ""
        drawn = await run_in_threadpool(lambda: picture(scenario, classes=small))
        headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "no-cache"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)


def links_page(game: OpenGame, links: Mapping[str, str]) -> Response:
    """Straight to the table when nobody else is invited; otherwise the links, which are shown this once."""
    addresses = {whom: f"/game/{quote(game.name)}/{token}" for whom, token in links.items()}
    if set(addresses) == {"you", "whoever watches"}:
        return RedirectResponse(addresses["you"], 303)
    if set(addresses) == {"whoever watches"}:
        return RedirectResponse(addresses["whoever watches"], 303)
    return HTMLResponse(render("links.html.j2", {"title": "Links", "links": addresses}))


def ago(when: float) -> str:
    """How long ago something was, in words; `when` in seconds since the epoch."""
    minutes = max(0, round((time.time() - when) / 60))
    if minutes < 60:
        return "just now" if minutes < 2 else f"{minutes} minutes ago"
    hours = round(minutes / 60)
    return f"{amount(hours, 'hour')} ago" if hours < 48 else f"{round(hours / 24)} days ago"
