"""The addresses of the server. Each parses the request, queries the game, and returns a page or a part of one."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from zareba.base.errors import ZarebaError
from zareba.lessons import first_steps
from zareba.picture import stylesheet
from zareba.picture.signs import legend
from zareba.web.companion.pages import Charts, CompanionPages
from zareba.web.editor.pages import EditorPages
from zareba.web.form import FormData, read_form
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.comparisons import Comparisons
from zareba.web.lobby.front_pages import FrontPages
from zareba.web.lobby.games import Games, NoSuchGame
from zareba.web.lobby.learn import LearnPages
from zareba.web.lobby.owner import Owner
from zareba.web.lobby.reports import ReportPages
from zareba.web.lobby.tables import TablesPage
from zareba.web.responses import (
    Forbidden,
    Unknown,
    failure_response,
    json_bytes,
    not_found_response,
    refusal_response,
    render,
)
from zareba.web.seat.actions import perform_action
from zareba.web.seat.after_battle import after_battle
from zareba.web.seat.explanations import why
from zareba.web.seat.history import act_in_words, acts_since, moment
from zareba.web.seat.people_panel import LIMITS, PeoplePanel
from zareba.web.seat.queries import (
    advice,
    briefing,
    distance,
    legal_area,
    lesson,
    odds,
    reach,
    rule_text,
    ruling_on_place,
    score,
    umpire_form,
    whole_number,
    why_not,
)
from zareba.web.seat.unit_card import card
from zareba.web.seat.view import PageState, cached_page_state, list_of_units, page_state, version_of
from zareba.web.seat.viewer import Viewer
from zareba.web.security import Guard

_KEEP_ALIVE = 15.0
"""Seconds after which a silent stream repeats all versions. A page that hears nothing for longer asks for them."""
_MOST_TABS = 40
"""Largest number of games announced in one stream."""
_COMPRESSION = Middleware(GZipMiddleware, minimum_size=10_000, compresslevel=1)
"""Makes page states three to eight times smaller, in a millisecond at most. Event streams stay as they are."""
_Query = Callable[[Viewer, Request], Any]
"""Returns the answer to a question that a page asks; it is sent as JSON."""


def create_app(
    games: Games, key: str, hosts: Collection[str] | None, network: str = "", charts: Charts | None = None
) -> Starlette:
    """Return the application that serves a folder of games. A browser that opens `/enter/KEY` becomes its owner and can
    start games and create links.

    `hosts` are the names of the server, None for any. `network` is its address for other devices, such as
    `http://192.168.1.20:8765`, "" if they cannot reach it. `charts` returns the charts of the quick sheet for the pages
    of evenings at a real table; None: they have no quick sheet.
    """
    owner = Owner(key)
    seats = _GamePages(games, owner)
    battles, comparisons = Battles(games.folder / "battles"), Comparisons(games.folder / "comparisons")

    companion = CompanionPages(games.folder, battles, owner, charts, games.trusted)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        comparisons.close()
        companion.close()
        games.close()

    seat = "/game/{name}/{token}"
    routes = [
        Route(seat, seats.page),
        Route(f"{seat}/end", seats.end),
        Route(f"{seat}/events", seats.events),
        Route(f"{seat}/news", seats.news),
        Route(f"{seat}/people", seats.people),
        Route(f"{seat}/people/{{what}}", seats.change_people, methods=["POST"]),
        Route(f"{seat}/rematch", seats.rematch, methods=["POST"]),
        Route(f"{seat}/summary", seats.summary),
        Route(f"{seat}/parts", seats.parts),
        Route(f"{seat}/odds", seats.query(odds)),
        Route(f"{seat}/check", seats.query(ruling_on_place)),
        Route(f"{seat}/why_not", seats.query(why_not)),
        Route(f"{seat}/legend", seats.query(lambda *_: {"html": render("legend.html.j2", {"groups": list(legend())})})),
        Route(f"{seat}/why", seats.query(lambda viewer, _: {"html": why(viewer)})),
        Route(f"{seat}/advice", seats.query(advice)),
        Route(f"{seat}/briefing", seats.query(briefing)),
        Route(f"{seat}/lesson", seats.query(lesson)),
        Route(f"{seat}/score", seats.query(score)),
        Route(
            f"{seat}/unit",
            seats.query(lambda viewer, request: {"html": card(viewer, request.query_params.get("piece", ""))}),
        ),
        Route(f"{seat}/units", seats.query(lambda viewer, _: {"html": list_of_units(viewer)})),
        Route(f"{seat}/umpire", seats.query(lambda viewer, _: {"html": umpire_form(viewer)})),
        Route(f"{seat}/rule", seats.query(rule_text)),
        Route(
            f"{seat}/act",
            seats.query(lambda viewer, request: {"html": act_in_words(viewer, whole_number(request, "step"))}),
        ),
        Route(f"{seat}/acts", seats.query(acts_since)),
        Route(
            f"{seat}/at",
            seats.query(lambda viewer, request: moment(viewer, whole_number(request, "step"))),
        ),
        Route(f"{seat}/ruler", seats.query(distance)),
        Route(f"{seat}/reach", seats.query(reach)),
        Route(f"{seat}/where", seats.query(legal_area)),
        Route(f"{seat}/do/{{what}}", seats.do, methods=["POST"]),
        *FrontPages(games, battles, owner, network).routes,
        *LearnPages(games, owner).routes,
        *TablesPage(games, owner).routes,
        *EditorPages(battles, owner).routes,
        *companion.routes,
        *ReportPages(games, battles, comparisons, owner).routes,
        Route("/events", seats.all_events),
        Route("/static/picture.css", _colours),
        Mount("/static", _StaticFiles(packages=[("zareba.web", "static")])),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=hosts), *([_COMPRESSION] if network else [])],
        exception_handlers={
            ZarebaError: refusal_response,
            404: not_found_response,
            Exception: failure_response,
        },
        lifespan=lifespan,
    )


class _StaticFiles(StaticFiles):
    """Scripts and styles. The browser keeps them, but asks whether they have changed, so that modules fit together."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


