"""The pictures of the README: a table in play and a report. `make pictures` makes them again.

python tests/web/looks/pictures.py docs/pictures
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.web.chromium import (
    DESK,
    Server,
    begin,
    browser,
    call,
    context_with_long_timeouts,
    version,
    wait_for_change,
    wait_for_question,
)

QUALITY = 82
SEED, TURNS = 7, 2
"""Turns that doctrine plays for both sides, so that the battle is under way."""
MOST, VOLLEYS = 60, 3
"""The maximum number of questions to answer, and the number of the volley to point at."""
WISHES = ("volley", "halt", "up")
"""Options taken when offered, so that units halt and fire."""


def table(found: Any, folder: Path, target: Path) -> None:
    """Take the picture of the mission station under The Paychest in its third turn, with the odds of a volley."""
    server = Server(folder / "games")
    page = context_with_long_timeouts(found, viewport=DESK, device_scale_factor=1.5).new_page()
    try:
        begin(page, server, "paychest", "mission_station", seed=SEED)
        wait_for_question(page)
        call(page, "game/actions.act", "delegate", {"scope": "turn", "player": "doctrine", "turns": TURNS})
        volleys = 0
        for _ in range(MOST):
            wait_for_question(page)
            phrases = page.locator("#question .phrase").all_inner_texts()
            chosen = next((phrases.index(wish) for wish in WISHES if wish in phrases), 0)
            if "hold fire" in phrases:
                chosen = next(place for place, phrase in enumerate(phrases) if phrase != "hold fire")
                volleys += 1
                if volleys == VOLLEYS:
                    point_at(page, chosen)
                    break
            was = version(page)
            page.locator("#question [data-option]").nth(chosen).click()
            wait_for_change(page, was)
        page.wait_for_timeout(600)
        page.screenshot(path=target, type="jpeg", quality=QUALITY)
    finally:
        server.kill()


def point_at(page: Any, number: int) -> None:
    """Request all outcomes of an option, and point at it."""
    option = page.locator(f"#question [data-option='{number}']")
    option.hover()
    page.click("#odds [data-whole]")
    page.wait_for_selector("#odds .comes")
    for part in ("#side", "#odds"):
        page.locator(part).evaluate("part => part.scrollTo(0, 0)")


def report(found: Any, folder: Path, target: Path) -> None:
    """Take the picture of the top of a comparison of two rulesets."""
    out = folder / "report"
    command = [
        sys.executable,
        "-m",
        "zareba",
        "compare",
        "patrol_clash",
        "--rulesets",
        "vcc,afriboria",
        "--games",
        "60",
        "--seed",
        "1",
    ]
    subprocess.run([*command, "--out", str(out)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    page = context_with_long_timeouts(found, viewport={**DESK, "height": 730}, device_scale_factor=1.5).new_page()
    page.goto((out / "report.html").as_uri())
    page.screenshot(path=target, type="jpeg", quality=QUALITY)


def main() -> None:
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, browser() as found:
        table(found, Path(name), target / "table.jpg")
        report(found, Path(name), target / "report.jpg")


if __name__ == "__main__":
    main()
