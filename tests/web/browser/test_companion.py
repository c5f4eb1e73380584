"""The companion in a real browser, on a phone: taps, sizes, faces of dice, and a second phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.web.chromium import FINGERS, Server

FORCES = "Us:\n20 Alpha rifles\n1 field gun\nThem:\n24 Red spears\n24 Blue spears"
SMALL_FORCES = "Us:\n8 Alpha rifles\nThem:\n8 Red spears\n8 Blue spears"
FINGER = 44
"""The least height of a control in pixels."""


def begun(
    open_page: Callable[..., Any], server: Server, ruleset: str = "vcc", forces: str = FORCES, **options: Any
) -> Any:
    """Begin an evening on a phone and return its page."""
    page = open_page(**{**FINGERS, **options})
    page.goto(server.enter)
    page.goto(f"{server.home}/companion")
    page.select_option("[name=ruleset]", ruleset)
    page.fill("textarea[name=forces]", forces)
    page.get_by_role("button", name="Begin").tap()
    page.wait_for_selector(".book")
    return page


def tap(page: Any, name: str) -> None:
    """Tap a button of the question and wait for the next version of the book."""
    version = page.locator(".book").get_attribute("data-version")
    page.locator(".asked button", has_text=name).first.tap()
    page.wait_for_selector(f".book:not([data-version='{version}'])")


def throw(page: Any, *faces: int) -> None:
    """Tap the faces of dice and wait for the next version of the book."""
    version = page.locator(".book").get_attribute("data-version")
    for face in faces:
        page.locator(f"[data-face='{face}']").tap()
    page.wait_for_selector(f".book:not([data-version='{version}'])")


def test_volley_with_one_thumb(open_page: Callable[..., Any], server: Server) -> None:
    page = begun(open_page, server)
    for name in ("Field gun", "Red", "medium", "none", "no"):
        tap(page, name)
        bottom = page.locator(".asked").bounding_box()
        assert bottom["y"] + bottom["height"] <= FINGERS["viewport"]["height"], f"scrolling after {name}"
    assert page.evaluate("document.documentElement.scrollWidth") <= FINGERS["viewport"]["width"]
    small = [
        button.inner_text()
        for button in page.locator(".asked button:visible").all()
        if button.bounding_box()["height"] < FINGER
    ]
    assert small == []
    tap(page, "Roll for me")  # the sixth tap
    assert "Field gun fired 5 dice at Red (medium)" in page.inner_text(".told")


@pytest.mark.deep
def test_real_dice_are_tapped(open_page: Callable[..., Any], server: Server) -> None:
    page = begun(open_page, server)
    for name in ("Field gun", "Red", "medium", "none", "no"):
        tap(page, name)
    for face in (6, 4, 3, 2):
        page.locator(f"[data-face='{face}']").tap()
    page.locator("[data-face='1']").tap()
    page.wait_for_selector(".told p")
    assert page.locator(".told p").all_inner_texts() == [
        "Field gun fired 5 dice at Red (medium): 16 hits", "Red lost 2 bases, 4 left",
        "Red: 4 hits on its marker",
    ]  # fmt: skip


def test_tapped_faces_are_counted_and_erased(open_page: Callable[..., Any], server: Server) -> None:
    page = begun(open_page, server)
    for name in ("Field gun", "Red", "medium", "none", "no"):
        tap(page, name)
    for face in (6, 4, 3):
        page.locator(f"[data-face='{face}']").tap()
    assert page.inner_text("[data-count]") == "3 of 5"
    page.get_by_role("button", name="Erase").tap()
    assert (page.inner_text("[data-count]"), page.input_value("[aria-label=Faces]")) == ("2 of 5", "6 4")
    assert page.get_by_role("button", name="Erase").bounding_box()["height"] >= FINGER
    throw(page, 3, 2, 1)
    assert "Field gun fired 5 dice at Red (medium): 16 hits" in page.inner_text(".told")


def test_a_second_phone_is_updated(open_page: Callable[..., Any], server: Server) -> None:
    page = begun(open_page, server)
    other = open_page(**FINGERS)
    other.goto(page.url)
    other.wait_for_selector(".book")
    tap(page, "Field gun")
    other.wait_for_selector("text=Which enemy should Field gun fire at?")


def test_all_units_are_taken_with_one_tap(open_page: Callable[..., Any], server: Server) -> None:
    page = begun(open_page, server, ruleset="risk_factor", forces=SMALL_FORCES)
    throw(page, 2)
    throw(page, 5)  # the side with two units begins
    page.wait_for_selector("text=Which units see no enemy?")
    page.locator(".asked button[name=all]").tap()
    page.wait_for_selector("text=Which are wholly in cover")
    page.locator(".asked button[name=all]").tap()
    page.wait_for_selector("text=Which of these stand in works?")  # asked of units in cover only


def test_casualty_cards_of_paychest_need_no_scrolling(open_page: Callable[..., Any], server: Server) -> None:
    page = begun(open_page, server, ruleset="paychest", forces=SMALL_FORCES)
    for name in ("Alpha", "Next phase", "fire a volley", "Red", "all men, at all of", "short", "none"):
        tap(page, name)
    throw(page, 1, *[6] * 6)
    throw(page, 5)
    page.wait_for_selector("text=Draw a casualty card")
    last, below = (
        page.locator(".tiles.narrow button").last.bounding_box(),
        page.locator(".asked > .acts").bounding_box(),
    )
    assert page.locator(".tiles.narrow button").count() == 14
    assert last["y"] + last["height"] <= below["y"]
    assert below["y"] + below["height"] <= FINGERS["viewport"]["height"]
    small = [
        button.inner_text()
        for button in page.locator(".asked button:visible").all()
        if button.bounding_box()["height"] < FINGER
    ]
    assert small == []


def test_two_phones_go_on_after_a_server_was_killed(open_page: Callable[..., Any], empty_server: Server) -> None:
    """Killed between the dice of an act and their result, without warning."""
    page = begun(open_page, empty_server, ruleset="paychest", forces=SMALL_FORCES)
    other = open_page(**FINGERS)
    other.goto(page.url)
    for name in ("Alpha", "Next phase", "fire a volley", "Red", "all men, at all of", "short", "none"):
        tap(page, name)
    throw(page, 1, *[6] * 6)
    question = page.inner_text(".asked")
    empty_server.kill()
    again = Server(empty_server.folder, port=empty_server.port)
    try:
        page.reload()
        assert page.inner_text(".asked") == question
        throw(page, 5)
        tap(page, "A K ♠♥")
        other.wait_for_selector("text=warrior 5 of Red was killed")
        assert "warrior 5 of Red was killed" in page.inner_text(".told")
    finally:
        again.kill()


@pytest.mark.deep
def test_correction_is_tapped_in_dark_mode(open_page: Callable[..., Any], server: Server) -> None:
    page = begun(open_page, server, color_scheme="dark")
    page.locator("#unit-red summary").tap()
    page.locator("#unit-red button", has_text="prone").tap()
    page.wait_for_selector(".told p")
    assert "6 bases, prone" in page.inner_text("#unit-red summary")
    assert page.locator("#unit-red").get_attribute("open") is not None
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert max(red, green, blue) < 80
