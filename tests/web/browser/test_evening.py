"""An evening with friends in real browsers: two people and a watcher, many tabs, a server that stops and starts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.web.chromium import (
    PATIENCE,
    SKIRMISH,
    Server,
    begin,
    begin_by_form,
    version,
    wait_for_change,
    wait_for_question,
)

TABS = 10
ALONE = "delete window.SharedWorker"
"""Script that makes Chromium like a browser whose tabs cannot share a stream."""


def links(page: Any) -> dict[str, str]:
    """Return the addresses on the page of links, by holder."""
    holders = page.locator(".address b").all_text_contents()
    return dict(zip(holders, page.locator(".address a").all_text_contents(), strict=True))


def invite(open_page: Callable[..., Any], server: Server) -> tuple[Any, Any, Any]:
    """Start a skirmish; return the pages of the owner, a friend and a watcher, each in a separate browser."""
    owner, friend, watcher = (open_page() for _ in range(3))
    begin_by_form(owner, server, "vcc", SKIRMISH, patrol="me", tribesmen="friend")
    given = links(owner)
    owner.click("text=Go to the table")
    friend.goto(given["The band"])
    watcher.goto(given["whoever watches"])
    for page in (owner, friend, watcher):
        wait_for_question(page)
        page.wait_for_selector("#people .seats")
    return owner, friend, watcher


def let_ai_play(page: Any, scope: str) -> None:
    """Let the AI play for the person at a page."""
    page.click("summary:has-text('Let the AI play')")
    page.select_option("[data-form=delegate] [name=scope]", scope)
    before = version(page)
    page.click("[data-form=delegate] [type=submit]")
    wait_for_change(page, before)
    wait_for_question(page)


def play_to_the_end(*pages: Any) -> None:
    """Let the AI play for each person in turn until the game is over."""
    until = time.monotonic() + PATIENCE / 100
    while not pages[0].locator(".asks:has-text('The game is over')").count():
        asked = next((page for page in pages if page.locator("body.mine").count()), None)
        if asked is None:
            time.sleep(0.1)
        else:
            let_ai_play(asked, "turn")
        assert time.monotonic() < until


def test_two_people_and_a_watcher_play_a_patrol_with_a_restart_and_a_rematch(
    open_page: Callable[..., Any], empty_server: Server
) -> None:
    owner, friend, watcher = invite(open_page, empty_server)
    assert owner.title().startswith("● Your turn: ") and not friend.title().startswith("●")
    assert owner.locator("link[rel=icon]").get_attribute("href") == "/static/icon-turn.svg"
    assert friend.locator("link[rel=icon]").get_attribute("href") == "/static/icon.svg"
    owner.wait_for_selector("#status [data-seat=tribesmen] .online")

    friend.click("text=Settings")
    friend.fill("#name input", "Anna")
    friend.click("#name [type=submit]")
    friend.fill("#say input", "<b>Good</b> evening")
    friend.click("#say [type=submit]")
    for page in (owner, watcher):
        page.wait_for_selector("#chat li:has-text('<b>Good</b> evening')")
        page.wait_for_selector("#status [data-seat=tribesmen]:has-text('Anna')")
    assert watcher.locator("#say").count() == 0

    let_ai_play(owner, "phase")
    friend.wait_for_selector("body.mine")
    assert friend.title().startswith("● Your turn: ")
    for lines in (1, 2):  # what a friend does stays marked until you act yourself
        before = version(friend)
        friend.click("#question [data-option]")
        wait_for_change(friend, before)
        wait_for_question(friend)
        owner.wait_for_function("lines => document.querySelectorAll('#log .log-line.new').length >= lines", arg=lines)
    friend.click("summary:has-text('Let the AI play')")
    owner.click("[data-act=ask_undo]")
    friend.click("[data-act=decline_undo]")
    friend.wait_for_selector("[data-act=decline_undo]", state="detached")
    assert friend.is_visible("[data-form=delegate] [type=submit]")
    friend.click("summary:has-text('Let the AI play')")
    empty_server.kill()
    friend.wait_for_selector("body.lost")
    with friend.expect_response("**/parts?*"):
        again = Server(empty_server.folder, empty_server.port)
    try:
        for page in (owner, friend, watcher):
            page.wait_for_selector("body:not(.lost)")
        play_to_the_end(owner, friend)
        for page in (owner, friend, watcher):
            page.wait_for_selector("text=The game is over")
        assert owner.title().startswith("Over: ")
        owner.wait_for_selector("#chat li:has-text('evening')")

        owner.click("[data-people=rematch]")
        friend.wait_for_selector("text=wants a rematch")
        friend.click("[data-people=rematch]")
        for page in (owner, friend):
            page.click("text=Go to the rematch")
            wait_for_question(page)
        owner.wait_for_selector("#status [data-seat=patrol]:has-text('Anna')")
        assert friend.title().startswith("● Your turn: ")
        watcher.click("text=Watch the rematch")
        wait_for_question(watcher)
    finally:
        again.kill()


@pytest.mark.deep
def test_a_friends_link_is_shown_again_and_a_friend_has_a_list_of_games(
    open_page: Callable[..., Any], empty_server: Server
) -> None:
    owner, friend, _ = invite(open_page, empty_server)
    own = friend.url
    owner.click(".bar >> text=Links")
    assert links(owner)["The band"] == own and owner.locator("svg.qr").count() == 3
    friend.click(".bar >> text=Games")
    friend.wait_for_selector("#tables li:has-text('Waiting for the patrol')")
    owner.goto(empty_server.home)
    owner.wait_for_selector(".games .yours:has-text('Your turn')")
    with owner.expect_navigation():
        owner.click(".games button")
    owner.click("#question [data-option]")
    owner.click(".bar >> text=Links")
    owner.click("button[value='The band']")
    friend.goto(own)
    friend.wait_for_selector("text=no longer valid")


@pytest.mark.deep
@pytest.mark.parametrize("script", ["", ALONE], ids=["shared stream", "no shared worker"])
def test_ten_tabs_at_three_tables_keep_working(server: Server, own_page: Any, script: str) -> None:
    first, context = own_page, own_page.context
    if script:
        context.add_init_script(script)
    tables = []
    for number in range(3):
        begin(first, server, "vcc", SKIRMISH, seed=number + 1)
        tables.append(first.url)
    pages = [first, *(context.new_page() for _ in range(TABS - 1))]
    for number, page in enumerate(pages):
        page.goto(tables[number % 3])
        wait_for_question(page)
    for number in range(3):
        before = [version(page) for page in pages[number::3]]
        pages[number].click("#question [data-option]")
        for page, was in zip(pages[number::3], before, strict=True):
            wait_for_change(page, was)


def test_the_server_stops_silently_and_the_first_click_after_a_restart_counts(empty_server: Server, page: Any) -> None:
    server, pages = empty_server, [page, *(page.context.new_page() for _ in range(3))]
    begin(pages[0], server, "vcc", SKIRMISH)
    for page in pages[1:]:
        page.goto(pages[0].url)
    for page in pages:
        wait_for_question(page)
    before, start = version(pages[3]), time.monotonic()
    said = server.stop()
    assert not said, said
    assert time.monotonic() - start < 20  # a busy machine needs most of it; an idle one needs less than a second
    pages[3].wait_for_selector("body.lost")
    again = Server(server.folder, server.port)
    try:
        pages[3].click("#question [data-option]")
        wait_for_change(pages[3], before)
        assert pages[3].inner_text("#refusal") == ""
    finally:
        again.kill()
