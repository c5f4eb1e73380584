"""A walk through every screen, for accessibility checks and visual inspection.

    python tests/web/looks/screens.py FOLDER [RULESET...]

saves pictures of all screens: wide and phone, light and dark.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.web.chromium import (
    DESK,
    FINGERS,
    Server,
    begin,
    browser,
    call,
    context_with_long_timeouts,
    page_state,
    wait_for_change,
    wait_for_question,
)

__all__ = ["WIDTHS", "screens"]

WIDTHS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": DESK},
    "phone": FINGERS,
}
SCENARIO = "patrol_clash"


def screens(page: Any, server: Server, ruleset: str) -> Iterator[str]:
    """Show every screen in turn and yield its name while the page shows it."""
    yield from _choosing(page, server, ruleset)
    yield from _playing(page, server, ruleset)
    yield from _sharing(page, server, ruleset)
    yield from _making(page, server)
    yield from _comparing(page, server, ruleset)
    page.goto(server.home)
    page.wait_for_selector(".saved")
    yield "saved games"


def _choosing(page: Any, server: Server, ruleset: str) -> Iterator[str]:
    page.goto(server.enter)
    yield "start"
    page.goto(f"{server.home}/new/hill_fort?ruleset={ruleset}")
    yield "scenario"
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    yield "new game"


def _playing(page: Any, server: Server, ruleset: str) -> Iterator[str]:
    begin(page, server, ruleset, SCENARIO)
    wait_for_question(page)
    yield "setting up"
    _delegate(page, "turn", 2)
    yield "in play"
    page.evaluate("for (const one of document.querySelectorAll('#side > details, #question details')) one.open = true")
    page.keyboard.press("a")
    page.wait_for_selector("#advice p", state="attached")
    yield "what the AI would do, and how to win"
    call(page, "game/odds.showAllOdds", 0)
    page.wait_for_selector("#odds :is(.brief, .hint)", state="attached")
    yield "odds"
    call(page, "game/zones.showZone", "fire")
    page.wait_for_selector("#zones .overlay", state="attached")
    yield "zones"
    call(page, "game/zones.showZone", "")
    call(page, "game/ruler.setRuler", True)
    pieces = page.evaluate(
        "['patrol', 'tribesmen'].map((_, n) => document.querySelector(`#pieces .side-${n}[data-piece]`).dataset.piece)"
    )
    for piece in pieces:
        call(page, "game/ruler.measure", call(page, "game/map.middleOf", piece), piece)
    page.wait_for_selector("#marks .tape", state="attached")
    yield "ruler"
    call(page, "game/ruler.setRuler", False)
    for name, path in (
        ("card", f"/unit?piece={pieces[0]}"),
        ("umpire", "/umpire"),
        ("why", "/why"),
        ("score", "/score"),
        ("briefing", "/briefing"),
    ):
        call(page, "game/sheet.openPage", path)
        page.wait_for_selector("#sheet[open] #sheet-body > *")
        yield name
        page.keyboard.press("Escape")
    call(page, "game/replay.showMoment", page_state(page)["steps"] // 2)
    page.wait_for_selector("body.replaying #moment-said:not(:empty)")
    yield "replay"
    call(page, "game/replay.stopReplay")
    _delegate(page, "game", 1)
    page.wait_for_selector("#question:has-text('The game is over')")
    yield "at the end"
    page.click("#after a")
    page.wait_for_selector(".after .result")
    yield "after the battle"
    page.goto(server.home)
    page.click(f"form[action='/learn/{ruleset}'] button")
    page.wait_for_selector("#lesson .task")
    yield "a lesson"


def _delegate(page: Any, scope: str, turns: int) -> None:
    was = page.get_attribute("main", "data-version")
    call(page, "game/actions.act", "delegate", {"scope": scope, "turns": turns, "player": "doctrine"})
    wait_for_change(page, was)
    wait_for_question(page)


def _sharing(page: Any, server: Server, ruleset: str) -> Iterator[str]:
    begin(page, server, ruleset, SCENARIO, tribesmen="friend")
    page.wait_for_selector(".links a")
    yield "links"
    links = [page.locator(".links a").nth(place).get_attribute("href") for place in range(3)]
    for name, link in (("a friend's seat", links[1]), ("spectator", links[2])):
        page.goto(server.home + link)
        page.wait_for_selector("#question h2")
        yield name


def _making(page: Any, server: Server) -> Iterator[str]:
    page.goto(f"{server.home}/make")
    yield "generate"
    page.fill("[name=seed]", "7")
    page.click(".begin")
    page.wait_for_selector("#problems > *")
    yield "editor"
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.locator("[data-preview]").first.click()
    page.wait_for_selector("#preview > *")
    page.locator("#list [data-key]").first.click()
    page.wait_for_selector("#form-of > *")
    yield "editor, all open"
    page.select_option("[name=new]", "objectives/escort")
    page.click("[data-tool=new] button")
    page.wait_for_selector("#form-of form[data-tool=add]")
    yield "editor, a new objective"
    page.locator("#list [data-section=units]").first.click()
    page.wait_for_selector("#form-of [name='it.arrival.turn']", state="attached")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.fill("#form-of [name='it.arrival.turn']", "99")
    page.wait_for_selector("#form-of .fault")
    yield "editor, a fault in a unit"
    page.fill("#form-of [name='it.arrival.turn']", "")
    page.select_option("[name=new]", "overrides//risk_factor")
    page.click("[data-tool=new] button")
    page.click("#form-of [data-field='it.units'] > [data-another]")
    yield "editor, words for one system"


def _comparing(page: Any, server: Server, ruleset: str) -> Iterator[str]:
    page.goto(f"{server.home}/comparisons")
    page.locator("[name=rulesets]").evaluate_all(
        "(boxes, wanted) => boxes.forEach(box => { box.checked = box.value === wanted; })", ruleset
    )
    page.fill("[name=games]", "400")
    yield "comparisons"
    page.click(".begin")
    page.wait_for_selector("#progress[data-state=under_way]")
    page.wait_for_selector("#progress:has-text('of')")
    yield "a comparison under way"
    page.click("main form button")
    page.wait_for_selector("#progress:not([data-state=under_way])", state="attached")
    yield "a comparison that was stopped"
    report = page.locator("a.begin")
    if report.count():
        report.click()
        page.wait_for_selector("h1")
        yield "report"


def main() -> None:
    folder, rulesets = Path(sys.argv[1]), sys.argv[2:] or ["vcc"]
    with browser() as started:
        for ruleset in rulesets:
            for width, wishes in WIDTHS.items():
                for scheme in ("light", "dark"):
                    with tempfile.TemporaryDirectory() as name:
                        server = Server(Path(name) / "games")
                        context = context_with_long_timeouts(started, color_scheme=scheme, **wishes)
                        page = context.new_page()
                        into = folder / ruleset / f"{width}-{scheme}"
                        into.mkdir(parents=True, exist_ok=True)
                        try:
                            for number, screen in enumerate(screens(page, server, ruleset), start=1):
                                page.wait_for_timeout(150)
                                page.screenshot(path=into / f"{number:02} {screen}.png")
                        finally:
                            context.close()
                            server.kill()


if __name__ == "__main__":
    main()
