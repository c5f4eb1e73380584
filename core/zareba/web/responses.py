"""Pages from templates, JSON for scripts, and error responses that reveal no hidden or private information.

A person gets an error as a page, a script gets it as a sentence. All values in templates are escaped as text.
"""

from __future__ import annotations

import json
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from zareba.base.errors import ZarebaError
from zareba.base.grammar import in_a_sentence
from zareba.picture.signs import defs

_FOLDERS = re.compile(r"(?<![\w.:/\\<])(?:[A-Za-z]:)?(?:[/\\][^\s/\\:;,'\"()<>]+)+[/\\](?=[^\s/\\])")
"""The folders of an absolute path; the character before it is not part of a word or of a URL."""


def without_folders(words: str) -> str:
    """Return a sentence in which file paths are reduced to file names, because local folders are private."""
    for folder in _known_folders():
        words = words.replace(f"{folder}/", "").replace(f"{folder}\\", "").replace(folder, Path(folder).name)
    return _FOLDERS.sub("", words)


def _known_folders() -> list[str]:
    """Return folders whose names may contain spaces, the longest first."""
    found = {str(Path.home()), str(Path.cwd()), sys.prefix, *(entry for entry in sys.path if Path(entry).is_absolute())}
    return sorted((folder for folder in found if len(folder) > 1), key=len, reverse=True)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("zareba.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # installed templates do not change, and checking for changes is slow
    )
    environment.globals["symbols"] = defs()
    environment.filters["without_folders"] = without_folders
    environment.filters["in_a_sentence"] = in_a_sentence
    return environment


def render(template: str, values: dict[str, Any]) -> str:
    """Return a template filled with values."""
    return _environment().get_template(template).render(values)


def json_bytes(data: Any) -> bytes:
    """Return data as JSON for the script of a page."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).encode()


class Forbidden(ZarebaError):
    """Raised if a request is for something that belongs to someone else."""


class TooMany(ZarebaError):
    """Raised if one client sends too much at once."""


class Unknown(ZarebaError):
    """Raised if a thing does not exist or is not visible to the viewer; the message does not reveal which."""


async def refusal_response(request: Request, error: Exception) -> Response:
    """Return the response for a refused request, with the reason."""
    codes: dict[type[Exception], int] = {Forbidden: 403, Unknown: 404, TooMany: 429}
    code = codes.get(type(error), 409)
    words = without_folders(str(error)) or "There is no such game, or this link is no longer valid."
    is_action = request.method == "POST" and "/do/" in f"{request.url.path}/"
    if is_action or request.headers.get("accept", "").startswith("application/json"):
        return JSONResponse({"refused": words}, code)
    return message_page("This is not possible", words, code)


async def not_found_response(request: Request, _: Exception) -> Response:
    """Return the response for an unknown address."""
    return message_page("Page not found", f"There is no page {unquote(request.url.path)[:200]}.", 404)


async def failure_response(request: Request, error: Exception) -> Response:
    """Return the response for an internal error."""
    words = f"zareba failed with {type(error).__name__}. Nothing was lost: the journal has every accepted answer."
    if "/game/" in request.url.path:
        return JSONResponse({"refused": words}, 500)
    return message_page("Internal error", words, 500)


def message_page(title: str, words: str, code: int) -> Response:
    """Return a page with a heading and a sentence."""
    return HTMLResponse(render("message.html.j2", {"title": title, "words": words, "home": code != 403}), code)
