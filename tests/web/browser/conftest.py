"""One Chromium and one server for all browser tests of a worker. Each test begins its own game."""

from __future__ import annotations

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


@pytest.fixture
def open_page(shared_browser: Any) -> Iterator[Callable[..., Any]]:
    """A function that opens a page in its own browser profile, with options of Playwright.

    Without options it is a laptop's, with neither animations nor a slow playback. An error in a script of any of its
    pages fails the test.
    """
    profiles: list[Any] = []
    errors: list[str] = []

    def opened(*, playback: bool = False, **options: Any) -> Any:
        motion = "no-preference" if playback else "reduce"
        profile = context_with_long_timeouts(
            shared_browser, **{"viewport": LAPTOP, "reduced_motion": motion, **options}
        )
        if not playback:
            profile.add_init_script(NO_WAITING)
        profile.on("weberror", lambda error: errors.append(str(error.error)))
        profiles.append(profile)
        return profile.new_page()

    yield opened
    for profile in profiles:
        profile.close()
    assert not errors


@pytest.fixture
def page(open_page: Callable[..., Any]) -> Any:
    """A page on a laptop."""
    return open_page()
