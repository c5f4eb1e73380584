"""The page in a real browser: by pointer, by keys, by touch; two seats; reload, and a server that is killed."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from tests.systems import RULESETS
from tests.web.chromium import (
    DESK,
    FINGERS,
    PATIENCE,
    PHONE,
    SKIRMISH,
    Server,
    begin,
    begin_by_form,
    call,
    version,
    wait_for_change,
    wait_for_question,
)
from tests.web.looks.screens import WIDTHS, screens


class Watched:
    """A page that records its requests and the answers in which the server failed."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.addresses: list[str] = []
        self.faults: list[str] = []
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("response", self._note)

    def _note(self, answer: Any) -> None:
        if answer.status >= 500:
            self.faults.append(answer.url)


@pytest.fixture
def at_desk(open_page: Callable[..., Any]) -> Watched:
    return Watched(open_page(viewport=DESK))


@pytest.fixture
def on_phone(open_page: Callable[..., Any]) -> Watched:
    return Watched(open_page(**FINGERS))


# --- how people answer ------------------------------------------------------------------------------------------------


def by_pointer(page: Any, number: int) -> None:
    """Click the option on the table if it is visible there, otherwise in the list."""
    spot = page.locator(f"#marks .suggestion[data-option='{number}']")
    if spot.count():
        spot.click(force=True)
        return
    target = page.locator(f"#table .tag.can[data-options~='{number}'], #table .cell.can[data-options~='{number}']")
    box = target.first.bounding_box() if target.count() else None
    field = page.locator("#table").bounding_box()
    if box is not None:
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        inside = field["x"] < x < field["x"] + field["width"] and field["y"] < y < field["y"] + field["height"] - 4
        there = call(page, "game/options.optionsBelow", {"clientX": x, "clientY": y}) if inside else []
        if number in there:
            page.mouse.click(x, y)
            if len(there) > 1:
                page.click(f"#sheet[open] [data-option='{number}']")
            return
    show_option(page, number).click()


def show_option(page: Any, number: int) -> Any:
    """Return the option in the list, after opening the part of the list that has it."""
    option = page.locator(f"#question .options [data-option='{number}']")
    if not option.is_visible():
        page.locator("#question .more summary").click()
    return option


def by_keys(page: Any, number: int) -> None:
    """Type the number of the option; if it is folded away, the first time only shows it."""
    page.locator("#table").focus()
    folded = page.locator(f"#question details:not([open]) [data-option='{number}']").count()
    page.keyboard.type(str(number + 1))
    if folded:
        page.wait_for_selector(f"#question .more[open] [data-option='{number}']:focus")
        page.keyboard.press("Enter")


def by_touch(page: Any, number: int) -> None:
    """Tap the option."""
    show_option(page, number).tap()


