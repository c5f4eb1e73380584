"""The panel in a real browser: low windows, fingers, keys, announcements, odds that arrive late, lessons, and the
end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.systems import each_ruleset
from tests.web.chromium import (
    FINGERS,
    LAPTOP,
    PHONE,
    Server,
    begin,
    call,
    version,
    wait_for_change,
    wait_for_question,
)

ZOOMED = {"width": 683, "height": 384}
"""The window of a laptop at 200 % zoom."""
FINGER = 44
"""Least size of a touch target in pixels."""


def take_advice(page: Any) -> None:
    """Let the page do what the AI would do."""
    was = version(page)
    page.keyboard.press("a")
    page.locator("#advice .take").click()
    wait_for_change(page, was)
    wait_for_question(page)


def play_until(page: Any, selector: str, most: int = 80) -> None:
    """Do what the AI would do until the page has an element."""
    for _ in range(most):
        if page.locator(selector).count():
            return
        take_advice(page)
    raise AssertionError(f"there was no {selector}")


def set_up(page: Any) -> None:
    """Let the AI set up, if the ruleset asks for that."""
    if not page.locator("[data-set-up]").count():
        return
    was = version(page)
    page.locator("[data-set-up]").click()
    wait_for_change(page, was)
    wait_for_question(page)


# --- layout -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria"))
def test_the_map_stays_large_in_a_low_window_and_the_panel_scrolls(
    ruleset: str, server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(viewport=ZOOMED)
    begin(page, server, ruleset)
    wait_for_question(page)
    table, side = page.locator("#table").bounding_box(), page.locator("#side").bounding_box()
    assert table["width"] >= 0.6 * ZOOMED["width"] and table["height"] >= 220
    field = page.locator("#field").bounding_box()
    assert field["y"] + field["height"] >= ZOOMED["height"] - 1, "nothing is left empty below the map"
    assert table["y"] + table["height"] <= ZOOMED["height"] and side["x"] >= table["x"] + table["width"] - 1
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.getElementById('side').scrollHeight > document.getElementById('side').clientHeight")


@pytest.mark.deep
def test_a_low_and_narrow_window_scrolls_past_the_map(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(viewport={"width": 390, "height": 384})
    begin(page, server, "vcc")
    wait_for_question(page)
    assert page.locator("#field").bounding_box()["height"] >= 240
    page.locator("#asks").scroll_into_view_if_needed()
    box = page.locator("#asks").bounding_box()
    assert 0 <= box["y"] < 384 and page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_touch_targets_are_large_enough_and_nothing_is_wider_than_the_phone(
    ruleset: str, server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(**FINGERS)
    begin(page, server, ruleset)
    wait_for_question(page)
    set_up(page)
    play_until(page, "#question .odds-line:visible")
    page.wait_for_selector(".odds-line:not([data-computing]):visible")
    small = page.evaluate(
        """least => [...document.querySelectorAll("#side button, #side summary, .tools button")]
            .filter(one => one.checkVisibility() && !one.matches(".rule"))
            .map(one => [one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.height < least - 0.5 || box.width < 24).map(([words]) => words)""",
        FINGER,
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# --- the question -----------------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_slow_odds_say_so_and_do_not_delay_answers(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    set_up(page)
    held: list[Any] = []
    page.route("**/odds?*", lambda route: held.append(route))  # never answered
    play_until(page, "#question .odds-line")
    assert "computing odds" in page.inner_text(".odds-line")
    was = version(page)
    page.locator("#question .option").first.click()
    wait_for_change(page, was)
    for route in held:
        route.abort()


@pytest.mark.deep
def test_folded_odds_are_computed_once_they_are_in_view(server: Server, page: Any) -> None:
    begin(page, server, "risk_factor")
    wait_for_question(page)
    play_until(page, "#question .more .odds-line")
    page.wait_for_timeout(1000)
    assert page.locator("#question .more .odds-line:not([data-computing])").count() == 0
    page.locator("#question .more summary").click()
    page.wait_for_selector("#question .more .odds-line:not([data-computing])")


@pytest.mark.deep
def test_the_number_key_of_a_folded_option_shows_it_and_then_chooses_it(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    set_up(page)
    play_until(page, "#question .more")
    assert page.locator("#question .more").get_attribute("open") is None
    hidden = page.locator("#question .more .option").first
    number, was = int(hidden.get_attribute("data-option")), version(page)
    page.locator("#table").focus()
    page.keyboard.type(str(number + 1))
    page.wait_for_selector(f"#question .more[open] [data-option='{number}']:focus")
    assert version(page) == was, "nobody chooses what they have not seen"
    page.keyboard.type(str(number + 1))
    wait_for_change(page, was)
    page.keyboard.press("u")
    page.wait_for_selector("#question .more")
    page.locator("#question .more summary").click()
    page.locator(f"#question .more [data-option='{number}']").click()


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria"))
def test_a_key_sets_up_the_rest_and_the_next_question_has_the_focus(ruleset: str, server: Server, page: Any) -> None:
    begin(page, server, ruleset)
    wait_for_question(page)
    for key in ("Tab", "Enter", "Tab", "Tab"):  # the link that skips the map, then the rule and the first button
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.closest('#question') !== null")
    if page.locator("[data-set-up]").count():
        was = version(page)
        page.keyboard.press("e")
        wait_for_change(page, was)
        wait_for_question(page)
        assert page.locator("[data-set-up]").count() == 0
    was = version(page)
    page.keyboard.press("Tab")
    page.keyboard.press("e")  # another question comes once the AI players have played
    wait_for_change(page, was)
    wait_for_question(page)
    assert page.evaluate("document.activeElement.id") == "asks"


@pytest.mark.deep
def test_keys_let_the_ai_play_one_unit_or_finish_the_phase(server: Server, page: Any) -> None:
    begin(page, server, "fixed_baynet")
    wait_for_question(page)
    set_up(page)
    page.keyboard.press("n")
    assert page.locator("[data-rest=unit]").count() == 0, "no unit acts yet"
    was = version(page)
    page.locator("#question [data-option]").first.click()
    wait_for_change(page, was)
    page.wait_for_selector("[data-rest=unit] >> text=Let the AI play Fusiliers")
    page.locator("#table").focus()
    was = version(page)
    page.keyboard.press("n")
    wait_for_change(page, was)
    page.wait_for_selector("#log >> text=Fusiliers activated")
    wait_for_question(page)
    assert page.locator(".who-acts >> text=Fusiliers").count() == 0
    page.locator("#table").focus()
    page.keyboard.press("e")
    page.wait_for_selector("#status >> text=Turn 2")


def test_a_screen_reader_hears_what_happened_and_what_is_asked(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    assert page.inner_text("#said").startswith("Your turn.") or "Your turn." in page.inner_text("#said")
    set_up(page)
    said = page.inner_text("#said")
    assert page.inner_text("#asks").split("?")[0] in said and not said.startswith("Your turn.")
    assert page.get_attribute("#said", "aria-live") == "polite"
    page.evaluate(
        "() => { window.heard = []; const said = document.getElementById('said');"
        " new MutationObserver(() => window.heard.push(said.innerText)).observe(said, { childList: true }); }"
    )
    was = version(page)
    call(page, "game/actions.act", "delegate", {"scope": "turn", "player": "doctrine"})
    wait_for_change(page, was)
    wait_for_question(page)
    heard = " ".join(page.evaluate("window.heard"))
    lines = page.evaluate(
        "[...document.querySelectorAll('#log .told')].map(told => { const own = told.cloneNode(true);"
        " own.querySelectorAll('small, .throw-of, .small-card').forEach(drawn => drawn.remove());"
        " return own.innerText.trim().replace(/^./, first => first.toUpperCase()); })"
    )
    assert len(lines) > 5 and all(line in heard for line in lines[-5:]), "all that happened, not only the last line"


def test_a_new_question_is_in_view_although_the_page_was_scrolled(
    server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(**FINGERS)
    begin(page, server, "vcc")
    wait_for_question(page)
    set_up(page)
    was = version(page)
    page.evaluate("scrollBy(0, 400)")
    call(page, "game/actions.answerWith", 0)
    wait_for_change(page, was)
    wait_for_question(page)
    page.wait_for_function(
        "() => document.getElementById('asks').getBoundingClientRect().top >= document.getElementById('field').getBoundingClientRect().bottom - 1"
    )


# --- colours ----------------------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_forced_colours_keep_the_map_and_mark_what_is_pointed_at(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(forced_colors="active")
    begin(page, server, "vcc")
    wait_for_question(page)
    set_up(page)
    page.mouse.move(5, 5)  # the first option may lie where the button of the set-up was clicked
    page.locator("#question .option").first.hover()
    lit = page.locator("#question .option.lit")
    assert lit.count() == 1 and lit.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    fill = page.locator("#pieces .tag .plate").first.evaluate("one => getComputedStyle(one).fill")
    assert fill not in ("none", "rgb(0, 0, 0)", "rgb(255, 255, 255)"), "the sides keep their colours"
    lit_unit = page.locator("#table .lit").first
    assert lit_unit.evaluate("one => getComputedStyle(one).outlineStyle") == "none", "2 pixels there are 2 inches wide"


# --- lessons and the end ----------------------------------------------------------------------------------------------


def test_a_lesson_is_completed_by_doing_and_stays_completed(server: Server, page: Any) -> None:
    page.goto(server.enter)
    page.click("form[action='/learn/vcc'] button")
    page.wait_for_selector("#lesson:has-text('Lesson 1 of')")
    page.click("[data-advice]")
    page.wait_for_selector("#lesson:has-text('Well done')")
    page.wait_for_selector("#lesson:has-text('Lesson 2 of')")
    page.click("#advice .take")
    page.wait_for_selector("#lesson:has-text('Lesson 3 of')")
    page.reload()
    page.wait_for_selector("#lesson:has-text('Lesson 3 of')")
    page.click("#asks .rule")
    page.wait_for_selector("#sheet[open]")
    page.wait_for_selector("#lesson:has-text('Lesson 4 of')")
    page.keyboard.press("Escape")
    page.click("[data-skip-lesson]")
    page.wait_for_selector("#lesson:has-text('Lesson 5 of')")


@pytest.mark.deep
def test_a_turning_point_opens_the_map_at_its_moment(server: Server, page: Any) -> None:
    begin(page, server, "vcc", "skirmish")
    wait_for_question(page)
    was = version(page)
    call(page, "game/actions.act", "delegate", {"scope": "game", "player": "doctrine"})
    wait_for_change(page, was)
    page.wait_for_selector("#question:has-text('The game is over')")
    page.click("#after a")
    page.wait_for_selector(".after .result")
    assert "wins" in page.inner_text(".result") or "draw" in page.inner_text(".result")
    page.locator(".turning a").first.click()
    page.wait_for_selector("body.replaying")
    assert page.url.partition("#")[2].startswith("moment=")
    page.click("#after [data-play-from]")
    page.wait_for_selector("body:not(.replaying)")  # the replay plays from the beginning to the end


@pytest.mark.deep
def test_the_report_fits_on_a_phone(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(**FINGERS)
    begin(page, server, "vcc", "skirmish")
    wait_for_question(page)
    was = version(page)
    call(page, "game/actions.act", "delegate", {"scope": "game", "player": "doctrine"})
    wait_for_change(page, was)
    page.wait_for_selector("#question:has-text('The game is over')")
    page.locator("#after a").tap()
    page.wait_for_selector(".after table")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


# --- the log, the marks of the last acts, and the terms ---------------------------------------------------------------


def test_the_last_line_of_the_log_is_in_view_and_only_moves_leave_a_trail(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    was = version(page)
    page.click("[data-set-up]")
    wait_for_change(page, was)
    page.wait_for_selector("#log .log-line")
    last = page.locator("#log .log-line").last
    assert "Yusuf Khan" in last.inner_text()
    box = last.bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    assert page.locator("#playback .trail").count() == 1, "Captain Merrow only made room in his box"


@pytest.mark.deep
def test_a_term_is_explained_below_the_question_that_first_uses_it(server: Server, page: Any) -> None:
    begin(page, server, "fixed_baynet")
    wait_for_question(page)
    was = version(page)
    page.click("[data-set-up]")
    wait_for_change(page, was)
    page.wait_for_selector(".terms[open] >> text=glory")
    was = version(page)
    page.locator("#question [data-option]").first.click()
    wait_for_change(page, was)
    page.wait_for_selector(".terms[open] >> text=action counters")
    page.reload()
    wait_for_question(page)
    page.wait_for_selector(".terms[open]")
    was = version(page)
    page.click("[data-act=undo]")
    wait_for_change(page, was)
    page.wait_for_selector(".terms:not([open])", state="attached")


# --- an answer on its way ---------------------------------------------------------------------------------------------


def test_options_are_dimmed_while_an_answer_is_on_its_way_and_not_after_a_refusal(server: Server, page: Any) -> None:
    """On a phone nothing else shows that a slow server has received the tap."""
    begin(page, server, "vcc")
    wait_for_question(page)
    set_up(page)
    held: list[Any] = []
    opacity = "getComputedStyle(document.querySelector('#question .options')).opacity"
    assert page.evaluate(opacity) == "1"
    page.route("**/do/answer", lambda route: held.append(route))  # the answer does not reach the server yet
    with page.expect_request("**/do/answer"):
        page.locator("#question .option:visible").first.click()
    page.wait_for_function(f"() => {opacity} === '0.55'")
    held.pop().fulfill(status=409, json={"refused": "this is not possible here"})
    page.wait_for_function("() => document.getElementById('refusal').textContent.includes('not possible here')")
    page.wait_for_function(f"() => {opacity} === '1'")
    page.unroute("**/do/answer")
    was = version(page)
    page.locator("#question .option:visible").first.click()
    wait_for_change(page, was)
    assert page.evaluate(opacity) == "1"
    assert page.inner_text("#refusal") == ""


# --- the room on the screen -------------------------------------------------------------------------------------------


def test_a_phone_shows_several_places_to_deploy_at(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(**FINGERS)
    begin(page, server, "paychest")
    wait_for_question(page)
    page.wait_for_selector("#question .option:visible")
    lowest = page.eval_on_selector_all(
        "#question .options > li",
        "all => all.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect().bottom)",
    )
    assert len(lowest) >= 3 and lowest[2] <= PHONE["height"], "the three places that are not folded"
    assert page.locator("[data-set-up]").bounding_box()["height"] >= FINGER


def test_the_log_does_not_cover_the_coordinates(server: Server, page: Any) -> None:
    page.set_viewport_size(LAPTOP)
    begin(page, server, "paychest")
    wait_for_question(page)
    page.locator(".more summary").click()
    page.locator(".coordinates summary").click()
    page.wait_for_function(
        "() => document.querySelector('.coordinates').getBoundingClientRect().bottom"
        " <= document.getElementById('log-part').getBoundingClientRect().top + 1"
    )
    assert page.locator(".coordinates [name=x]").is_visible()


def test_the_option_that_ends_an_act_is_last_and_apart(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(**FINGERS)
    begin(page, server, "vcc")
    wait_for_question(page)
    set_up(page)
    play_until(page, "#question .declining .option")
    ends = page.locator("#question .declining").bounding_box()
    others = page.locator("#question .options:not(.declining)").first.bounding_box()
    assert ends["y"] >= others["y"] + others["height"] + 10
