"""The first page and the owner's page."""

from __future__ import annotations

import hmac
import time
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.picture import picture
from zareba.scenario import Scenario
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.games import Games, OpenGame
from zareba.web.lobby.links import OWNER, WATCHERS, Link
from zareba.web.lobby.start import FRIEND, ME, begin, check_form, links_for, systems, told_of, what_to_choose
from zareba.web.security import Forbidden, Form, message, read_form, render

# --- The owner of the server, who holds the printed key and can start games, run comparisons and make battles ---------


_COOKIE = "zareba_owner"
Page = Callable[[Request], Awaitable[Response]]


class Owner:
    """The owner of a server, recognized by a cookie that the printed address sets."""

    def __init__(self, key: str) -> None:
        self._key = key

    def has(self, key: str) -> bool:
        """Return True if this is the owner's key."""
        return hmac.compare_digest(key.encode(errors="replace"), self._key.encode())

    def only(self, page: Page) -> Page:
        """Return the same page, restricted to the owner."""

        async def guarded(request: Request) -> Response:
            if not self.has(request.cookies.get(_COOKIE, "")):
                raise Forbidden(
                    "This page is for the person who started the server. Open the address that 'zareba serve' printed last."
                )
            return await page(request)

        return guarded

    async def enter(self, request: Request) -> Response:
        """Set the owner's cookie for a browser that opens the printed address."""
        if not self.has(request.path_params["key"]):
            return message("Invalid key", "Open the address that 'zareba serve' printed last.", 403)
        response = RedirectResponse("/", 303)
        response.set_cookie(_COOKIE, request.path_params["key"], httponly=True, samesite="strict", path="/")
        return response


# --- The owner's start pages: battles and games, options of a new game, and links for the players ---------------------


_SHOWN_GAMES = 12
_MOST_FIELDS_KEPT = 256
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content policy of a separate picture, which contains its own styles and no script."""


class FrontPages:
    """The pages to choose a battle and to start or continue a game."""

    def __init__(self, games: Games, battles: Battles, owner: Owner) -> None:
        self._games = games
        self._battles = battles
        self._fields: dict[tuple[str, str], str] = {}
        only = owner.only
        self.routes = [
            Route("/", only(self.hub)),
            Route("/enter/{key}", owner.enter),
            Route("/new/{scenario}", only(self.choose)),
            Route("/new/{scenario}", only(self.begin), methods=["POST"]),
            Route("/links/{name}", only(self.links)),
            Route("/links/{name}", only(self.sit), methods=["POST"]),
            Route("/scenario/{scenario}.svg", only(self.field)),
        ]

    async def hub(self, request: Request) -> Response:
        """Show the battles and the saved games."""
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
            "most": len(saved) if everything else _SHOWN_GAMES,
            "titles": {one["id"]: one["title"] for one in systems()},
            "ago": ago,
        }
        return HTMLResponse(render("start.html.j2", values))

    async def choose(self, request: Request) -> Response:
        """Show the options of a new game."""
        chosen = Form([("ruleset", request.query_params.get("ruleset", ""))])
        return await run_in_threadpool(self._choices, request.path_params["scenario"], chosen)

    async def begin(self, request: Request) -> Response:
        """Start a game with the options of the form, or show what is wrong with them."""
        form = await read_form(request)
        home = str(request.base_url)
        return await run_in_threadpool(self._begin, request.path_params["scenario"], form, home)

    def _begin(self, name: str, form: Form, home: str) -> Response:
        scenario = self._battles.scenario(name)
        try:
            if form.text("check"):
                return self._choices(name, form, fine=check_form(scenario, form))
            begun = begin(self._games, scenario, form)
        except ZarebaError as error:
            return self._choices(name, form, refused=str(error))
        alone = set(begun.links) <= {OWNER, WATCHERS}
        address = f"/game/{quote(begun.game.name)}/{next(iter(begun.links.values()))}"
        return RedirectResponse(address, 303) if alone else self._links_page(begun.game.name, home)

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
        """Show the links of a game to its owner."""
        name = request.path_params["name"]
        return await run_in_threadpool(self._links_page, name, str(request.base_url))

    async def sit(self, request: Request) -> Response:
        """Continue a game at the owner's seat, or create new links if the form asks for them."""
        form = await read_form(request)
        game = await self._games.opened(request.path_params["name"])
        return await run_in_threadpool(self._sit, game, form, str(request.base_url))

    def _sit(self, game: OpenGame, form: Form, home: str) -> Response:
        given = game.links.all()
        asked = form.beginning("seat.")
        if form.text("end"):
            game.links.end_all()
        if asked or form.text("end") or not any(link.token for link in given):
            before = _who_sits(given)
            links_for(game, {seat: asked.get(seat) or before.get(seat, ME) for seat in game.session.people})
            given = game.links.all()
        own = _own_link(given, set(game.session.people))
        if own is None or any(kind == FRIEND for kind in asked.values()):
            return self._links_page(game.name, home)
        return RedirectResponse(f"/game/{quote(game.name)}/{own}", 303)

    def _links_page(self, name: str, home: str) -> Response:
        values = {
            "title": "Links",
            "name": name,
            "home": home.rstrip("/"),
            "links": {
                one.whom: f"/game/{quote(name)}/{one.token}" for one in self._games.links(name).all() if one.token
            },
            "here_alone": _is_this_machine(home),
        }
        return HTMLResponse(render("links.html.j2", values))

    async def field(self, request: Request) -> Response:
        """Return the map of a battle; a small one has no labels, because they would be unreadable."""
        scenario = await run_in_threadpool(self._battles.scenario, request.path_params["scenario"])
        small = "small" if request.query_params.get("small") else ""
        drawn = await run_in_threadpool(self._drawn, scenario, small)
        headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "no-cache"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    def _drawn(self, scenario: Scenario, classes: str) -> str:
        key = scenario.digest, classes
        if (found := self._fields.get(key)) is None:
            if len(self._fields) >= _MOST_FIELDS_KEPT:
                self._fields.clear()
            found = self._fields[key] = picture(scenario, classes=classes)
        return found


def _own_link(links: Sequence[Link], people: set[str]) -> str | None:
    """Return the token with which the owner continues: the one of the owner's seats, or a watcher's if only AI players
    play.
    """
    tokens = {link.whom: link.token for link in links if link.token}
    if OWNER in tokens:
        return tokens[OWNER]
    return None if people else tokens.get(WATCHERS)


def _who_sits(links: Sequence[Link]) -> dict[str, str]:
    """Return the holder of each seat according to the links: the owner or a friend.

    Links of older games have no holder; the first one that opens a seat was the owner's.
    """
    first = next((link for link in links if link.seats), None)
    return {
        seat: ME if link.whom == OWNER or (not link.whom and link is first) else FRIEND
        for link in reversed(links)
        for seat in link.seats
    }


def _is_this_machine(home: str) -> bool:
    """Return True if an address works only on this computer."""
    return urlsplit(home).hostname in ("localhost", "127.0.0.1", "::1")


def ago(when: float) -> str:
    """Return the time since `when` in words; `when` is in seconds since the epoch."""
    minutes = max(0, round((time.time() - when) / 60))
    if minutes < 60:
        return "just now" if minutes < 2 else f"{minutes} minutes ago"
    hours = round(minutes / 60)
    return f"{amount(hours, 'hour')} ago" if hours < 48 else f"{round(hours / 24)} days ago"
