"""The owner of the server, who holds the printed key and can start games, run comparisons and make battles."""

from __future__ import annotations

import hmac
import time
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from zareba.base.grammar import amount
from zareba.web.responses import Forbidden, message_page

_COOKIE = "zareba_owner"
Page = Callable[[Request], Awaitable[Response]]


class Owner:
    """The owner of a server, recognized by a cookie that the printed address sets."""

    def __init__(self, key: str) -> None:
        self._key = key

    def is_key(self, key: str) -> bool:
        """Return True if this is the owner's key. The comparison takes the same time for any wrong key."""
        return hmac.compare_digest(key.encode(errors="replace"), self._key.encode())

    def is_owner(self, request: Request) -> bool:
        """Return True if a request comes from the owner's browser."""
        return self.is_key(request.cookies.get(_COOKIE, ""))

    def restricted(self, page: Page) -> Page:
        """Return the same page, restricted to the owner."""

        async def guarded(request: Request) -> Response:
            if not self.is_owner(request):
                raise Forbidden(
                    "This page is for the person who started the server. Open the address that 'zareba serve' printed last."
                )
            return await page(request)

        return guarded

    async def enter(self, request: Request) -> Response:
        """Set the owner's cookie for a browser that opens the printed address."""
        if not self.is_key(request.path_params["key"]):
            return message_page("Invalid key", "Open the address that 'zareba serve' printed last.", 403)
        response = RedirectResponse("/", 303)
        response.set_cookie(_COOKIE, request.path_params["key"], httponly=True, samesite="strict", path="/")
        return response


def ago(when: float) -> str:
    """Return the time since `when` in words; `when` is in seconds since the epoch."""
    minutes = max(0, round((time.time() - when) / 60))
    if minutes < 60:
        return "just now" if minutes < 2 else f"{minutes} minutes ago"
    hours = round(minutes / 60)
    return f"{amount(hours, 'hour')} ago" if hours < 48 else f"{round(hours / 24)} days ago"
