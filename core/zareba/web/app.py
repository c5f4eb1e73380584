"""The addresses of the server. Each takes what was sent apart, asks the game, and gives a page or a part of one."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from zareba.amounts import amount
from zareba.errors import ZarebaError
from zareba.picture import picture, stylesheet
from zareba.session.session import HUMAN
from zareba.web.door.forms import Form, read_form
from zareba.web.door.guard import Guard
from zareba.web.door.pages import render
from zareba.web.door.refusals import Forbidden, Unknown, failed, message, nothing, refused
from zareba.web.house.games import Games, NoSuchGame, OpenGame
from zareba.web.house.start import ME, begin, checked, links_for, scenario_of, scenarios, systems, what_to_choose
from zareba.web.seat.acts import done
from zareba.web.seat.card import card, table_by_hand
from zareba.web.seat.history import act_told, moment
from zareba.web.seat.reasons import why
from zareba.web.seat.told import advice, briefing, distance, odds, ruling, score, what_a_rule_says, whole
from zareba.web.seat.view import Viewer, parts

__all__ = ["create_app", "new_key"]

COOKIE = "zareba_owner"
BREATH = 15.0
"""Seconds after which a stream says that it is still there."""
SHOWN_GAMES = 12
MOST_WATCHERS = 500
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A picture that stands alone has its own colours in it, and no script."""

Told = Callable[[Viewer, Request], Any]


def create_app(games: Games, key: str, hosts: Collection[str] | None) -> Starlette:
    """The server of a folder of games. Who opens `/enter/KEY` is its owner and may begin games and give links."""
    owner = _Owner(key)
    house = _House(games, owner)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        games.close()

    seat = "/game/{name}/{token}"
    routes = [
        Route("/", house.hub),
        Route("/enter/{key}", house.enter),
        Route("/new/{scenario}", house.choose),
        Route("/new/{scenario}", house.begin, methods=["POST"]),
        Route("/links/{name}", house.links, methods=["POST"]),
        Route("/scenario/{scenario}.svg", _scenario_picture),
        Route("/static/picture.css", _colours),
        Mount("/static", StaticFiles(packages=[("zareba.web", "static")])),
        Route(seat, house.page),
        Route(f"{seat}/events", house.events),
        Route(f"{seat}/parts", house.told(_parts)),
        Route(f"{seat}/odds", house.told(odds)),
        Route(f"{seat}/check", house.told(ruling)),
        Route(f"{seat}/why", house.told(lambda viewer, _: {"html": why(viewer)})),
        Route(f"{seat}/advice", house.told(advice)),
        Route(f"{seat}/briefing", house.told(briefing)),
        Route(f"{seat}/score", house.told(score)),
        Route(
            f"{seat}/unit",
            house.told(lambda viewer, request: {"html": card(viewer, request.query_params.get("piece", ""))}),
        ),
        Route(f"{seat}/umpire", house.told(lambda viewer, _: {"html": table_by_hand(viewer)})),
        Route(f"{seat}/rule", house.told(what_a_rule_says)),
        Route(f"{seat}/act", house.told(lambda viewer, request: {"html": act_told(viewer, whole(request, "step"))})),
        Route(f"{seat}/at", house.told(lambda viewer, request: moment(viewer, whole(request, "step")))),
        Route(f"{seat}/ruler", house.told(distance)),
        Route(f"{seat}/do/{{what}}", house.do, methods=["POST"]),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={ZarebaError: refused, 404: nothing, Exception: failed},
        lifespan=life,
    )


class _Owner:
    """Who has the key that the server printed."""

    def __init__(self, key: str) -> None:
        self._key = key

    def has(self, key: str) -> bool:
        return hmac.compare_digest(key.encode(errors="replace"), self._key.encode())

    def is_here(self, request: Request) -> bool:
        return self.has(request.cookies.get(COOKIE, ""))


