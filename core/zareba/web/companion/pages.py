"""The addresses of the companion: start an evening, show its book, and take what people tap."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Protocol
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.base.errors import ZarebaError
from zareba.companion import crew_of, new_evening, open_evening, rules_found, scenario_of_list, side_named
from zareba.companion.evening import SUFFIX
from zareba.companion.typed_forces import EXAMPLE
from zareba.registry import find_house_rule, load_rules, ruleset, ruleset_names
from zareba.rules import Rules
from zareba.rules.catalogue import SOURCES
from zareba.web.companion.open_evening import OpenEvening
from zareba.web.form import FormData, read_form
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.links import Links
from zareba.web.lobby.owner import Owner
from zareba.web.lobby.start import list_battles
from zareba.web.responses import Unknown, json_bytes, render


class Chart(Protocol):
    """A chart of the quick sheet: its title, column heads and rows."""

    @property
    def title(self) -> str:
        """The title."""
        ...

    @property
    def heads(self) -> Sequence[str]:
        """The heads of the columns."""
        ...

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """The rows, each with a text for each column."""
        ...


Charts = Callable[[Rules], Sequence[Chart]]
"""Returns the charts of the quick sheet. The command passes it in, because the page does not import the report."""


class CompanionPages:
    """The pages of evenings at a real table. The owner starts them; everyone with a link keeps the book.

    Without `charts` there is no page with the quick sheet. `trusted` returns the Python house rules that an evening may
    run: files that the owner has named.
    """

    def __init__(
        self,
        folder: Path,
        battles: Battles,
        owner: Owner,
        charts: Charts | None = None,
        trusted: Callable[[Path], Sequence[Path]] = lambda _: (),
    ) -> None:
        self._folder = folder
        self._trusted = trusted
        self._battles = battles
        self._charts = charts
        self._open: dict[str, OpenEvening] = {}
        self._lock = Lock()
        table = "/companion/{name}/{token}"
        self.routes = [
            Route("/companion", owner.restricted(self.start)),
            Route("/companion", owner.restricted(self.begin), methods=["POST"]),
            Route("/companion/{name}", owner.restricted(self.enter)),
            Route("/companion/{name}/links", owner.restricted(self.links)),
            Route(table, self.page),
            Route(f"{table}/book", self._query(lambda *seen: {"html": _book(*seen)})),
            Route(f"{table}/version", self._query(lambda found, *_: {"version": found.version})),
            Route(f"{table}/cards", self.cards),
            Route(f"{table}/log", self.log),
            Route(f"{table}/rules", self.rules),
            *([Route(f"{table}/sheet", self.sheet)] if charts is not None else []),
            Route(f"{table}/do", self.do, methods=["POST"]),
        ]

    def close(self) -> None:
        """Close the files of all open evenings."""
        for found in self._open.values():
            found.evening.close()

    # --- starting -----------------------------------------------------------------------------------------------------

    async def start(self, request: Request) -> Response:
        """Show the saved evenings and the form for a new one."""
        return await run_in_threadpool(self._start_page, "", FormData([]))

    def _start_page(self, refused: str, form: FormData) -> Response:
        scenarios, _ = list_battles(self._battles)
        saved = sorted(self._folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
        systems = [
            (name, load_rules(name).book.title) for name in ruleset_names() if ruleset(name).companion is not None
        ]
        values = {
            "title": "At a real table",
            "saved": [path.stem for path in saved],
            "systems": systems,
            "scenarios": [(listed["id"], listed["title"]) for listed in scenarios],
            "example": EXAMPLE,
            "refused": refused,
            "form": {
                name: form.text(name) for name in ("ruleset", "battle", "forces", "settings", "house_rules", "solo")
            },
        }
        return HTMLResponse(render("companion_start.html.j2", values), 400 if refused else 200)

    async def begin(self, request: Request) -> Response:
        """Start an evening with the forces of the form, and go to its table."""
        form = await read_form(request)
        try:
            address = await run_in_threadpool(self._begin, form)
        except ZarebaError as error:
            return await run_in_threadpool(self._start_page, str(error), form)
        return RedirectResponse(address, 303)

    def _begin(self, form: FormData) -> str:
        name, forces = form.text("ruleset"), form.text("forces")
        scenario = (
            scenario_of_list(forces, crew=crew_of(name)) if forces else self._battles.scenario(form.text("battle"))
        )
        rules = [
            find_house_rule(line) for line in form.text("house_rules").split() if "/" not in line and "\\" not in line
        ]
        with self._lock:
            self._folder.mkdir(parents=True, exist_ok=True)
            paths = (self._folder / f"{scenario.id}-{name}-{number}{SUFFIX}" for number in count(1))
            path = next(path for path in paths if not path.exists())
            evening = new_evening(
                name,
                scenario,
                seed=secrets.randbelow(2**32),
                settings=_settings(form.text("settings")),
                house_rules=rules,
                solo=[side_named(scenario, line.strip()) for line in form.text("solo").splitlines() if line.strip()],
                path=path,
            )
            found = self._open[path.stem] = OpenEvening(evening, path)
        return self._address(found)

    def _address(self, found: OpenEvening) -> str:
        """Return the address for the owner of an evening; the link is created on first use."""
        return found.shared("")[0]["address"]

    async def enter(self, request: Request) -> Response:
        """Open a saved evening for the owner."""
        found = await run_in_threadpool(self._opened, request.path_params["name"])
        return RedirectResponse(self._address(found), 303)

    async def links(self, request: Request) -> Response:
        """Show the owner the links for the other phones."""
        found = await run_in_threadpool(self._opened, request.path_params["name"])
        shared = found.shared(str(request.base_url).rstrip("/"))
        values = {"title": "Links", "name": found.name, "links": shared, "mine": self._address(found)}
        return HTMLResponse(render("companion_links.html.j2", values))

    def _opened(self, name: str) -> OpenEvening:
        """Return an evening by its name, opened if necessary. Raises Unknown if there is none."""
        with self._lock:
            if name not in self._open:
                path = self._path_of(name)
                self._open[name] = OpenEvening(open_evening(path, self._trusted(path)), path)
            return self._open[name]

    def _path_of(self, name: str) -> Path:
        """Return the file of an evening by its name. Raises Unknown if there is none."""
        path = next((path for path in self._folder.glob(f"*{SUFFIX}") if path.stem == name), None)
        if path is None:
            raise Unknown
        return path

    # --- the table ----------------------------------------------------------------------------------------------------

    def _seated(self, request: Request) -> tuple[OpenEvening, frozenset[str]]:
        """Return the evening of a link and the seats that the link opens."""
        name = request.path_params["name"]
        known = self._open.get(name)
        links = known.links if known is not None else Links(self._path_of(name))
        seats = links.seats_of(request.path_params["token"])
        if seats is None:
            raise Unknown
        try:
            return self._opened(name), seats
        except Unknown:
            raise
        except ZarebaError as error:  # the reason names files, which are the owner's business
            raise ZarebaError(
                "This evening cannot be opened. Ask its owner to choose it at 'At a real table', which shows the reason."
            ) from error

    async def page(self, request: Request) -> Response:
        """Show the book."""
        return HTMLResponse(await run_in_threadpool(self._page, request, "companion.html.j2"))

    async def cards(self, request: Request) -> Response:
        """Show the unit cards to print."""
        return HTMLResponse(await run_in_threadpool(self._page, request, "companion_cards.html.j2"))

    async def log(self, request: Request) -> Response:
        """Show everything that has happened so far."""
        return HTMLResponse(await run_in_threadpool(self._log, request))

    def _log(self, request: Request) -> str:
        found, seats = self._seated(request)
        with found.lock:
            title = found.evening.game.scenario.title
            return render(
                "companion_log.html.j2", {"title": title, "base": _base(request), "log": found.whole_log(seats)}
            )

    async def rules(self, request: Request) -> Response:
        """Show the rules with a number or with some words."""
        return HTMLResponse(await run_in_threadpool(self._rules, request))

    def _rules(self, request: Request) -> str:
        found, _ = self._seated(request)
        typed, refused = request.query_params.get("words", ""), ""
        rules: Mapping[str, Any] = {}
        try:
            rules = rules_found(found.evening, typed)
        except ZarebaError as error:
            refused = str(error)
        title = found.evening.game.rules.book.title
        values = {"title": title, "base": _base(request), "words": typed, "refused": refused, "sources": SOURCES}
        return render("companion_rules.html.j2", {**values, "rules": rules})

    async def sheet(self, request: Request) -> Response:
        """Show the charts with tonight's numbers."""
        return HTMLResponse(await run_in_threadpool(self._sheet, request))

    def _sheet(self, request: Request) -> str:
        found, _ = self._seated(request)
        assert self._charts is not None, "the address exists only with charts"
        rules = found.evening.game.rules
        values = {"title": rules.book.title, "base": _base(request), "charts": self._charts(rules)}
        return render("companion_sheet.html.j2", values)

    def _page(self, request: Request, template: str) -> str:
        found, seats = self._seated(request)
        with found.lock:
            title = found.evening.game.scenario.title
            values = {"title": title, "name": found.name, "base": _base(request), **found.shown(seats)}
            values["has_charts"] = self._charts is not None
            values["sheets"] = found.sheets(f"{str(request.base_url).rstrip('/')}{_base(request)}")
            return render(template, values)

    def _query(
        self, look_up: Callable[[OpenEvening, frozenset[str], Request], Any]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of an address that sends a part of the page."""

        def locked(request: Request) -> bytes:
            found, seats = self._seated(request)
            with found.lock:
                return json_bytes(look_up(found, seats, request))

        async def answer(request: Request) -> Response:
            return Response(await run_in_threadpool(locked, request), media_type="application/json")

        return answer

    async def do(self, request: Request) -> Response:
        """Do what people have tapped. The script gets the new book; a page without scripts is shown again."""
        form = await read_form(request)
        html = await run_in_threadpool(partial(self._do, request, form))
        if request.headers.get("accept", "").startswith("application/json"):
            return JSONResponse({"html": html})
        return RedirectResponse(request.url.path.removesuffix("/do"), 303)

    def _do(self, request: Request, form: FormData) -> str:
        found, seats = self._seated(request)
        with found.lock:
            found.act(form, seats)
            return _book(found, seats, request)


def _base(request: Request) -> str:
    """Return the address of the table that a request is about."""
    return f"/companion/{quote(request.path_params['name'])}/{quote(request.path_params['token'])}"


def _book(found: OpenEvening, seats: frozenset[str], request: Request) -> str:
    return render("companion_book.html.j2", {"base": _base(request), **found.shown(seats)})


def _settings(text: str) -> dict[str, str]:
    """Return settings that were typed one a line, NAME=VALUE."""
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, equals, value = line.partition("=")
        if not equals:
            raise ZarebaError(f"'{line[:40]}' is not a setting; write NAME=VALUE")
        found[name.strip()] = value.strip()
    return found
