"""The page in Firefox, where the distribution has it: questions, odds, advice, a low window, and the start pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.chromium import Server
from tests.web.firefox import Firefox, firefox, started_firefox

pytestmark = pytest.mark.skipif(firefox() is None, reason="no Firefox is on the PATH")

VERSION = "document.getElementById('main').dataset.version"
READY = "document.querySelector('#question h2') && !document.body.matches('.thinking, .fresh, .busy, .catching-up')"


@pytest.fixture(scope="module")
def page() -> Iterator[Firefox]:
    with started_firefox() as found:
        yield found


def press(page: Firefox, selector: str) -> None:
    """Press a button that changes the game, and wait for the next question."""
    was = page.evaluate(VERSION)
    page.wait_for(f"document.querySelector({selector!r})?.click() ?? true")
    page.wait_for(f"{VERSION} !== {was!r} && {READY}")


def test_a_game_is_played_in_firefox(server: Server, page: Firefox, tmp_path: Path) -> None:
    page.resize(1366, 768)
    page.goto(server.enter)
    assert page.evaluate("document.querySelectorAll('.cards .card').length") >= 8
    page.goto(f"{server.home}/new/patrol_clash?ruleset=vcc")
    page.evaluate("document.querySelector('.begin').click()")
    page.wait_for("document.getElementById('asks')")
    page.wait_for(READY)
    press(page, "[data-set-up]")
    for _ in range(60):
        if page.evaluate("document.querySelectorAll('.odds-line').length"):
            break
        page.evaluate("document.querySelector('[data-advice]').click()")
        page.wait_for("document.querySelector('#advice .take')")
        press(page, "#advice .take")
    words = page.wait_for("document.querySelector('.odds-line:not([data-computing])')?.textContent")
    assert "losses" in words or "lost" in words or "no losses" in words
    assert page.evaluate("document.querySelectorAll('#pieces .can').length") > 0
    assert page.errors == []


@pytest.mark.deep
def test_the_map_stays_large_in_a_low_window_of_firefox(server: Server, page: Firefox) -> None:
    page.resize(683, 384)
    page.goto(server.enter)
    page.goto(f"{server.home}/new/patrol_clash?ruleset=fixed_baynet")
    page.evaluate("document.querySelector('.begin').click()")
    page.wait_for("document.getElementById('asks')")
    box = page.evaluate("document.getElementById('table').getBoundingClientRect()")
    assert box["width"] >= 0.6 * 683 and box["bottom"] <= 384
    assert page.evaluate("document.documentElement.scrollWidth") <= 683
