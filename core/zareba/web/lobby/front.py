"""The first page, the options of a new game, and the links of a game's players."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import quote, urlsplit

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.base.errors import ZarebaError
from zareba.picture import picture
from zareba.scenario import Scenario
from zareba.session.session import HUMAN, SOLO
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.games import Games, OpenGame
from zareba.web.lobby.links import OWNER, WATCHERS, Link
from zareba.web.lobby.owner import Owner
from zareba.web.lobby.rematch import who_sits
from zareba.web.lobby.start import FRIEND, ME, begin, check_form, links_for, systems, told_of, what_to_choose
from zareba.web.lobby.tables import GameList
from zareba.web.security import Form, read_form, render

_MOST_MAPS_KEPT = 256
_MOST_FORMS_KEPT = 256
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Content policy of a separate picture, which contains its own styles and no script."""


class FrontPages:
    """The pages to choose a battle, to start or continue a game, and to invite players.

    `network` is the address of the server for other devices, "" if they cannot reach it.
    """

    def __init__(self, games: Games, battles: Battles, owner: Owner, network: str = "") -> None:
        self._games = games
        self._battles = battles
        self._network = network
        self._list = GameList(games)
        self._maps: dict[tuple[str, str], str] = {}
        self._begun: dict[str, str] = {}
        only = owner.only
        self.routes = [
            Route("/", only(self.hub)),
            Route("/enter/{key}", owner.enter),
            Route("/new/{scenario}", only(self.choose)),
            Route("/new/{scenario}", only(self.start_game), methods=["POST"]),
            Route("/links/{name}", only(self.links)),
            Route("/links/{name}", only(self.sit), methods=["POST"]),
            Route("/scenario/{scenario}.svg", only(self.map_picture)),
        ]

    async def hub(self, request: Request) -> Response:
        """Show the saved games and the battles."""
        return await run_in_threadpool(self._hub, bool(request.query_params.get("all")))

    def _hub(self, everything: bool) -> Response:
        battles, faults = told_of(self._battles)
        values = {"title": "Games", "scenarios": battles, "faults": faults, **self._list.values(everything)}
        return HTMLResponse(render("start.html.j2", values))

    # --- a new game ------------------------------------------------------------------------------------------------------

    async def choose(self, request: Request) -> Response:
        """Show the options of a new game."""
        chosen = Form([("ruleset", request.query_params.get("ruleset", ""))])
        return await run_in_threadpool(self._choices, request.path_params["scenario"], chosen)

    async def start_game(self, request: Request) -> Response:
        """Start a game with the options of the form, or show what is wrong with them."""
        form = await read_form(request)
        return await run_in_threadpool(self._start_game, request.path_params["scenario"], form)

    def _start_game(self, name: str, form: Form) -> Response:
        scenario, once = self._battles.scenario(name), form.text("once")
        if once in self._begun:  # the same form was sent twice, by a double click or a reload
            return RedirectResponse(self._begun[once], 303)
        try:
            if form.text("check"):
                return self._choices(name, form, fine=check_form(scenario, form))
            begun = begin(self._games, scenario, form)
        except ZarebaError as error:
            return self._choices(name, form, refused=str(error))
        alone = set(begun.links) <= {OWNER, WATCHERS}
        game = quote(begun.game.name)
        address = f"/game/{game}/{next(iter(begun.links.values()))}" if alone else f"/links/{game}"
        if once:
            self._begun[once] = address
            if len(self._begun) > _MOST_FORMS_KEPT:
                self._begun.pop(next(iter(self._begun)))
        return RedirectResponse(address, 303)

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
            "once": secrets.token_urlsafe(9),
        }
        return HTMLResponse(render("choose.html.j2", values), 400 if refused else 200)

    # --- links -----------------------------------------------------------------------------------------------------------

    async def links(self, request: Request) -> Response:
        """Show the links of a game to its owner."""
        game = await self._games.opened(request.path_params["name"])
        return await run_in_threadpool(self._links_page, game, str(request.base_url))

    async def sit(self, request: Request) -> Response:
        """Continue a game at the owner's seat, or change its links if the form asks for that."""
        form = await read_form(request)
        game = await self._games.opened(request.path_params["name"])
        return await run_in_threadpool(self._sit, game, form)

    def _sit(self, game: OpenGame, form: Form) -> Response:
        links, asked = game.links, form.beginning("seat.")
        page = RedirectResponse(f"/links/{quote(game.name)}", 303)
        if form.text("replace"):
            links.replace(form.text("replace"))
            return page
        if side := form.text("friend"):
            self._give(game, side, game.game.narrator.name_of(side))
            return page
        if side := form.text("mine"):
            self._give(game, side, OWNER)
            return page
        given = links.all()
        if form.text("end"):
            links.end_all()
        if asked or form.text("end") or not any(link.token for link in given):
            before = who_sits(given)
            links_for(game, {seat: asked.get(seat) or before.get(seat, ME) for seat in game.session.people})
            given = links.all()
        own = _own_link(given, set(game.session.people))
        if own is None or form.text("end") or any(kind == FRIEND for kind in asked.values()):
            return page
        return RedirectResponse(f"/game/{quote(game.name)}/{own}", 303)

    def _give(self, game: OpenGame, side: str, whom: str) -> None:
        """Let the owner or a friend play a side. An AI player gives the side up."""
        sides = game.game.scenario.sides
        if side not in sides or game.session.seats[side] == SOLO:
            raise ZarebaError("that side cannot be played by a person")
        if game.session.seats[side] != HUMAN:
            game.change(lambda session: session.seat(side, HUMAN))
        game.links.move(side, whom)

    def _links_page(self, game: OpenGame, home: str) -> Response:
        here = _is_this_machine(home)
        base = (self._network if here and self._network else home).rstrip("/")
        sides, people = game.game.scenario.sides, game.people
        shown = [
            {
                "whom": link.whom,
                "sides": [sides[seat].name for seat in link.seats if seat in sides],
                "names": [*dict.fromkeys(people.names[seat] for seat in link.seats if seat in people.names)],
                "address": f"/game/{quote(game.name)}/{link.token}",
                "whole": (whole := f"{base}/game/{quote(game.name)}/{link.token}"),
                "code": _qr_code(whole),
            }
            for link in game.links.all()
            if link.token
        ]
        holders, over = who_sits(game.links.all()), game.session.pending is None
        values: dict[str, Any] = {
            "title": f"Links: {game.game.scenario.title}",
            "name": game.name,
            "battle": game.game.scenario.title,
            "links": shown,
            "own": OWNER,
            "watchers": WATCHERS,
            "sides": [
                {"id": side, "name": entry.name, "kind": game.session.seats[side], "holder": holders.get(side, "")}
                for side, entry in sides.items()
                if game.session.seats[side] != SOLO and not over
            ],
            "network": self._network,
            "here_alone": here and not self._network,
        }
        return HTMLResponse(render("links.html.j2", values))

    # --- maps ------------------------------------------------------------------------------------------------------------

    async def map_picture(self, request: Request) -> Response:
        """Return the map of a battle; a small one has no labels, because they would be unreadable."""
        scenario = await run_in_threadpool(self._battles.scenario, request.path_params["scenario"])
        small = "small" if request.query_params.get("small") else ""
        drawn = await run_in_threadpool(self._drawn, scenario, small)
        headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "no-cache"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    def _drawn(self, scenario: Scenario, classes: str) -> str:
        key = scenario.digest, classes
        if (found := self._maps.get(key)) is None:
            if len(self._maps) >= _MOST_MAPS_KEPT:
                self._maps.clear()
            found = self._maps[key] = picture(scenario, classes=classes)
        return found


def _qr_code(address: str) -> str:
    """Return the QR code of an address as SVG, black on white."""
    return segno.make(address, error="m", micro=False).svg_inline(
        border=3, omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None, title="QR code of the link"
    )


def _own_link(links: list[Link], people: set[str]) -> str | None:
    """Return the token with which the owner continues: the one of the owner's seats, or a watcher's if only AI players
    play.
    """
    tokens = {link.whom: link.token for link in links if link.token}
    if OWNER in tokens:
        return tokens[OWNER]
    return None if people else tokens.get(WATCHERS)


def _is_this_machine(home: str) -> bool:
    """Return True if an address works only on this computer."""
    return urlsplit(home).hostname in ("localhost", "127.0.0.1", "::1")
