"""The scenario editor in a real browser: by mouse and keys at a desk, and by touch on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.web.chromium import SIZES, Server, call


@pytest.mark.parametrize("touch", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["desk", "phone"])
def test_leaders_objects_and_objectives_are_made_by_pointer_keys_and_touch(
    touch: bool, server: Server, open_page: Callable[..., Any]
) -> None:
    _make_with(open_page(**SIZES["phone" if touch else "laptop"]), server, touch=touch)


def _make_with(page: Any, server: Server, *, touch: bool) -> None:
    """Make an object on the map, an objective for units selected by pointing, and a leader with keys alone."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(server.enter)
    page.goto(f"{server.home}/make")
    page.fill("[name=seed]", "7")
    page.click(".begin")
    page.wait_for_selector("#problems .allowed")

    def press(target: Any) -> None:
        target.tap() if touch else target.click()

    def at(target: Any) -> None:
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.touchscreen.tap(*spot) if touch else page.mouse.click(*spot)

    def drawn(unit: str) -> Any:
        """Return the tag of a unit; where the map is too small for it, a figure."""
        tag = page.locator(f"#pieces .tag[data-unit='{unit}']:not(.absent)")
        return tag if tag.count() else page.locator(f"#pieces .piece[data-unit='{unit}'] use").first

    def begun(kind: str) -> None:
        page.select_option("[name=new]", kind)
        press(page.locator("[data-tool=new] button"))
        page.wait_for_selector("#form-of form[data-tool=add]")

    begun("objects")
    press(page.locator("#form-of [name=pointed]"))
    assert page.locator("#pick").is_hidden(), "required fields of an object come first"
    page.fill("#form-of [name='it.name']", "The chest")
    page.select_option("#form-of [name='it.kind']", "paychest")
    press(page.locator("#form-of [name=pointed]"))
    page.wait_for_selector("#pick:not([hidden])")
    at(page.locator("#ground .turf"))
    page.wait_for_selector("#form-of form[data-tool=set]:has([value=the_chest])")
    assert page.locator("#pieces [data-unit=the_chest]").count()
    assert page.evaluate("document.activeElement.tagName") == "H2", "screen readers announce what is open"

    begun("objectives/hold")
    page.fill("#form-of [name='it.name']", "Shatter them")
    page.select_option("#form-of [name='it.kind']", "destroy")
    page.wait_for_selector("#form-of [name='it.share']")
    assert page.input_value("#form-of [name='it.name']") == "Shatter them"
    page.fill("#form-of [name='it.share']", "0.5")
    page.locator("#form-of [name='it.by'][value=first]").check()
    second = page.locator("#form-of [name='it.units']").last.get_attribute("value")
    press(page.locator("#form-of [data-point='it.units']"))
    at(drawn(second))
    own = page.locator("#form-of [name='it.units']").first
    for named in (True, False):
        at(drawn(own.get_attribute("value")))
        assert own.is_checked() is named, "the south of the map can be pointed at too"
    press(page.locator("[data-finish]"))
    assert page.locator(f"#form-of [name='it.units'][value='{second}']").is_checked()
    press(page.locator("#form-of .take"))
    page.wait_for_selector("#form-of form[data-tool=set]:has([value=shatter_them])")
    page.wait_for_selector("#problems .allowed")

    page.select_option("[name=new]", "leaders")
    page.locator("[data-tool=new] button").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#form-of form[data-tool=add] [name='it.rank']")
    page.locator("#form-of [name='it.name']").focus()
    page.keyboard.type("Captain Key")
    page.locator("#form-of [name='it.side']").focus()
    page.keyboard.press("ArrowDown")
    assert page.input_value("#form-of [name='it.side']") == "first"
    page.locator("#form-of [name='it.rank']").focus()
    page.keyboard.type("officer")
    page.locator("#form-of [name=pointed]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#pick:not([hidden])")
    for key in ("ArrowLeft", "ArrowDown", "Space"):
        page.keyboard.press(key)
    page.wait_for_selector("#form-of form[data-tool=set]:has([value=captain_key])")
    page.wait_for_selector("#pieces [data-unit=captain_key]", state="attached")
    page.wait_for_selector("#problems .allowed")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and not faults


@pytest.mark.deep
@pytest.mark.parametrize("touch", [False, True], ids=["desk", "phone"])
def test_a_newcomer_makes_a_battle_from_nothing_and_plays_it(
    touch: bool, server: Server, open_page: Callable[..., Any]
) -> None:
    _make_from_nothing(open_page(**SIZES["phone" if touch else "laptop"]), server, touch=touch)