def play(page: Any, answer: Callable[[Any, int], None], most: int) -> int:
    """Answer up to `most` questions; return the number of answers.

    First options alternate with the last option, which usually ends an activation, so that the game ends.
    """
    for done in range(most):
        wait_for_question(page)
        count = page.locator("#question [data-option]").count()
        if not count:
            return done
        was = version(page)
        answer(page, done // 2 % min(count, 3) if done % 2 == 0 else count - 1)
        wait_for_change(page, was)
    return most


WAYS = {"pointer": (by_pointer, "at_desk"), "keys": (by_keys, "at_desk"), "touch": (by_touch, "on_phone")}


def _play_whole(scenario: str, ruleset: str, way: str, server: Server, request: pytest.FixtureRequest) -> None:
    answer, where = WAYS[way]
    watched: Watched = request.getfixturevalue(where)
    begin_by_form(watched.page, server, ruleset, scenario)
    watched.page.wait_for_selector("#question h2")
    done = play(watched.page, answer, 3000)
    assert done > 4 and "The game is over" in watched.page.inner_text("#question")
    assert not watched.faults
    assert {address.split("/")[2] for address in watched.addresses} == {f"127.0.0.1:{server.port}"}


@pytest.mark.parametrize(
    ("ruleset", "way"),
    [
        ("vcc", "pointer"),
        pytest.param("paychest", "touch", marks=pytest.mark.deep),
        pytest.param("afriboria", "keys", marks=pytest.mark.deep),
        pytest.param("fixed_baynet", "pointer", marks=pytest.mark.deep),
        pytest.param("risk_factor", "keys", marks=pytest.mark.deep),
    ],
)
def test_a_small_battle_is_played_to_its_end(
    ruleset: str, way: str, server: Server, request: pytest.FixtureRequest
) -> None:
    _play_whole(SKIRMISH, ruleset, way, server, request)


@pytest.mark.deep
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_can_be_played(ruleset: str, way: str, server: Server, request: pytest.FixtureRequest) -> None:
    _play_whole("patrol_clash", ruleset, way, server, request)


# The pieces and log lines that a page shows, without what scripts add to them.
DRAWN = """() => ["#pieces .piece, #pieces .tag", "#log > li"].map((kind) => [...document.querySelectorAll(kind)])"""
SHOWN = f"({DRAWN})().map((found) => found.map((one) => one.textContent))"


@pytest.mark.parametrize("ruleset", ["vcc", "paychest"])
def test_an_answer_draws_only_what_it_changes(ruleset: str, server: Server, at_desk: Watched) -> None:
    page = at_desk.page
    begin(page, server, ruleset)
    for _ in range(8):
        wait_for_question(page)
        page.evaluate(f"window.before = ({DRAWN})()")
        was = version(page)
        page.locator("#question [data-option]").first.click()
        wait_for_change(page, was)
    wait_for_question(page)
    figures, lines = page.evaluate(
        "before.map((found) => found.filter((one) => one.isConnected).length / found.length)"
    )
    assert figures > 0.5, "most units stay as they are"
    assert lines > 0.5, "old lines stay"
    shown = page.evaluate(SHOWN)
    page.reload()
    wait_for_question(page)
    assert page.evaluate(SHOWN) == shown, "the page shows the same as one that draws everything"


def test_the_list_of_units_is_loaded_when_it_is_opened_and_kept_up_to_date(server: Server, at_desk: Watched) -> None:
    page = at_desk.page
    begin(page, server, "vcc")
    wait_for_question(page)

    def answer() -> None:
        was = version(page)
        call(page, "game/actions.answerWith", 0)
        wait_for_change(page, was)
        wait_for_question(page)

    def requests() -> int:
        return sum(address.endswith("/units") for address in at_desk.addresses)

    answer()
    assert requests() == 0 and not page.locator("#units button").count()
    page.focus("#who summary")
    page.keyboard.press("Enter")
    page.wait_for_selector("#units button")
    assert requests() == 1
    first = page.inner_text("#units")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#units button')")
    for _ in range(30):
        answer()
        if requests() > 1:
            break
    page.wait_for_function("was => document.getElementById('units').innerText !== was", arg=first)
    html = page.evaluate("import('/static/common/requests.js').then(one => one.requestJson('/units'))")["html"]
    assert page.locator("#units button").all_inner_texts() == page.evaluate(
        """html => [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("button")]
            .map(one => one.textContent.trim())""",
        html,
    )
    page.click("#who summary")
    page.wait_for_selector("#who:not([open])")
    asked = requests()
    answer()
    assert requests() == asked


def test_units_that_may_act_glow_and_every_attack_has_odds(server: Server, at_desk: Watched) -> None:
    page = at_desk.page
    begin(page, server, "vcc")
    page.wait_for_selector("#asks")
    while "fire at which target" not in page.inner_text("#asks"):
        was = version(page)
        page.locator("#question [data-option]").first.click()
        wait_for_change(page, was)
        wait_for_question(page)
    target = page.locator("#table .tag.can").first
    target.hover()
    page.wait_for_selector(".odds-line .bar-of")
    assert "lost" in page.inner_text(".odds-line .words")
    page.locator(".odds-line").first.click()
    page.wait_for_selector("#odds .chart")
    assert "probably" in page.inner_text("#odds") and "mean" in page.inner_text("#odds")
    options, odds = page.locator("#question .options").last.bounding_box(), page.locator("#odds").bounding_box()
    assert odds["y"] >= options["y"] + options["height"], "the outcomes cover no option"
    target.hover()
    assert page.locator("#question .option.lit").count() == 1
    block = page.locator("#table .block.can").first
    assert block.get_attribute("role") == "button" and "bases" in (block.get_attribute("aria-label") or "")


def point_at_place(page: Any, height: float, ruling: str) -> None:
    """Point at the middle of the table, at a fraction of its height."""
    field = page.locator("#table").bounding_box()
    page.mouse.click(field["x"] + field["width"] / 2, field["y"] + field["height"] * height)
    page.wait_for_selector(ruling)


def test_a_place_is_tried_by_pointing_refused_with_its_rule_and_chosen(server: Server, at_desk: Watched) -> None:
    page = at_desk.page
    begin(page, server, "paychest")
    page.wait_for_selector("[data-form=place]")
    assert page.locator("[data-form=place] .take").is_hidden(), "there is no point to go to yet"
    assert page.locator(".coordinates [name=x]").is_hidden(), "coordinates are folded away"
    point_at_place(page, 0.2, "#ruling.refusal")
    assert "PAY-" in page.inner_text("#ruling")
    was = version(page)
    page.click("[data-form=place] .take")
    page.wait_for_selector("#refusal:not(:empty)")
    assert version(page) == was
    point_at_place(page, 0.9, "#ruling.allowed")
    thought = page.input_value(".coordinates [name=y]")
    # another player has acted, and the same question is drawn again
    page.evaluate("document.querySelector('[data-form=place]').dataset.old = 'yes'")
    page.evaluate(
        "Promise.all(['show', 'state'].map(name => import(`/static/game/${name}.js`)))"
        ".then(([{ show }, { state }]) => show({ ...state.page, question: `${state.page.question} ` }))"
    )
    page.wait_for_selector("[data-form=place]:not([data-old])")
    page.wait_for_selector("#ruling.allowed")
    assert page.locator("#marks .candidate").count() == 1
    assert page.input_value(".coordinates [name=y]") == thought
    page.click("[data-form=place] .take")
    wait_for_change(page, was)
    # by keys alone: move the mark away from the unit, and Enter confirms
    page.wait_for_selector("[data-form=place]")
    page.locator("#table").focus()
    for key in ("ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.locator("#marks .candidate").count() == 1


def test_the_first_tap_explains_and_the_second_acts(server: Server, on_phone: Watched) -> None:
    page = on_phone.page
    begin(page, server, "vcc")
    page.wait_for_selector("#asks")
    was = version(page)
    cell = page.locator("#table .cell.can").first
    cell.tap()
    page.wait_for_selector("#measure:has-text('Tap again')")
    assert version(page) == was
    cell.tap()
    wait_for_change(page, was)
    assert not page.inner_text("#measure")
    was = version(page)
    page.locator("#question .option").first.tap()
    wait_for_change(page, was)
    assert not page.inner_html("#odds"), "an option under the finger in the next question shows no odds until touched"
    while not page.locator("#question .odds-line").count():
        was = version(page)
        show_option(page, 0).tap()
        wait_for_change(page, was)
        wait_for_question(page)
    page.wait_for_selector(".odds-line:not([data-computing])")
    page.locator("#question .odds-line").first.tap()
    page.wait_for_selector("#odds :is(.brief, .hint)")
    assert on_phone.faults == []


def test_a_suggested_place_is_chosen_with_two_taps(server: Server, on_phone: Watched) -> None:
    page = on_phone.page
    begin(page, server, "paychest")
    page.wait_for_selector("[data-form=place]")
    was = version(page)
    first = page.locator("#question .option").first.bounding_box()
    assert first["y"] + first["height"] <= PHONE["height"], "nobody has to scroll"
    spots = page.locator("#marks .suggestion")
    assert spots.count() > 1
    boxes = [spot.bounding_box() for spot in spots.all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 24
    page.touchscreen.tap(*middle_of(boxes[0]))
    place = page.locator("#question .option .phrase").first.inner_text()
    page.wait_for_selector(f"#measure:has-text('Tap again to go there: {place}')")
    assert page.locator("#marks .candidate").count() == 1 and version(page) == was
    page.touchscreen.tap(*middle_of(boxes[1]))
    page.wait_for_selector("#ruling.allowed")
    assert version(page) == was, "a tap on another place only marks it"
    page.touchscreen.tap(*middle_of(boxes[1]))
    wait_for_change(page, was)
    assert on_phone.faults == []


def body_of(page: Any, unit: str) -> Any:
    """Return the box of the bases of a unit on the screen."""
    return page.locator(f"#pieces .block[data-piece='{unit}'] .body").bounding_box()


def middle_of(box: Any) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def gap(point: tuple[float, float], box: Any) -> float:
    """Return the distance from a point to a box."""
    across = max(box["x"] - point[0], 0, point[0] - box["x"] - box["width"])
    return float(hypot(across, max(box["y"] - point[1], 0, point[1] - box["y"] - box["height"])))


@pytest.mark.deep
def test_a_tap_on_several_units_zooms_in_until_each_can_be_tapped(server: Server, on_phone: Watched) -> None:
    page = on_phone.page
    begin(page, server, "afriboria", "battle_of_the_wells", sirdar="me", khalifa="doctrine")
    page.wait_for_selector("#asks")
    was = version(page)
    page.locator("[data-set-up]").tap()
    wait_for_change(page, was)
    wait_for_question(page)
    was = version(page)
    units = [element.get_attribute("data-piece") for element in page.locator("#pieces .block.side-0").all()]
    boxes = {unit: body_of(page, unit) for unit in units}
    below = max(
        (
            [unit, *(other for other in units if other != unit and gap(middle_of(boxes[unit]), boxes[other]) < 12)]
            for unit in units
        ),
        key=len,
    )
    assert len(below) > 2, "several units share a hex, each less than a finger from the next"
    whole = page.get_attribute("#table", "viewBox")
    page.touchscreen.tap(*middle_of(boxes[below[0]]))
    page.wait_for_selector("#measure:has-text('Zoomed in')")
    assert page.get_attribute("#table", "viewBox") != whole
    for unit in below:
        for _ in range(2):  # a second tap if the finger still covers the tag of a neighbour
            view = page.get_attribute("#table", "viewBox")
            page.touchscreen.tap(*middle_of(body_of(page, unit)))
            page.wait_for_function(
                "view => document.querySelector('#measure [data-card]')"
                " || document.getElementById('table').getAttribute('viewBox') !== view",
                arg=view,
            )
            if page.locator("#measure [data-card]").count():
                break
        assert page.get_attribute("#measure [data-card]", "data-card") == unit
    assert version(page) == was, "nothing was chosen"
    assert on_phone.faults == []


@pytest.mark.deep
def test_zones_are_shown_on_the_map_until_they_are_switched_off(server: Server, at_desk: Watched) -> None:
    page = at_desk.page
    begin(page, server, "vcc")
    page.wait_for_selector("#asks")
    page.keyboard.press("d")
    page.wait_for_selector("#zones .danger", state="attached")
    page.click("[data-zone=fire]")
    page.wait_for_selector("#zones .fire", state="attached")
    assert page.get_attribute("[data-zone=danger]", "aria-pressed") == "false"
    page.click("[data-zone=fire]")
    page.wait_for_selector("#zones .overlay", state="detached")


def test_undo_redo_why_rules_and_log_work(server: Server, at_desk: Watched) -> None:
    page = at_desk.page
    begin(page, server, "vcc")
    page.wait_for_selector("#asks")
    first = page.inner_text("#asks")
    play(page, by_keys, 1)
    was = version(page)
    page.keyboard.press("u")
    wait_for_change(page, was)
    assert page.inner_text("#asks") == first
    was = version(page)
    page.click("[data-act=redo]")
    wait_for_change(page, was)
    page.click("#asks .rule")
    page.wait_for_selector("#sheet[open] h3")
    assert "VCC-" in page.inner_text("#sheet")
    page.keyboard.press("Escape")
    play(page, by_keys, 12)
    page.locator("#log .told").last.click()
    page.wait_for_selector("#sheet[open]")
    page.click("#sheet [data-moment]")
    page.wait_for_selector("body.replaying")
    page.click("[data-now]")
    page.wait_for_selector("body:not(.replaying)")


@pytest.mark.deep
def test_two_browsers_with_two_seats_update_each_other(
    server: Server, open_page: Callable[..., Any], at_desk: Watched
) -> None:
    page = at_desk.page
    begin(page, server, "vcc", tribesmen="friend")
    links = [page.locator(".links a").nth(n).get_attribute("href") for n in range(3)]
    friend, watcher = (open_page(viewport=DESK) for _ in range(2))
    friend.goto(server.home + links[1])
    watcher.goto(server.home + links[2])
    page.goto(server.home + links[0])
    page.wait_for_selector("#asks")
    assert friend.inner_text("#question h2").startswith("Waiting for")
    was = version(friend), version(watcher)
    play(page, by_keys, 1)
    wait_for_change(friend, was[0])
    wait_for_change(watcher, was[1])
    assert (
        watcher.inner_html("#pieces")
        and watcher.locator("#pieces .block").count() == page.locator("#pieces .block").count()
    )
    assert watcher.locator("[data-act=undo][disabled]").count() == 1


@pytest.mark.deep
def test_the_page_continues_by_itself_after_the_server_is_killed(tmp_path: Path, at_desk: Watched) -> None:
    first = Server(tmp_path / "games")
    page = at_desk.page
    begin(page, first, "vcc")
    page.wait_for_selector("#asks")
    play(page, by_keys, 5)
    asked = page.inner_text("#asks")
    first.kill()
    page.wait_for_selector("body.lost")
    second = Server(tmp_path / "games", port=first.port)
    try:
        page.wait_for_selector("body:not(.lost)", timeout=PATIENCE)
        page.wait_for_timeout(300)
        assert page.inner_text("#asks") == asked
        play(page, by_keys, 3)
        page.reload()
        page.wait_for_selector("#asks")
    finally:
        second.kill()


LOOKS = [("light", "wide"), ("dark", "phone"), ("dark", "wide"), ("light", "phone")]
OFTEN_USED = {
    *("start", "new game", "saved games", "links", "spectator"),
    *("in play", "what the AI would do, and how to win", "card", "replay", "at the end", "after the battle"),
    *("editor", "editor, a new objective", "editor, a fault in a unit"),
    *("comparisons", "a comparison under way", "report"),
}
"""The screens that the ordinary suite checks."""


@pytest.mark.parametrize(
    ("ruleset", "scheme", "width", "often_used_only"),
    [
        ("vcc", "dark", "phone", True),
        *(pytest.param(ruleset, *look, False, marks=pytest.mark.deep) for ruleset in RULESETS for look in LOOKS),
    ],
)
def test_axe_finds_no_serious_fault_on_any_screen(
    ruleset: str,
    scheme: str,
    width: str,
    often_used_only: bool,
    empty_server: Server,
    open_page: Callable[..., Any],
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page, axe = open_page(color_scheme=scheme, bypass_csp=True, **WIDTHS[width]), Axe()
    faults, seen, drawn = [], [], None
    for screen in screens(page, empty_server, ruleset):
        seen.append(screen)
        if often_used_only and screen not in OFTEN_USED:
            continue
        drawn, map_before = page.evaluate("document.getElementById('table')?.outerHTML"), drawn
        left_out = ["#table"] if drawn and drawn == map_before else []
        faults += [f"{screen}: {fault}" for fault in _serious(axe, page, left_out)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            faults.append(f"{screen}: wider than the window")
    assert not faults, "\n".join(faults)
    assert {"start", "at the end", "editor", "editor, a new objective", "a comparison under way", "saved games"} <= set(
        seen
    )


def _serious(axe: Any, page: Any, left_out: list[str]) -> list[str]:
    """Return the serious faults of a page; `left_out` are selectors of parts that have been checked already."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.axe_script)
    found = page.evaluate(
        "([left_out, wishes]) => axe.run({ exclude: left_out }, wishes)",
        [left_out, {"resultTypes": ["violations"]}],
    )["violations"]
    return [
        f"{page.url}: {entry['id']}: {entry['help']}: {[node['html'][:160] for node in entry['nodes'][:3]]}"
        for entry in found
        if entry["impact"] in ("serious", "critical")
    ]


@pytest.mark.deep
def test_no_page_is_wider_than_a_phone(server: Server, on_phone: Watched) -> None:
    page = on_phone.page
    page.goto(server.enter)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    begin(page, server, "fixed_baynet")
    page.wait_for_selector("#asks")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    sizes = page.evaluate(
        "[...document.querySelectorAll('#question .option')].map(one => one.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 44