class _House:
    """What is behind the door: the start page for the owner, the games for whoever has a link."""

    def __init__(self, games: Games, owner: _Owner) -> None:
        self._games = games
        self._owner = owner

    # --- the owner's pages -------------------------------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
        if not self._owner.has(request.path_params["key"]):
            return message("This key opens nothing", "Open the address that 'zareba serve' printed last.", 403)
        response = RedirectResponse("/", 303)
        response.set_cookie(COOKIE, request.path_params["key"], httponly=True, samesite="strict", path="/")
        return response

    async def hub(self, request: Request) -> Response:
        self._owner_only(request)
        saved = await run_in_threadpool(self._games.saved)
        titles = {one["id"]: one["title"] for one in systems()}
        values = {
            "title": "Games",
            "scenarios": scenarios(),
            "saved": saved,
            "most": len(saved) if request.query_params.get("all") else SHOWN_GAMES,
            "titles": titles,
            "ago": ago,
        }
        return HTMLResponse(render("start.html.j2", values))

    async def choose(self, request: Request) -> Response:
        self._owner_only(request)
        chosen = Form([("ruleset", request.query_params.get("ruleset", ""))])
        return await run_in_threadpool(_choices, request.path_params["scenario"], chosen)

    async def begin(self, request: Request) -> Response:
        self._owner_only(request)
        form = await read_form(request)
        scenario = scenario_of(request.path_params["scenario"])
        try:
            if form.text("check"):
                fine = await run_in_threadpool(checked, scenario, form)
                return await run_in_threadpool(_choices, scenario.id, form, fine=fine)
            begun = await run_in_threadpool(begin, self._games, scenario, form)
        except ZarebaError as error:
            return await run_in_threadpool(_choices, scenario.id, form, refused=str(error))
        return _links_page(begun.game, begun.links)

    async def links(self, request: Request) -> Response:
        self._owner_only(request)
        form = await read_form(request)
        game = await run_in_threadpool(self._games.at, request.path_params["name"])
        chosen = {seat: form.text(f"seat.{seat}", ME) for seat, kind in game.session.seats.items() if kind == HUMAN}
        if form.text("end"):
            game.links.end_all()
        return _links_page(game, links_for(game, chosen))

    def _owner_only(self, request: Request) -> None:
        if not self._owner.is_here(request):
            raise Forbidden(
                "This page is for whoever started the server. Open the address that 'zareba serve' printed last."
            )

    # --- a seat ------------------------------------------------------------------------------------------------------

    async def _viewer(self, request: Request) -> Viewer:
        name, token = request.path_params["name"], request.path_params["token"]
        return await run_in_threadpool(self._sit, name, token)

    def _sit(self, name: str, token: str) -> Viewer:
        try:
            seats = self._games.links(name).seats_of(token)
        except NoSuchGame:
            seats = None
        if seats is None:
            raise Unknown
        return Viewer(self._games.at(name), seats)

    async def page(self, request: Request) -> Response:
        viewer = await self._viewer(request)
        game = viewer.open.game
        values = {
            "title": game.scenario.title,
            "base": str(request.url.path),
        }
        return HTMLResponse(render("game.html.j2", values))

    async def events(self, request: Request) -> Response:
        viewer = await self._viewer(request)
        game = viewer.open
        if game.watched >= MOST_WATCHERS:
            return JSONResponse({"refused": "too many watch this game"}, 503)
        woken = asyncio.Event()
        game.watch(woken)

        async def stream() -> AsyncIterator[str]:
            try:
                yield f"retry: 1000\ndata: {game.version}\n\n"
                while not game.closed:
                    try:
                        await asyncio.wait_for(woken.wait(), BREATH)
                    except TimeoutError:
                        yield ": still here\n\n"
                        continue
                    woken.clear()
                    yield f"data: {game.version}\n\n"
            finally:
                game.leave(woken)

        return StreamingResponse(stream(), media_type="text/event-stream")

    def told(self, tell: Told) -> Callable[[Request], Awaitable[Response]]:
        """An address that tells something of a game to a seat."""

        async def answer(request: Request) -> Response:
            viewer = await self._viewer(request)

            def locked() -> bytes:
                with viewer.open.lock:
                    return _written(tell(viewer, request))

            return Response(await run_in_threadpool(locked), media_type="application/json")

        return answer

    async def do(self, request: Request) -> Response:
        """Something that a player does; what the page needs to know of it comes back at once."""
        viewer = await self._viewer(request)
        form = await read_form(request)
        if not viewer.seats:
            raise Forbidden("You only watch this game.")
        return JSONResponse(await run_in_threadpool(done, viewer, request.path_params["what"], form))


def _written(told: Any) -> bytes:
    return told if isinstance(told, bytes) else json.dumps(told, ensure_ascii=False, allow_nan=False).encode()


def _parts(viewer: Viewer, request: Request) -> bytes:
    """All that may have changed; worked out once for all who hold the same seats and have the same ground."""
    key = "parts", viewer.seats, request.query_params.get("ground", "")[:16]
    if key not in viewer.open.kept:
        viewer.open.kept[key] = _written(parts(viewer, key[2]))
    return bytes(viewer.open.kept[key])


async def _scenario_picture(request: Request) -> Response:
    scenario = scenario_of(request.path_params["scenario"])
    drawn = await run_in_threadpool(picture, scenario)
    headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "max-age=3600"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


async def _colours(_: Request) -> Response:
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def _choices(name: str, form: Form, *, refused: str = "", fine: str = "") -> Response:
    """The page of all that can be chosen, with what a form had chosen already."""
    scenario, known, ruleset = scenario_of(name), systems(), form.text("ruleset")
    chosen = ruleset if any(one["id"] == ruleset for one in known) else known[-1]["id"]
    values = {
        "title": scenario.title,
        "scenario": scenario,
        "systems": known,
        **what_to_choose(scenario, chosen, form),
        "refused": refused,
        "fine": fine,
    }
    return HTMLResponse(render("choose.html.j2", values), 400 if refused else 200)


def _links_page(game: OpenGame, links: Mapping[str, str]) -> Response:
    """Straight to the table when nobody else is invited; otherwise the links, which are shown this once."""
    addresses = {whom: f"/game/{game.name}/{token}" for whom, token in links.items()}
    if set(addresses) == {"you", "whoever watches"}:
        return RedirectResponse(addresses["you"], 303)
    return HTMLResponse(render("links.html.j2", {"title": "Links", "links": addresses}))


def ago(when: float) -> str:
    """How long ago something was, in words; `when` in seconds since the epoch."""
    minutes = max(0, round((time.time() - when) / 60))
    if minutes < 60:
        return "just now" if minutes < 2 else f"{minutes} minutes ago"
    hours = round(minutes / 60)
    return f"{amount(hours, 'hour')} ago" if hours < 48 else f"{round(hours / 24)} days ago"


def new_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(24)
