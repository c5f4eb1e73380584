"""The owner's pages of comparisons: start, progress, stop, reports, and replays of their games."""

from __future__ import annotations

from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from zareba.agents import agent_names
from zareba.base.errors import ZarebaError
from zareba.web.form import FormData, read_form
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.comparisons import MOST_GAMES, RESULT_FILES, Comparisons
from zareba.web.lobby.games import Games
from zareba.web.lobby.owner import Owner
from zareba.web.lobby.start import list_battles, systems
from zareba.web.responses import render

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
"""Content policy of a report, which contains its own styles and plots and no script."""


class ReportPages:
    """The pages of comparisons."""

    def __init__(self, games: Games, battles: Battles, comparisons: Comparisons, owner: Owner) -> None:
        self._games = games
        self._battles = battles
        self._comparisons = comparisons
        self._watched_addresses: dict[tuple[str, str, int], str] = {}
        only, comparison = owner.restricted, "/comparisons/{name}"
        self.routes = [
            Route("/comparisons", only(self.all)),
            Route("/comparisons", only(self.start), methods=["POST"]),
            Route(comparison, only(self.one)),
            Route(f"{comparison}/progress", only(self.progress)),
            Route(f"{comparison}/stop", only(self.stop), methods=["POST"]),
            Route(f"{comparison}/again", only(self.again), methods=["POST"]),
            Route(f"{comparison}/watch", only(self.watch)),
            Route(f"{comparison}/{{file}}", only(self.file)),
        ]

    async def all(self, request: Request) -> Response:
        """Show all comparisons and the form for a new one."""
        chosen = FormData([("scenario", request.query_params.get("scenario", ""))])
        return await run_in_threadpool(self._all, chosen)

    def _all(self, form: FormData, refused: str = "") -> Response:
        battles, _ = list_battles(self._battles)
        values = {
            "title": "Comparisons",
            "comparisons": self._comparisons.all(),
            "scenarios": battles,
            "systems": systems(),
            "players": agent_names(),
            "most": MOST_GAMES,
            "refused": refused,
            "form": form,
            "ticked": form.all("rulesets") or [system["id"] for system in systems()],
        }
        return HTMLResponse(render("comparisons.html.j2", values), 400 if refused else 200)

    async def start(self, request: Request) -> Response:
        """Start a comparison."""
        form = await read_form(request)
        return await run_in_threadpool(self._start, form)

    def _start(self, form: FormData) -> Response:
        try:
            source = self._battles.source(form.text("scenario"))
            scenario = self._battles.scenario(form.text("scenario"))
            return RedirectResponse(f"/comparisons/{self._comparisons.start(source, scenario, form)}", 303)
        except ZarebaError as error:
            return self._all(form, str(error))

    async def one(self, request: Request) -> Response:
        """Show one comparison."""
        status = await run_in_threadpool(self._comparisons.status, request.path_params["name"])
        return HTMLResponse(render("comparison.html.j2", {"title": status.title, "comparison": status}))

    async def progress(self, request: Request) -> Response:
        """Return the progress of a comparison to the script of its page."""
        status = await run_in_threadpool(self._comparisons.status, request.path_params["name"])
        return JSONResponse({"html": render("progress.html.j2", {"comparison": status}), "state": status.state})

    async def stop(self, request: Request) -> Response:
        """Stop a comparison; its report covers the games played so far."""
        await run_in_threadpool(self._comparisons.stop, request.path_params["name"])
        return RedirectResponse(f"/comparisons/{request.path_params['name']}", 303)

    async def again(self, request: Request) -> Response:
        """Continue a comparison."""
        await run_in_threadpool(self._comparisons.resume, request.path_params["name"])
        return RedirectResponse(f"/comparisons/{request.path_params['name']}", 303)

    async def file(self, request: Request) -> Response:
        """Return the report, with a link back to its comparison, or its data files."""
        name, which = request.path_params["name"], request.path_params["file"]
        path = await run_in_threadpool(self._comparisons.result_file, name, which)
        content = await run_in_threadpool(path.read_bytes)
        headers = {"Content-Security-Policy": REPORT_POLICY}
        if which == "report.html":
            back = f'<p><a href="/comparisons/{quote(name)}">Back to the comparison</a></p>'
            content = content.replace(b"<body>", b"<body>" + back.encode(), 1)
        else:
            headers["Content-Disposition"] = f'attachment; filename="{which}"'
        return Response(content, media_type=RESULT_FILES[which], headers=headers)

    async def watch(self, request: Request) -> Response:
        """Replay a game of the comparison as a game that can be watched. A second visit opens the same game."""
        form = FormData(list(request.query_params.multi_items()))
        address = await run_in_threadpool(self._watch, request.path_params["name"], form)
        return RedirectResponse(address, 303)

    def _watch(self, name: str, form: FormData) -> str:
        variant, game = form.text("variant"), form.integer("game")
        if (watched := self._watched_addresses.get((name, variant, game))) is None:
            with self._games.new_path(f"watched-{name}", f"game{game}") as path:
                opened = self._games.add(path, self._comparisons.replay_game(name, variant, game, path))
            watched = f"/game/{quote(opened.name)}/{opened.links.grant([])}#replay"
            self._watched_addresses[name, variant, game] = watched
        return watched
