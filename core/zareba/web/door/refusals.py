"""How a server says no: a page for people, a sentence for the script of a page; never more than may be known."""

from __future__ import annotations

from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from zareba.base.errors import ZarebaError
from zareba.web.door.folders import without_folders
from zareba.web.door.pages import render

__all__ = ["Forbidden", "Unknown", "failed", "message", "nothing", "refused"]


class Forbidden(ZarebaError):
    """Somebody asked for what is another's."""


class Unknown(ZarebaError):
    """There is no such thing, or not for him; which of the two is not said."""


async def refused(request: Request, error: Exception) -> Response:
    """What could not be done, and why."""
    code = 403 if isinstance(error, Forbidden) else 404 if isinstance(error, Unknown) else 409
    words = without_folders(str(error)) or "There is no such game, or this link is no longer good."
    if (request.method == "POST" and "/do/" in f"{request.url.path}/") or request.headers.get("accept", "").startswith(
        "application/json"
    ):
        return JSONResponse({"refused": words}, code)
    return message("This cannot be done", words, code)


async def nothing(request: Request, _: Exception) -> Response:
    """An address that leads nowhere."""
    return message("There is nothing here", f"No page is called {unquote(request.url.path)[:200]}.", 404)


async def failed(request: Request, error: Exception) -> Response:
    """A fault of the server's own."""
    words = (
        f"zareba itself failed with {type(error).__name__}. Nothing was lost: the journal has every accepted answer."
    )
    return JSONResponse({"refused": words}, 500) if "/game/" in request.url.path else message("A fault", words, 500)


def message(title: str, words: str, code: int) -> Response:
    """A page with a heading and a sentence."""
    return HTMLResponse(render("message.html.j2", {"title": title, "words": words, "home": code != 403}), code)
