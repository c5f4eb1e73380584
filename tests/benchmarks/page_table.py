"""Speed of the page in Chromium: time from an answer to the next question, from there to its first odds, and first
paint.

    python tests/benchmarks/page_table.py [ANSWERS]

prints the table of tests/benchmarks/README.md. The last column is the server's processor time for an answer,
including the AI players after it and requested odds. It does not depend on how busy the machine is.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.chromium import DESK, Server, begin, browser, context_with_long_timeouts, wait_for_question

RULESETS = ("vcc", "afriboria", "paychest", "fixed_baynet", "risk_factor")
BATTLES = ("patrol_clash", "battle_of_the_wells")


# Chooses an option and returns the time until its result is on the screen, in milliseconds by the browser's clock.
TAKE = """async (number) => {
    const main = document.getElementById("main"), was = main.dataset.version, start = performance.now();
    document.querySelector(`#question [data-option="${number}"]`).click();
    while (main.dataset.version === was) await new Promise((done) => setTimeout(done, 1));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    return performance.now() - start;
}"""
# Waits for the odds of the first visible option that has odds, and returns the time in milliseconds. The page computes
# no odds of options in a closed list. If it still plays what happened, the time begins when the question appears.
ODDS = """async () => {
    const { skip } = await import("/static/game/playback.js");
    if (document.body.matches(".catching-up")) await skip();
    const start = performance.now();
    const line = [...document.querySelectorAll("#question .odds-line[data-computing]")].find((one) => one.checkVisibility());
    if (!line) return null;
    while (line.dataset.computing !== undefined && performance.now() - start < 2000) await new Promise((done) => setTimeout(done, 1));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    return performance.now() - start;
}"""
PAINT = "() => (performance.getEntriesByName('first-contentful-paint')[0] || { startTime: 0 }).startTime"


def measure(page: Any, server: Server, ruleset: str, battle: str, answers: int) -> list[str]:
    """Return a row of the table."""
    begin(page, server, ruleset, battle)
    wait_for_question(page)
    page.reload()
    wait_for_question(page)
    page.wait_for_timeout(200)
    paint = page.evaluate(PAINT)
    shown: list[float] = []
    weighed: list[float] = []
    before = server.processor_time
    for number in range(answers):
        wait_for_question(page)
        count = page.locator("#question [data-option]").count()
        if not count:
            break
        shown.append(page.evaluate(TAKE, number % min(count, 3)))
        found = page.evaluate(ODDS)
        weighed += [found] if found is not None else []
    spent = 1000 * (server.processor_time - before) / max(1, len(shown))
    return [
        ruleset, battle, str(len(shown)), f"{paint:.0f}", f"{median(shown):.0f}", f"{quantiles(shown, n=20)[-1]:.0f}",
        f"{median(weighed):.0f}" if weighed else "", f"{max(weighed):.0f}" if weighed else "", f"{spent:.0f}",
    ]  # fmt: skip


def main() -> None:
    answers = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    heads = (
        "system",
        "battle",
        "answers",
        "first paint",
        "answer, median",
        "answer, 95 %",
        "odds, median",
        "odds, slowest",
        "processor, an answer",
    )
    print("|", " | ".join(heads), "|\n|", " | ".join("---" for _ in heads), "|", flush=True)
    print(f"load average at the start: {os.getloadavg()[0]:.1f}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, browser() as found:
        server = Server(Path(folder))
        page = context_with_long_timeouts(found, viewport=DESK).new_page()
        try:
            for battle in BATTLES:
                for ruleset in RULESETS:
                    print("|", " | ".join(measure(page, server, ruleset, battle, answers)), "|", flush=True)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
