"""Firefox for tests of the page, driven over WebDriver BiDi, which the distribution's Firefox offers without a
driver.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.web.chromium import PATIENCE


def firefox() -> str | None:
    """Return the path of the system's Firefox, or None."""
    return next((found for name in ("firefox-esr", "firefox") if (found := shutil.which(name))), None)


class Firefox:
    """One tab of a Firefox without a window."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._sent = 0
        self.errors: list[str] = []
        self._command("session.new", capabilities={})
        self._command("session.subscribe", events=["log.entryAdded"])
        self._tab: str = self._command("browsingContext.getTree")["contexts"][0]["context"]

    def _command(self, method: str, **params: Any) -> Any:
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE / 1000))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == self._sent:
                assert message["type"] == "success", message
                return message["result"]

    def goto(self, address: str) -> None:
        """Open an address and wait until the page is loaded."""
        self._command("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Give the page a size in pixels."""
        self._command("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})

    def evaluate(self, expression: str) -> Any:
        """Return the JSON value of an expression; it may be a promise."""
        found = self._command(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then(one => JSON.stringify(one ?? null))",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def wait_for(self, expression: str) -> Any:
        """Wait until an expression is true, and return its value."""
        return self.evaluate(
            f"new Promise(done => {{ const look = () => {{ const found = {expression}; "
            "found ? done(found) : setTimeout(look, 20); }; look(); })"
        )

    def picture(self) -> bytes:
        """Return a picture of the page as base64-encoded PNG."""
        found: str = self._command("browsingContext.captureScreenshot", context=self._tab)["data"]
        return found.encode()


@contextmanager
def started_firefox() -> Iterator[Firefox]:
    """Start Firefox without a window."""
    from websockets.sync.client import connect

    command = [firefox() or "firefox", "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile"]
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen([*command, profile], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            assert process.stderr is not None
            found = next(line for line in process.stderr if "WebDriver BiDi listening" in line)
            address = re.search(r"ws://\S+", found)
            assert address, found
            with connect(f"{address[0]}/session", max_size=None) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
            process.wait()
