"""The pictures of the README: a table in play, and a report. `make pictures` makes them anew.

python tests/web/pictures.py docs/pictures
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.chromium import DESK, Server, begin, browser, version, wait_for_change, wait_for_question

QUALITY = 72
ANSWERS = 24


def table(found: Any, folder: Path, target: Path) -> None:
    """The river ford under Fixed Bay'net after some answers, with the odds of what is pointed at."""
    server = Server(folder / "games")
    page = found.new_context(viewport=DESK).new_page()
    try:
        begin(page, server, "fixed_baynet", "river_ford", seed=11)
        for number in range(ANSWERS * 3):
            wait_for_question(page)
            attack = page.locator("#question .option", has_text="fire at").first
            if number >= ANSWERS and attack.count():
                attack.hover()
                page.wait_for_selector("#odds .brief")
                break
            options = page.locator("#question [data-option]")
            fire = page.locator("#question .option", has_text="fire (").first
            was = version(page)
            (fire if number >= ANSWERS and fire.count() else options.nth(number % min(options.count(), 2))).click()
            wait_for_change(page, was)
        page.wait_for_timeout(400)
        page.screenshot(path=target, type="jpeg", quality=QUALITY)
    finally:
        server.kill()


def report(found: Any, folder: Path, target: Path) -> None:
    """The head of a comparison of two systems."""
    out = folder / "report"
    command = [
        sys.executable,
        "-m",
        "zareba.cli",
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
    page = found.new_context(viewport=DESK).new_page()
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
