"""Interaction with the page in a real browser: quick clicks, touched units, the replay slider, many tabs, links."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.web.chromium import (
    PATIENCE,
    SIZES,
    Server,
    begin,
    call,
    page_state,
    version,
    wait_for_change,
    wait_for_question,
)

TABS = 7
"""One more than a browser's connections to one server."""


@pytest.fixture(params=["laptop", pytest.param("phone", marks=pytest.mark.deep)])
def any_page(request: pytest.FixtureRequest, open_page: Callable[..., Any]) -> Any:
    """A page on a laptop, and one on a phone."""
    return open_page(**SIZES[request.param])


def settle(page: Any, count: int) -> None:
    """Answer `count` questions, always with the first option."""
    for _ in range(count):
        wait_for_question(page)
        was = version(page)
        call(page, "game/actions.answerWith", 0)
        wait_for_change(page, was)
    wait_for_question(page)


# --- the replay slider ------------------------------------------------------------------------------------------------


def test_the_replay_slider_follows_the_pointer_that_drags_it(server: Server, any_page: Any) -> None:
    page = any_page
    begin(page, server, "vcc")
    settle(page, 8)
    box = page.locator("#moment").bounding_box()
    most = int(page.get_attribute("#moment", "max"))
    assert most > 6
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    for share in (0.8, 0.6, 0.4, 0.2, 0.5):
        page.mouse.move(box["x"] + share * box["width"], middle)
        page.wait_for_function(
            "([share, most]) => Math.abs(document.getElementById('moment').value / most - share) <= 0.15",
            arg=[share, most],
        )
        assert page.locator("#moment").bounding_box() == box, "the slider stays where it is"
    page.mouse.up()
    page.wait_for_selector("body.replaying")
    page.wait_for_function("() => document.getElementById('moment-said').textContent.length > 0")
    assert page.locator("[data-now]").is_visible()
    page.click("[data-now]")
    page.wait_for_selector("body:not(.replaying)")
    assert page.input_value("#moment") == str(most)


# --- touched units ----------------------------------------------------------------------------------------------------


RINGS = """() => [...document.querySelectorAll('#table *')].filter(one => one.matches(':focus'))
    .map(one => getComputedStyle(one).outlineStyle)"""
TARGETS = "#table .block, #table .cell.can, #table .tag, #table .suggestion"


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ["vcc", pytest.param("paychest", marks=pytest.mark.deep)])
def test_a_unit_that_is_touched_or_reached_by_keys_gets_no_outline(ruleset: str, server: Server, page: Any) -> None:
    begin(page, server, ruleset)
    settle(page, 2)
    found = page.evaluate(
        """(targets) => [...document.querySelectorAll(targets)].map((one) => {
            one.setAttribute('tabindex', '0');
            one.focus();
            const by_script = getComputedStyle(one).outlineStyle;
            one.classList.remove('can');
            return [by_script, getComputedStyle(one).outlineStyle];
        })""",
        TARGETS,
    )
    assert found and all(pair == ["none", "none"] for pair in found), found


@pytest.mark.deep
def test_no_ring_lies_on_the_table_after_a_press(server: Server, any_page: Any) -> None:
    page = any_page
    begin(page, server, "vcc")
    settle(page, 2)
    target = page.locator("#table .can").first
    box = target.bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    (page.touchscreen.tap if page.evaluate("navigator.maxTouchPoints") else page.mouse.click)(*at)
    page.wait_for_timeout(100)
    assert set(page.evaluate(RINGS)) <= {"none"}


# --- a failing network ------------------------------------------------------------------------------------------------


