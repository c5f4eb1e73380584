"""One Chromium and one server for all browser tests of a worker. Each test begins its own game."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.chromium import LAPTOP, Server, browser, chromium, context_with_long_timeouts, serving

LEFT_OUT = (
    "no Chromium is on the PATH: the page is NOT tested by pointer, by keys, by touch, for access and for its network; "
    "install the distribution's package 'chromium'"
)

if chromium() is None:
    warnings.warn(LEFT_OUT, stacklevel=1)

NO_WAITING = "if (location.origin !== 'null') localStorage.setItem('zareba playback speed', '50')"
"""Script that lets the page play what happened so fast that no test waits for it."""


@pytest.fixture(scope="package")
def shared_browser() -> Iterator[Any]:
    """Chromium without a window."""
    if chromium() is None:
        pytest.skip(LEFT_OUT)
    with browser() as found:
        yield found


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which each test begins its own game."""
    with serving(tmp_path_factory.mktemp("shared") / "games") as made:
        yield made


@pytest.fixture
def empty_server(tmp_path: Path) -> Iterator[Server]:
    """A server without games, for tests that look at the list of games or stop it."""
    with serving(tmp_path / "games") as made:
        yield made


class Profiles:
    """The browser profiles of a worker, each used by one test after another.

    A profile keeps one blank page of the server open, so that its process and the scripts it has loaded remain. The
    first page of a game then takes a third of the processor time that it takes in a new profile.
    """

    def __init__(self, started: Any, server: Server) -> None:
        self._browser = started
        self._address = f"{server.home}/static/icon.svg"
        self._free: dict[str, list[Any]] = {}
        self._blank_pages: dict[Any, Any] = {}
        self.errors: list[str] = []

    def take(self, *, playback: bool, shared: bool, options: dict[str, Any]) -> tuple[Any, str]:
        """Return a profile with these options, and its key for `give_back`. Without `shared` it is a new one."""
        key = json.dumps([playback, options], sort_keys=True) if shared else ""
        if free := self._free.get(key):
            return free.pop(), key
        profile = context_with_long_timeouts(self._browser, **options)
        if not playback:
            profile.add_init_script(NO_WAITING)
        profile.on("weberror", lambda error: self.errors.append(str(error.error)))
        return profile, key

    def give_back(self, profile: Any, key: str) -> None:
        """Close the pages of a profile and clear what they stored, or close a profile that is not shared."""
        if not key:
            profile.close()
            return
        pages = [page for page in profile.pages if page is not self._blank_pages.get(profile)]
        if profile not in self._blank_pages:
            self._blank_pages[profile] = profile.new_page()
            self._blank_pages[profile].goto(self._address)
        for page in pages:
            page.close()
        self._blank_pages[profile].evaluate("localStorage.clear()")
        profile.clear_cookies()
        self._free.setdefault(key, []).append(profile)


@pytest.fixture(scope="package")
def profiles(shared_browser: Any, server: Server) -> Profiles:
    """The browser profiles of a worker."""
    return Profiles(shared_browser, server)


@pytest.fixture
def open_page(profiles: Profiles) -> Iterator[Callable[..., Any]]:
    """A function that opens a page in its own browser profile, with options of Playwright.

    Without options it is a laptop's, with neither animations nor a slow playback. A test that changes the scripts or
    the clock of the profile passes `shared=False`. An error in a script of any of its pages fails the test.
    """
    taken: list[tuple[Any, str]] = []

    def opened(*, playback: bool = False, shared: bool = True, **options: Any) -> Any:
        motion = "no-preference" if playback else "reduce"
        chosen = {"viewport": LAPTOP, "reduced_motion": motion, **options}
        taken.append(profiles.take(playback=playback, shared=shared, options=chosen))
        return taken[-1][0].new_page()

    profiles.errors.clear()
    yield opened
    for profile, key in taken:
        profiles.give_back(profile, key)
    assert not profiles.errors


@pytest.fixture
def page(open_page: Callable[..., Any]) -> Any:
    """A page on a laptop."""
    return open_page()


@pytest.fixture
def own_page(open_page: Callable[..., Any]) -> Any:
    """A page on a laptop whose profile no other test uses, for tests that change its scripts or its clock."""
    return open_page(shared=False)
