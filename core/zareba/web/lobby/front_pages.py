"""The first page, the options of a new game, and the links of a game's players."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
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
from zareba.web.form import FormData, read_form
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.games import Games, OpenGame
from zareba.web.lobby.links import OWNER, WATCHERS, Link
from zareba.web.lobby.owner import Owner
from zareba.web.lobby.rematch import seat_holders
from zareba.web.lobby.start import (
    FRIEND,
    ME,
    check_form,
    grant_links,
    list_battles,
    start_form_values,
    start_game,
    systems,
)
from zareba.web.lobby.tables import GameList
from zareba.web.responses import render

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
        self._started: dict[str, str] = {}
        """The address of the game that each form has started, by the id of the form."""
        only = owner.restricted
        self.routes = [
            Route("/", only(self.home)),
            Route("/enter/{key}", owner.enter),
            Route("/new/{scenario}", only(self.choose)),
            Route("/new/{scenario}", only(self.start_game), methods=["POST"]),
            Route("/links/{name}", only(self.links)),
            Route("/links/{name}", only(self.change_links), methods=["POST"]),
            Route("/scenario/{scenario}.svg", only(self.map_picture)),
        ]

    async def home(self, request: Request) -> Response:
        """Show the saved games and the battles."""
        return await run_in_threadpool(self._home, bool(request.query_params.get("all")))

    def _home(self, all_games: bool) -> Response:
        battles, faults = list_battles(self._battles)
        values = {"title": "Games", "scenarios": battles, "faults": faults, **self._list.values(all_games)}
        return HTMLResponse(render("start.html.j2", values))

    # --- a new game ---------------------------------------------------------------------------------------------------

    async def choose(self, request: Request) -> Response:
        """Show the options of a new game."""
        chosen = FormData([("ruleset", request.query_params.get("ruleset", ""))])
        return await run_in_threadpool(self._options_page, request.path_params["scenario"], chosen)

    async def start_game(self, request: Request) -> Response:
        """Start a game with the options of the form, or show what is wrong with them."""
        form = await read_form(request)
        return await run_in_threadpool(self._start_game, request.path_params["scenario"], form)

    def _start_game(self, name: str, form: FormData) -> Response:
        scenario, form_id = self._battles.scenario(name), form.text("form_id")
        if form_id in self._started:  # the same form was sent twice, by a double click or a reload
            return RedirectResponse(self._started[form_id], 303)
        try:
            if form.text("check"):
                return self._options_page(name, form, valid=check_form(scenario, form))
            started = start_game(self._games, scenario, form)
        except ZarebaError as error:
            return self._options_page(name, form, refused=str(error))
        game = quote(started.game.name)
        has_friends = not set(started.links) <= {OWNER, WATCHERS}
        first_token = next(iter(started.links.values()))
        address = f"/links/{game}" if has_friends else f"/game/{game}/{first_token}"
        if form_id:
            self._started[form_id] = address
            if len(self._started) > _MOST_FORMS_KEPT:
                self._started.pop(next(iter(self._started)))
        return RedirectResponse(address, 303)

    def _options_page(self, name: str, form: FormData, *, refused: str = "", valid: str = "") -> Response:
        """Return the page with the options of a new game. `refused` says why the form was refused, `valid` what it
        does.
        """
        scenario, installed, ruleset = self._battles.scenario(name), systems(), form.text("ruleset")
        chosen = ruleset if any(system["id"] == ruleset for system in installed) else installed[-1]["id"]
        values = {
            "title": scenario.title,
            "scenario": scenario,
            "name": name,
            "made": name in self._battles.own_names(),
            "systems": installed,
            **start_form_values(scenario, chosen, form),
            "refused": refused,
            "valid": valid,
            "form_id": secrets.token_urlsafe(9),
        }
        return HTMLResponse(render("choose.html.j2", values), 400 if refused else 200)

    # --- links --------------------------------------------------------------------------------------------------------

    async def links(self, request: Request) -> Response:
        """Show the links of a game to its owner."""
        game = await self._games.open_async(request.path_params["name"])
        return await run_in_threadpool(self._links_page, game, str(request.base_url))

    async def change_links(self, request: Request) -> Response:
        """Change the links of a game as the form asks, or go on to the owner's table if it asks for no change."""
        form = await read_form(request)
        game = await self._games.open_async(request.path_params["name"])
        return await run_in_threadpool(self._change_links, game, form)

    def _change_links(self, game: OpenGame, form: FormData) -> Response:
        links_page = RedirectResponse(f"/links/{quote(game.name)}", 303)
        if holder := form.text("replace"):
            game.links.replace(holder)
        elif side := form.text("friend"):
            self._give_side(game, side, game.game.narrator.name_of(side))
        elif side := form.text("mine"):
            self._give_side(game, side, OWNER)
        elif form.text("end"):
            before = seat_holders(game.links.all())
            game.links.end_all()
            _grant_missing(game, form.beginning("seat."), before)
        else:
            return self._go_to_table(game, form.beginning("seat.")) or links_page
        return links_page

    def _go_to_table(self, game: OpenGame, holders: Mapping[str, str]) -> Response | None:
        """Send the owner to the table; return None if the links must be sent to friends first.

        `holders` are those that the form gives to seats, ME or FRIEND, if it names any.
        """
        links = game.links.all()
        if holders or not any(link.token for link in links):
            _grant_missing(game, holders, seat_holders(links))
        token = _owner_token(game.links.all(), set(game.session.people))
        if token is None or FRIEND in holders.values():
            return None
        return RedirectResponse(f"/game/{quote(game.name)}/{token}", 303)

    def _give_side(self, game: OpenGame, side: str, holder: str) -> None:
        """Let the owner or a friend play a side. An AI player gives the side up."""
        sides = game.game.scenario.sides
        if side not in sides or game.session.seats[side] == SOLO:
            raise ZarebaError("that side cannot be played by a person")
        if game.session.seats[side] != HUMAN:
            game.change(lambda session: session.seat(side, HUMAN))
        game.links.move(side, holder)

    def _links_page(self, game: OpenGame, server: str) -> Response:
        """Return the page with the links of a game. `server` is the address under which the owner's browser knows
        it.
        """
        is_local = _is_this_machine(server)
        base = (self._network if is_local and self._network else server).rstrip("/")
        holders, over = seat_holders(game.links.all()), game.session.pending is None
        values: dict[str, Any] = {
            "title": f"Links: {game.game.scenario.title}",
            "name": game.name,
            "battle": game.game.scenario.title,
            "links": [_shown_link(game, link, base) for link in game.links.all() if link.token],
            "own": OWNER,
            "watchers": WATCHERS,
            "sides": [
                {"id": side, "name": entry.name, "kind": game.session.seats[side], "holder": holders.get(side, "")}
                for side, entry in game.game.scenario.sides.items()
                if game.session.seats[side] != SOLO and not over
            ],
            "network": self._network,
            "here_alone": is_local and not self._network,
        }
        return HTMLResponse(render("links.html.j2", values))

    # --- maps ---------------------------------------------------------------------------------------------------------

    async def map_picture(self, request: Request) -> Response:
        """Return the map of a battle; a small one has no labels, because they would be unreadable."""
        scenario = await run_in_threadpool(self._battles.scenario, request.path_params["scenario"])
        small = "small" if request.query_params.get("small") else ""
        svg = await run_in_threadpool(self._map_svg, scenario, small)
        headers = {"Content-Security-Policy": PICTURE_POLICY, "Cache-Control": "no-cache"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    def _map_svg(self, scenario: Scenario, classes: str) -> str:
        key = scenario.digest, classes
        if (svg := self._maps.get(key)) is None:
            if len(self._maps) >= _MOST_MAPS_KEPT:
                self._maps.clear()
            svg = self._maps[key] = picture(scenario, classes=classes)
        return svg


def _shown_link(game: OpenGame, link: Link, base: str) -> dict[str, Any]:
    """Return a link for the page: its holder, sides and the names of its people, its address and its QR code."""
    sides, names = game.game.scenario.sides, game.people.names
    address = f"/game/{quote(game.name)}/{link.token}"
    return {
        "holder": link.holder,
        "sides": [sides[seat].name for seat in link.seats if seat in sides],
        "names": list(dict.fromkeys(names[seat] for seat in link.seats if seat in names)),
        "address": address,
        "full_address": base + address,
        "qr_code": _qr_code(base + address),
    }


def _grant_missing(game: OpenGame, holders: Mapping[str, str], before: Mapping[str, str]) -> None:
    """Grant links for all seats that people play: to the given holders, else to those before, else to the owner."""
    grant_links(game, {seat: holders.get(seat) or before.get(seat, ME) for seat in game.session.people})


def _qr_code(address: str) -> str:
    """Return the QR code of an address as SVG, black on white."""
    return segno.make(address, error="m", micro=False).svg_inline(
        border=3, omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None, title="QR code of the link"
    )


def _owner_token(links: list[Link], people: set[str]) -> str | None:
    """Return the token with which the owner continues: that of the owner's seats, or a watcher's if only AI players
    play.

    Return None if only friends play.
    """
    tokens = {link.holder: link.token for link in links if link.token}
    if OWNER in tokens:
        return tokens[OWNER]
    return None if people else tokens.get(WATCHERS)


def _is_this_machine(address: str) -> bool:
    """Return True if an address works only on this computer."""
    return urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")