def test_a_page_whose_request_failed_asks_again(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    page.route("**/parts?*", lambda route: route.abort())
    was = version(page)
    answer_elsewhere(page, server)
    page.wait_for_selector("#refusal:not(:empty)")
    page.unroute("**/parts?*")
    wait_for_change(page, was)
    assert page.inner_text("#refusal") == ""


def answer_elsewhere(page: Any, server: Server) -> None:
    """Answer the question of the page with its first option, without the page."""
    shown = page_state(page)
    fields = {name: str(shown[name]) for name in ("version", "position", "ground")}
    page.request.post(f"{page.url}/do/answer", form={**fields, "option": "0"}, headers={"Origin": server.home})


def test_a_page_whose_request_is_never_answered_asks_again(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    page.evaluate(
        """AbortSignal.timeout = () => {
          const given = new AbortController();
          setTimeout(() => given.abort(), 500);
          return given.signal;
        }"""
    )
    page.route("**/parts?*", lambda route: None)
    was = version(page)
    answer_elsewhere(page, server)
    page.wait_for_selector("#refusal:not(:empty)")
    page.unroute("**/parts?*")
    page.evaluate("AbortSignal.timeout = () => undefined")
    wait_for_change(page, was)
    assert page.inner_text("#refusal") == ""


def test_a_page_that_hears_nothing_for_long_asks_for_news(server: Server, own_page: Any) -> None:
    page = own_page
    page.add_init_script("window.SharedWorker = class { port = { postMessage() {} } }")  # its worker has ended
    page.clock.install()
    begin(page, server, "vcc")
    wait_for_question(page)
    was = version(page)
    answer_elsewhere(page, server)
    page.wait_for_timeout(500)
    assert version(page) == was
    page.clock.fast_forward(60_000)
    wait_for_change(page, was)


def test_a_version_that_is_announced_again_is_requested_again(server: Server, own_page: Any) -> None:
    page = own_page
    page.add_init_script("window.SharedWorker = class { port = { postMessage() {} } }")
    page.clock.install()
    begin(page, server, "vcc")
    wait_for_question(page)
    page.clock.pause_at(
        datetime.now(UTC) + timedelta(hours=1)
    )  # so that nothing but an announcement makes the page ask
    shown = int(version(page))
    for announced in (shown + 1, shown, shown + 1):
        asked: list[Any] = []
        page.on("requestfinished", lambda request, asked=asked: asked.append(request.url))
        call(page, "game/actions.noteVersion", announced)
        page.wait_for_timeout(500)
        assert any("/parts?" in url for url in asked) == (announced != shown)


# --- quick clicks -----------------------------------------------------------------------------------------------------


def test_two_quick_clicks_on_one_place_answer_one_question(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    settle(page, 1)
    before = int(page.get_attribute("#moment", "max"))
    first = page.locator("#question [data-option]").first
    box = first.bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    was = version(page)
    asks = page.inner_text("#asks")
    page.mouse.click(*at)
    page.wait_for_timeout(100)
    page.mouse.click(*at)
    wait_for_change(page, was)
    page.wait_for_timeout(600)
    answered = page.evaluate("fetch(location.pathname + '/parts').then(one => one.json()).then(one => one.position)")
    assert page.inner_text("#asks") != asks
    assert int(answered.split(".")[0]) <= 2, (before, answered)


@pytest.mark.deep
def test_a_double_click_answers_one_question_and_a_later_click_the_next(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    first = page.locator("#question [data-option]").first
    was = version(page)
    first.dblclick()
    wait_for_change(page, was)
    page.wait_for_timeout(500)
    position = page_state(page)["position"].split(".")[0]
    assert position == "1"
    was = version(page)
    page.locator("#question [data-option]").first.click()
    wait_for_change(page, was)


@pytest.mark.deep
def test_a_key_that_is_held_answers_one_question(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    page.locator("#table").focus()
    was = version(page)
    page.keyboard.down("1")
    for _ in range(6):
        page.keyboard.down("1")
        page.wait_for_timeout(60)
    page.keyboard.up("1")
    wait_for_change(page, was)
    page.wait_for_timeout(900)
    assert page_state(page)["position"].split(".")[0] == "1"


# --- many tabs --------------------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_many_tables_in_one_browser_can_be_played(server: Server, page: Any) -> None:
    tabs = [page, *(page.context.new_page() for _ in range(TABS - 1))]
    for number, page in enumerate(tabs):
        begin(page, server, "vcc", seed=number)
        page.wait_for_selector("#asks")
    for page in (tabs[0], tabs[-1]):
        was = version(page)
        call(page, "game/actions.answerWith", 0)
        wait_for_change(page, was)
    # an act in one tab shows in another tab of the same table, although all tabs have streams
    other = page.context.new_page()
    other.goto(tabs[3].url)
    other.wait_for_selector("#asks")
    was = version(other)
    call(tabs[3], "game/actions.answerWith", 0)
    wait_for_change(other, was)
    assert not any("lost" in page.get_attribute("body", "class") for page in tabs)


@pytest.mark.parametrize(
    "script",
    ["", pytest.param("delete window.SharedWorker", marks=pytest.mark.deep)],
    ids=["shared stream", "no shared worker"],
)
def test_two_tabs_of_one_table_update_each_other(server: Server, own_page: Any, script: str) -> None:
    page = own_page
    page.context.add_init_script(script)
    other = page.context.new_page()
    begin(page, server, "vcc")
    page.wait_for_selector("#asks")
    other.goto(page.url)
    other.wait_for_selector("#asks")
    was = version(other)
    call(page, "game/actions.answerWith", 0)
    wait_for_change(other, was)


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_a_friends_link_is_shown_again_and_the_owner_keeps_to_his_own_side(empty_server: Server, page: Any) -> None:
    begin(page, empty_server, "vcc", tribesmen="friend")
    page.wait_for_selector(".links li")
    shown = {element.locator("b").inner_text(): element.locator("a") for element in page.locator(".links li").all()}
    links = {whom: link.get_attribute("href") for whom, link in shown.items()}
    assert set(links) == {"you", "The band", "whoever watches"}
    assert shown["The band"].inner_text() == empty_server.home + links["The band"]
    page.wait_for_url("**/links/*")
    page.reload()
    page.wait_for_selector(".links li")
    again = [one.get_attribute("href") for one in page.locator(".links li a").all()]
    assert again == list(links.values()), "loading it again gives the same links, and begins no game"
    page.goto(empty_server.home)
    assert page.locator(".saved li").count() == 1
    page.click(".saved li a:has-text('Links')")
    page.wait_for_selector(".links li")
    assert [one.get_attribute("href") for one in page.locator(".links li a").all()] == again
    page.locator("[data-copy]").nth(1).click()
    page.wait_for_selector("#copied:not(:empty)")
    page.goto(empty_server.home)
    page.locator(".saved li button").first.click()
    page.wait_for_selector("#status .sides")
    assert page.url == empty_server.home + links["you"]
    mine = page_state(page)["seat"]
    assert mine == "patrol"


# --- a restarted server -----------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_the_first_click_after_a_restart_is_accepted(tmp_path: Path, page: Any) -> None:
    first = Server(tmp_path / "again")
    begin(page, first, "vcc")
    settle(page, 3)
    first.kill()
    page.wait_for_selector("body.lost", timeout=PATIENCE)
    shown = page_state(page)
    page.route("**/parts?*", lambda route: route.fulfill(json=shown))  # the click comes before the page has refreshed
    second = Server(tmp_path / "again", port=first.port)
    try:
        was = version(page)
        call(page, "game/actions.answerWith", 0)
        wait_for_change(page, was)
        assert page.inner_text("#refusal") == ""
    finally:
        second.kill()


def test_a_choice_made_while_the_server_does_not_answer_is_sent_when_it_answers_again(
    server: Server, page: Any
) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    page.route("**/do/answer", lambda route: route.abort("connectionrefused"))
    was = version(page)
    page.locator("#question .option").first.click()
    page.wait_for_function(
        "() => document.getElementById('refusal').textContent.includes('Your choice will be sent when it answers again.')"
    )
    page.unroute("**/do/answer")
    wait_for_change(page, was)
    assert page.inner_text("#refusal") == ""


def test_a_click_while_the_server_takes_long_is_refused_in_words(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    held: list[Any] = []
    page.route("**/do/answer", lambda route: held.append(route))
    was = version(page)
    page.locator("#question .option").first.click()
    page.wait_for_function("() => document.getElementById('refusal').textContent.includes('still on its way')")
    page.evaluate("document.getElementById('refusal').textContent = ''")
    page.locator("#question .option").first.click()
    assert "still on its way" in page.inner_text("#refusal")
    for route in held:
        route.continue_()
    wait_for_change(page, was)
    assert (len(held), page.inner_text("#refusal")) == (1, "")