class _GamePages:
    """The pages of games, for anyone with a link."""

    def __init__(self, games: Games, owner: Owner) -> None:
        self._games = games
        self._owner = owner
        self._people = PeoplePanel(games)
        self._computing: dict[tuple[Any, ...], asyncio.Future[PageState]] = {}

    # --- one seat ----------------------------------------------------------------------------------------------------

    async def _viewer(self, request: Request) -> Viewer:
        """Return the viewer for a link, and open the game if necessary. Only requests with a valid link can open a
        game.
        """
        name = request.path_params["name"]
        seats = self._seats_of(name, request.path_params["token"])
        if seats is None:
            raise Unknown
        return Viewer(await self._games.open_async(name), seats)

    def _seats_of(self, name: str, token: str) -> frozenset[str] | None:
        """Return the seats that a link opens; None if there is no such game or link."""
        try:
            return self._games.links(name).seats_of(token)
        except NoSuchGame:
            return None

    async def page(self, request: Request) -> Response:
        viewer = await self._viewer(request)
        game = viewer.open.game
        values = {
            "title": game.scenario.title,
            "base": str(request.url.path),
            "learns": bool(viewer.seats) and game.scenario.id == first_steps().id,
            "name": viewer.open.name,
            "owner": self._owner.is_owner(request),
            "plays": bool(viewer.seats),
            "limits": LIMITS,
        }
        return HTMLResponse(render("game.html.j2", values))

    async def end(self, request: Request) -> Response:
        """Show the page after the battle."""
        viewer = await self._viewer(request)
        address = request.url.path.removesuffix("/end")

        def locked() -> str:
            with viewer.open.lock:
                values = after_battle(viewer, address)
            values["owner"] = self._owner.is_owner(request)
            return render("after.html.j2", {**values, "home": str(request.base_url).rstrip("/")})

        return HTMLResponse(await viewer.open.work(locked))

    async def events(self, request: Request) -> Response:
        """Stream the versions of one game, and of the people at it, each time one of them changes."""
        viewer = await self._viewer(request)
        game, change = viewer.open, asyncio.Event()
        if not game.add_stream(change, request.path_params["token"], seats=viewer.seats):
            return JSONResponse({"refused": "too many people are watching this game"}, 503)

        async def stream() -> AsyncIterator[str]:
            try:
                sent = await viewer.open.work(partial(_versions, viewer))
                yield f"retry: 1000\ndata: {json.dumps(sent)}\n\n"
                while not game.closed and not self._games.ending:
                    is_silent = not await _wait_for_change(change)
                    versions = await viewer.open.work(partial(_versions, viewer))
                    if is_silent or versions != sent:  # send nothing if the viewer cannot see the change
                        sent = versions
                        yield f"data: {json.dumps(versions)}\n\n"
            finally:
                game.remove_stream(change)

        return StreamingResponse(stream(), media_type="text/event-stream")

    async def all_events(self, request: Request) -> Response:
        """Stream the changes of several games, because all tabs of a browser share its few connections.

        Each `of` parameter names a game as GAME/TOKEN. The data has two versions for each: that of the game, and that
        of the people at it. An invalid link has version 0.
        """
        change, viewers, invalid = asyncio.Event(), dict[str, Viewer](), dict[str, list[int]]()
        for link in dict.fromkeys(request.query_params.getlist("of")[:_MOST_TABS]):
            name, _, token = link.partition("/")
            seats = self._seats_of(name, token)
            try:
                game = None if seats is None else await self._games.open_async(name)
            except ZarebaError:
                continue  # its own page shows the error
            if game is None:
                invalid[link] = [0, 0]  # version 0 makes its page reload and show the error
            elif game.add_stream(change, token, seats=seats or ()):
                viewers[link] = Viewer(game, seats or frozenset())

        async def stream() -> AsyncIterator[str]:
            sent: dict[str, list[int]] = {}
            try:
                yield f"retry: 1000\ndata: {json.dumps(invalid)}\n\n"
                while not self._games.ending:
                    versions = {
                        link: await viewer.open.work(partial(_versions, viewer)) for link, viewer in viewers.items()
                    }
                    changed = {link: pair for link, pair in versions.items() if sent.get(link) != pair}
                    sent |= changed
                    if changed:
                        yield f"data: {json.dumps(changed)}\n\n"
                    elif not viewers:
                        yield ": still here\n\n"
                    if any(viewer.open.closed for viewer in viewers.values()):
                        return  # the browser reconnects, which opens the game again
                    if not await _wait_for_change(change):
                        sent.clear()
            finally:
                for viewer in viewers.values():
                    viewer.open.remove_stream(change)

        return StreamingResponse(stream(), media_type="text/event-stream")

    def query(self, look_up: _Query) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of an address that sends a seat some information about a game."""

        async def answer(request: Request) -> Response:
            viewer = await self._viewer(request)

            def locked() -> bytes:
                with viewer.open.lock:
                    return json_bytes(look_up(viewer, request))

            return Response(await viewer.open.work(locked), media_type="application/json")

        return answer

    async def parts(self, request: Request) -> Response:
        """Return everything on the page that may have changed. It is computed once for all viewers with the same
        view.
        """
        viewer, known_ground = await self._viewer(request), request.query_params.get("ground", "")
        state = await self._current_page_state(viewer)
        return Response(state.for_page(known_ground), media_type="application/json")

    async def _current_page_state(self, viewer: Viewer) -> PageState:
        """Return a page state that is no older than this call. Simultaneous requests share one computation."""
        key = asyncio.get_running_loop(), viewer
        version, state = viewer.open.version, cached_page_state(viewer)
        while state is None or state.game_version < version:  # a running computation may be older than this request
            computation = self._computing.get(key)
            if computation is None:
                computation = asyncio.ensure_future(viewer.open.work(partial(page_state, viewer)))
                computation.add_done_callback(lambda _: self._computing.pop(key, None))
                self._computing[key] = computation
            state = await asyncio.shield(computation)  # a request that is cancelled must not cancel the others
        return state

    async def news(self, request: Request) -> Response:
        """Return the versions for a page that has no stream."""
        viewer = await self._viewer(request)
        viewer.open.note_poll(viewer.seats)
        return JSONResponse(await viewer.open.work(partial(_versions, viewer)))

    async def people(self, request: Request) -> Response:
        """Return the people at the table."""
        viewer = await self._viewer(request)

        def locked() -> bytes:
            with viewer.open.lock:
                return json_bytes(self._people.page_part(viewer))

        return Response(await viewer.open.work(locked), media_type="application/json")

    async def change_people(self, request: Request) -> Response:
        """Carry out what a person does among the people at the table: chat, draw, rematch and so on."""
        viewer = await self._viewer(request)
        form = await read_form(request)
        act = partial(self._people.act, viewer, request.path_params["what"], form)
        return Response(json_bytes(await viewer.open.work(act)), media_type="application/json")

    async def rematch(self, request: Request) -> Response:
        """Ask for a rematch, and go to it if it has started; otherwise back to the table."""
        viewer = await self._viewer(request)
        await viewer.open.work(partial(self._people.act, viewer, "rematch", FormData([])))
        link = await viewer.open.work(partial(self._people.rematch_link, viewer))
        return RedirectResponse(link or request.url.path.removesuffix("/rematch"), 303)

    async def summary(self, request: Request) -> Response:
        """Return the turn and the players of a game to the list of games in a browser."""
        viewer = await self._viewer(request)
        return JSONResponse(await viewer.open.work(partial(self._people.summary, viewer)))

    async def do(self, request: Request) -> Response:
        """Carry out an action of a player, and return the updated page state."""
        viewer = await self._viewer(request)
        form = await read_form(request)
        if not viewer.seats:
            raise Forbidden("You are only watching this game.")
        state = await viewer.open.work(partial(perform_action, viewer, request.path_params["what"], form))
        return Response(state, media_type="application/json")


def _versions(viewer: Viewer) -> list[int]:
    """Return the version of a viewer's page, and that of the people at the table."""
    return [version_of(viewer), viewer.open.people_version]


async def _wait_for_change(change: asyncio.Event) -> bool:
    """Wait until an event is set, then clear it. Return False after `_KEEP_ALIVE` seconds without one."""
    try:
        async with asyncio.timeout(_KEEP_ALIVE):
            await change.wait()
    except TimeoutError:
        return False
    change.clear()
    return True


async def _colours(_: Request) -> Response:
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def new_key() -> str:
    """Return a new unguessable key."""
    return secrets.token_urlsafe(24)