def _make_from_nothing(page: Any, server: Server, *, touch: bool, look: Callable[[str], object] = str) -> None:
    """Make a battle with three errors (a wood of two corners, two units in one place, an arrival after the end) and fix
    each at its message.
    """
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(server.enter)

    def press(target: str) -> None:
        found = page.locator(target).first
        found.tap() if touch else found.click()

    def at(*places: tuple[float, float]) -> None:
        """Press at these points of the table, in inches from its south-west corner."""
        page.wait_for_selector("#pick:not([hidden])")
        for x, y in places:
            spot = page.evaluate(
                "([x, y]) => import('/static/editor/state.js').then(({ state, table }) => {"
                " const at = new DOMPoint(x, state.size[1] - y).matrixTransform(table.getScreenCTM());"
                " return [at.x, at.y]; })",
                [x, y],
            )
            page.touchscreen.tap(*spot) if touch else page.mouse.click(*spot)

    def wrong(words: str) -> None:
        page.wait_for_selector(f"#problems:has-text('{words}')")

    press("a:has-text('Make a battle')")
    page.fill("[name=title]", "My first fight")
    look("making")
    press("section:has([name=title]) .begin")
    page.wait_for_selector("#problems .refusal")
    look("an empty table")
    assert page.locator("#play").is_hidden() and page.locator("#ground .table").count() == 1

    page.select_option("[data-tool=terrain] [name=kind]", "light_wood")
    press("[data-tool=terrain] button")
    at((20, 15), (27, 15))
    press("[data-finish]")
    page.wait_for_selector("#pick-said:has-text('at least')")
    look("a wood of two corners")
    at((24, 21))
    press("[data-finish]")
    page.wait_for_selector("#form-of form:has([value=light_wood])")

    for side, preset, places in (("column", "a company of regulars", [(20, 4), (21, 4)]), ("tribesmen", "tribal swordsmen", [(24, 33)])):  # fmt: skip
        for place in places:
            before = page.locator("#list [data-section=units]").count()
            page.select_option("[data-tool=units] [name=preset]", preset)
            page.select_option("[data-tool=units] [name=side]", side)
            press("[data-tool=units] button:not([name])")
            at(place)
            page.wait_for_function(
                "n => document.querySelectorAll('#list [data-section=units]').length > n", arg=before
            )
    wrong("overlaps")
    look("two on one spot")
    press("#problems button:has-text('overlaps')")
    page.wait_for_selector("#form-of .fault:has-text('overlaps')")
    page.wait_for_selector('#form-of [name="it.position"]:focus')  # the field gets the focus
    look("the fault at its field")
    press("#form-of [name=pointed]")
    at((32, 4))
    page.wait_for_selector("#problems:not(:has-text('overlaps'))")

    page.select_option("[name=new]", "objectives/hold")
    press("[data-tool=new] button")
    page.wait_for_selector("#form-of form[data-tool=add]")
    page.fill("#form-of [name='it.name']", "The wood")
    page.select_option("#form-of [name='it.terrain']", "light_wood")
    press("#form-of .take")
    page.wait_for_selector("#problems .allowed")
    look("sound")

    press("#form-of [data-close]")
    call(page, "editor/forms.openElement", "units", page.get_attribute("#list [data-section=units]", "data-key"))
    page.wait_for_selector("#form-of [name='it.arrival.turn']", state="attached")
    press("#form-of [data-field='it.arrival'] summary")
    page.fill("#form-of [name='it.arrival.turn']", "99")
    page.select_option("#form-of [name='it.arrival.edge']", "south")
    page.wait_for_selector("#form-of [data-field='it.arrival.turn'] .fault:has-text('after the last turn')")
    look("an arrival after the end")
    page.fill("#form-of [name='it.arrival.turn']", "2")
    page.wait_for_selector("#form-of [data-field='it.position'] .fault:has-text('arrives')")
    page.fill("#form-of [name='it.position']", "")
    page.wait_for_selector("#form-says:has-text('not saved yet')")
    press("[data-section=battle]")
    page.wait_for_selector("#form-of [name='it.night']")
    page.select_option("#form-of [name='it.fog']", "yes")
    press("#form-of .take")
    page.wait_for_function("() => document.querySelector('[name=text]').value.includes('fog: true')")
    page.wait_for_selector("#problems .allowed")
    text = page.input_value("[name=text]")
    assert "turn: 2" in text and "fog: true" in text, "entries in a form are kept when another is opened"
    look("made")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    press("#play")
    page.wait_for_selector("h1:has-text('My first fight')")
    look("to be played")
    press("button.begin")
    page.wait_for_selector("#question h2")
    look("played")
    assert not faults


@pytest.mark.parametrize("touch", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["desk", "phone"])
def test_units_and_corners_are_dragged(touch: bool, server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(**SIZES["phone" if touch else "laptop"])
    page.goto(server.enter)
    page.goto(f"{server.home}/make")
    page.fill("[name=seed]", "7")
    page.click(".begin")
    page.wait_for_selector("#problems .allowed")

    def drag(selector: str, across: float, along: float) -> None:
        """Drag an element of the map by some pixels."""
        page.locator(selector).first.scroll_into_view_if_needed()
        box = page.locator(selector).first.bounding_box()
        start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if touch:
            drag_with_a_finger(page, start, (start[0] + across, start[1] + along))
            return
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] + across, start[1] + along, steps=4)
        page.mouse.up()

    text = "document.querySelector('[name=text]').value"
    before = page.evaluate(text)
    drag("#pieces .piece[data-unit=fusiliers] use", 20, -30)
    page.wait_for_function(f"before => {text} !== before", arg=before)
    changed = [line for line in page.evaluate(text).splitlines() if line not in before.splitlines()]
    assert len(changed) == 1 and "position" in changed[0], "one unit has moved"
    assert page.locator("#form-of form").count() == 0, "the click that ends a drag opens no form"

    call(page, "editor/forms.openElement", "terrain", page.locator("#list [data-section=terrain]").first.get_attribute("data-key"))  # fmt: skip
    page.wait_for_selector("#corners .corner-handle")
    size = page.locator("#corners .corner-handle").first.bounding_box()
    assert min(size["width"], size["height"]) >= (24 if touch else 12)
    before = page.evaluate(text)
    drag("#corners .corner-handle", 25, 25)
    page.wait_for_function(f"before => {text} !== before", arg=before)
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def drag_with_a_finger(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with a finger, which Playwright can only do in Chromium's own protocol."""
    session = page.context.new_cdp_session(page)
    ways = [(start[0] + (end[0] - start[0]) * part / 4, start[1] + (end[1] - start[1]) * part / 4) for part in range(5)]
    for number, (x, y) in enumerate(ways):
        kind = "touchStart" if number == 0 else "touchMove"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
