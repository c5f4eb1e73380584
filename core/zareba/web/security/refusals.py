"""Error responses: a page for people, a sentence for the script. They never reveal hidden information."""

from __future__ import annotations

from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from zareba.base.errors import ZarebaError
from zareba.web.security.folders import without_folders
from zareba.web.security.pages import render

__all__ = ["Forbidden", "Unknown", "failed", "message", "nothing", "refused"]


class Forbidden(ZarebaError):
    """Raised if a request is for something that belongs to someone else."""


class Unknown(ZarebaError):
    """Raised if a thing does not exist or is not visible to the viewer; the message does not reveal which."""


async def refused(request: Request, error: Exception) -> Response:
    """Return the response for a refused request, with the reason."""
    code = 403 if isinstance(error, Forbidden) else 404 if isinstance(error, Unknown) else 409
    words = without_folders(str(error)) or "There is no such game, or this link is no longer valid."
    if (request.method == "POST" and "/do/" in f"{request.url.path}/") or request.headers.get("accept", "").startswith(
        "application/json"
    ):
        return JSONResponse({"refused": words}, code)
    return message("This is not possible", words, code)


async def nothing(request: Request, _: Exception) -> Response:
    """Return the response for an unknown address."""
    return message("Page not found", f"There is no page {unquote(request.url.path)[:200]}.", 404)


async def failed(request: Request, error: Exception) -> Response:
    """Return the response for an internal error."""
    words = f"zareba failed with {type(error).__name__}. Nothing was lost: the journal has every accepted answer."
    return (
        JSONResponse({"refused": words}, 500) if "/game/" in request.url.path else message("Internal error", words, 500)
    )


def message(title: str, words: str, code: int) -> Response:
    """Return a page with a heading and a sentence."""
    return HTMLResponse(render("message.html.j2", {"title": title, "words": words, "home": code != 403}), code)
