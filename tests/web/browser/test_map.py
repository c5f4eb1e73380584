"""The map in a real browser: readable labels, dragged units, refusals in words, objectives, cards and the legend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.systems import RULESETS, each_ruleset
from tests.web.chromium import (
    FINGERS,
    SIZES,
    Server,
    begin,
    call,
    page_state,
    version,
    wait_for_change,
    wait_for_question,
)

from zareba.scenario import shipped_scenarios


def wait_for_frames(page: Any) -> None:
    """Wait until the page has been drawn again: the labels follow the size of the map in the next frame."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def watch_to_the_end(page: Any) -> None:
    """Wait until the page has played what the enemy did."""
    page.wait_for_selector("body:not(.playing)")
    wait_for_frames(page)


def set_up(page: Any, server: Server, ruleset: str, scenario: str = "patrol_clash", turns: int = 0) -> None:
    """Begin a game and let the AI set up this side, or play some turns as well."""
    begin(page, server, ruleset, scenario)
    wait_for_question(page)
    if turns or page.locator("[data-set-up]").count():
        was = version(page)
        fields = {"scope": "turn" if turns else "phase", "turns": str(turns or 1), "player": "doctrine"}
        call(page, "game/actions.act", "delegate", fields)
        wait_for_change(page, was)
        wait_for_question(page)
        watch_to_the_end(page)


# --- labels ----------------------------------------------------------------------------------------------------------


LABELS = """() => {
  const shown = (one) => one.getClientRects().length > 0 && one.getBoundingClientRect().width > 0;
  const box = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect(); return [left + 1, top + 1.5, right - 1, bottom - 1.5]; };
  const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  const table = document.getElementById("table");
  const labels = [...table.querySelectorAll(".label:not(.absent) > .anchored")].flatMap((one) =>
    [...one.querySelectorAll("text:not(.absent, .key, .count, .badge-letter), .plate")].filter(shown).map((part) => [part.textContent || one.textContent, box(part), one]));
  const figures = [...table.querySelectorAll(".piece:not(.block) use, .block .body > use, .flag use")]
    .filter((one) => !/#(dropped|smoke|star|lying|wounded|out)$/.test(one.getAttribute("href")))
    .map((one) => [one.closest("[data-unit], [data-aim]")?.textContent ?? "", box(one).map((edge, n) => edge + (n < 2 ? 1 : -1))]);
  const found = [];
  labels.forEach(([words, a, group], n) => {
    for (const [other, b, its] of labels.slice(n + 1)) if (its !== group && meet(a, b)) found.push(`${words} / ${other}`);
    for (const [figure, b] of figures) if (meet(a, b)) found.push(`${words} / figure of ${figure}`);
  });
  const heights = [...table.querySelectorAll("text")].filter(shown).map((one) => parseFloat(one.getAttribute("font-size")) * one.getScreenCTM().a);
  return { found, smallest: Math.min(...heights), units: table.querySelectorAll(".tag:not(.absent)").length };
}"""


def check_labels(page: Any) -> int:
    """Check that no label covers another or a figure, and that all are readable; return the number of tags shown."""
    wait_for_frames(page)
    told = page.evaluate(LABELS)
    assert told["found"] == []
    assert told["smallest"] >= 11
    return int(told["units"])


@pytest.mark.parametrize("size", [pytest.param("laptop", marks=pytest.mark.deep), "phone"])
@pytest.mark.parametrize("ruleset", each_ruleset("risk_factor"))
def test_labels_cover_neither_each_other_nor_figures(
    ruleset: str, size: str, server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(**SIZES[size])
    set_up(page, server, ruleset, turns=2)
    assert check_labels(page) > 3


@pytest.mark.deep
@pytest.mark.parametrize("scenario", shipped_scenarios())
@pytest.mark.parametrize("ruleset", RULESETS)
def test_labels_of_every_battle_cover_nothing_at_any_zoom(
    ruleset: str, scenario: str, server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(**SIZES["laptop"])
    set_up(page, server, ruleset, scenario, turns=1)
    phone = open_page(**SIZES["phone"])
    phone.goto(page.url)
    wait_for_question(phone)
    for each in (page, phone):
        for zooms in range(4):
            assert check_labels(each) > 3, zooms
            call(each, "game/map.zoom", "in")
            call(each, "game/map.zoom", "in")


@pytest.mark.deep
def test_labels_become_more_as_the_map_comes_nearer_and_keep_their_size(
    server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(**FINGERS)
    set_up(page, server, "risk_factor", turns=1)
    names = "document.querySelectorAll('.tag:not(.absent) .line:not(.absent)').length"
    before = check_labels(page), page.evaluate(names)
    for _ in range(3):
        call(page, "game/map.zoom", "in")
    after = check_labels(page), page.evaluate(names)
    assert after[0] >= before[0] and after[1] > before[1], (before, after)


@pytest.mark.deep
def test_units_with_options_always_have_a_tag(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(**FINGERS)
    set_up(page, server, "paychest", "battle_of_the_wells")
    wait_for_frames(page)
    assert page.locator(".tag.can").count() > 5
    assert page.locator(".tag.can.absent, .tag.acting.absent").count() == 0


PLATES = """() => [...document.querySelectorAll(".tag:not(.absent) .count:not(.absent)")].map((count) => {
  const tag = count.closest(".tag"), width = (part) => part.getBoundingClientRect();
  const [plate, sign] = [tag.querySelector(".plate"), tag.querySelector(".anchored > use")].map(width);
  const [key, last] = [tag.querySelector(".key"), count].map(width);
  return { said: tag.textContent, narrow: plate.width < tag.dataset.half * 2 - 2, inside: key.left >= plate.left - 1 && last.right <= plate.right + 1,
    apart: key.right <= sign.left + 1.5 && sign.right <= last.left + 1.5 };
})"""
"""Script that returns for each tag with a number whether its plate is narrow, and whether its parts have room."""
STRAYS = """() => {
  const middle = (one) => { const box = one.getBoundingClientRect(); return [(box.left + box.right) / 2, (box.top + box.bottom) / 2]; };
  const cells = [...document.querySelectorAll(".cell")].map((one) => [one.dataset.cell, ...middle(one.querySelector(".rim"))]);
  const nearest = ([x, y]) => cells.map(([cell, a, b]) => [Math.hypot(a - x, b - y), cell]).sort((one, other) => one[0] - other[0])[0][1];
  const homes = new Map([...document.querySelectorAll(".block[data-unit]")].map((one) => [one.dataset.unit, nearest(middle(one.querySelector(".body")))]));
  const taken = new Set(homes.values()), tags = [...document.querySelectorAll(".tag:not(.absent)")];
  const strays = tags.filter((one) => { const cell = nearest(middle(one.querySelector(".plate"))); return cell !== homes.get(one.dataset.unit) && taken.has(cell); });
  return { strays: strays.map((one) => one.textContent), tied: document.querySelectorAll(".stalk").length, absent: document.querySelectorAll(".tag.absent").length };
}"""
"""Script that returns the tags over cells of other units, and the number of tags with a line and without a place."""
LOSSES = """() => {
  const box = (one) => one.getBoundingClientRect(), meet = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  const labels = [...document.querySelectorAll(".tag:not(.absent) .plate, .tag:not(.absent) .line:not(.absent)")];
  const losses = [...document.querySelectorAll("#playback .loss :is(path, text)")];
  return [losses.length, losses.flatMap((one) => labels.filter((label) => meet(box(one), box(label))).map((label) => `${one.textContent} / ${label.parentNode.textContent}`))];
}"""
"""Script that returns the number of signs and words of losses, and those that cover a tag."""


@pytest.mark.deep
def test_plates_become_narrow_where_units_crowd_so_that_no_unit_loses_its_tag(
    server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(**FINGERS)
    set_up(page, server, "afriboria", "hill_fort", turns=2)
    check_labels(page)
    assert page.locator(".tag").count() > 25
    assert page.locator(".tag.absent").count() <= 2
    plates = page.evaluate(PLATES)
    assert sum(plate["narrow"] for plate in plates) > 5
    assert [plate for plate in plates if not (plate["inside"] and plate["apart"])] == []
    narrow_before = sum(plate["narrow"] for plate in plates)
    for _ in range(4):
        call(page, "game/map.zoom", "in")
    wait_for_frames(page)
    plates = page.evaluate(PLATES)
    assert sum(plate["narrow"] for plate in plates) < narrow_before
    assert [plate for plate in plates if not (plate["inside"] and plate["apart"])] == []


@pytest.mark.deep
@pytest.mark.parametrize("scenario", ["column_ambushed", "mission_station"])
def test_tags_are_not_over_hexes_of_other_units(scenario: str, server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(**FINGERS)
    set_up(page, server, "afriboria", scenario, turns=2)
    check_labels(page)
    found = page.evaluate(STRAYS)
    assert found["strays"] == [] and found["absent"] == 0 and found["tied"] < page.locator(".tag").count() / 3, found


@pytest.mark.deep
def test_the_name_of_an_objective_covers_no_object_without_a_tag(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(**SIZES["laptop"])
    begin(page, server, "afriboria", "paychest_raid")
    wait_for_question(page)
    assert page.locator(".aim-name:not(.absent)").count()
    check_labels(page)


@pytest.mark.deep
def test_losses_cover_no_tags_after_the_ai_has_played_some_turns(server: Server, page: Any) -> None:
    set_up(page, server, "afriboria", "square_attacked", turns=3)
    for _ in range(2):
        number, covered = page.evaluate(LOSSES)
        assert number > 10 and covered == []
        call(page, "game/map.zoom", "in")
        wait_for_frames(page)


@pytest.mark.deep
def test_a_unit_set_up_during_the_playback_has_one_mark_for_all_its_losses(server: Server, page: Any) -> None:
    begin(page, server, "fixed_baynet", "hill_fort")
    wait_for_question(page)
    was = version(page)
    call(page, "game/actions.act", "delegate", {"scope": "turn", "turns": "3", "player": "doctrine"})
    wait_for_change(page, was)
    wait_for_question(page)
    watch_to_the_end(page)
    marks = page.locator("#playback .loss").count()
    assert 0 < marks <= 16, "the battle has 16 units"


# --- drag to move -----------------------------------------------------------------------------------------------------


def middle(page: Any, selector: str) -> tuple[float, float]:
    """Return the middle of an element on the screen."""
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def cells(page: Any) -> list[str]:
    return [str(aim["cell"]) for aim in page_state(page)["targets"] if aim["cell"] is not None]


def test_dragging_a_unit_to_a_box_answers_for_the_unit_and_the_box(server: Server, page: Any) -> None:
    set_up(page, server, "vcc")
    unit = page.locator(".tag.can").first.get_attribute("data-unit")
    start = middle(page, f".block[data-unit='{unit}'] .body")
    height = page.locator(".cell .rim").first.bounding_box()["height"]
    goal = start[0], start[1] + height  # the next box to the south, on its own side of the table
    target = page.evaluate(
        "at => document.elementsFromPoint(...at).find(one => one.closest('.cell')).closest('.cell').dataset.cell", goal
    )
    was = version(page)
    drag(page, start, goal)
    page.wait_for_function(
        "([unit, was]) => import('/static/game/state.js').then(({ state }) => state.page.version >= Number(was) + 2)",
        arg=[unit, was],
    )
    wait_for_question(page)
    watch_to_the_end(page)
    page.wait_for_function(
        """([unit, target]) => {
            const at = document.querySelector(`.block[data-unit='${unit}'] .body`).getBoundingClientRect();
            const cell = document.querySelector(`.cell[data-cell='${target}'] .rim`).getBoundingClientRect();
            const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
            return cell.left < x && x < cell.right && cell.top < y && y < cell.bottom;
        }""",
        arg=[unit, target],
    )
    assert page.evaluate("getSelection().toString()") == "", "dragging selects no text"


@pytest.mark.deep
def test_a_unit_dragged_to_a_box_out_of_reach_stays_and_the_page_says_why(server: Server, page: Any) -> None:
    set_up(page, server, "vcc")
    was = version(page)
    page.locator(".tag.can").first.click()
    wait_for_change(page, was)
    acting = page_state(page)["acting"]
    lit = set(cells(page))
    far = next(
        cell
        for cell in map(str, range(48))
        if cell not in lit and not page.locator(f".cell[data-cell='{cell}'].can").count()
    )
    was = version(page)
    drag(page, middle(page, f".block[data-unit='{acting}'] .body"), middle(page, f".cell[data-cell='{far}'] .rim"))
    page.wait_for_selector("#measure:not(:empty)")
    assert "VCC-" in page.inner_text("#measure") and version(page) == was


def test_a_unit_that_cannot_be_dragged_now_says_why_and_what_to_do(server: Server, page: Any) -> None:
    set_up(page, server, "vcc")
    was = version(page)
    page.locator(".tag.can").first.click()
    wait_for_change(page, was)
    was, acting = version(page), page_state(page)["acting"]
    other = page.locator(f".block.side-0:not([data-unit='{acting}'])").first.get_attribute("data-unit")
    for selector, words in (
        (f".block[data-unit='{other}'] .body", "First answer the question for"),
        (".block.side-1 .body", "only your own units"),
    ):
        x, y = middle(page, selector)
        drag(page, (x, y), (x + 60, y))
        page.wait_for_selector(f"#measure:has-text('{words}')")
    page.keyboard.press(",")
    page.wait_for_selector("body.replaying")
    x, y = middle(page, ".block.side-0 .body")
    drag(page, (x, y), (x + 60, y))
    page.wait_for_selector("#measure:has-text('earlier moment')")
    assert version(page) == was


@pytest.mark.deep
def test_a_marker_dropped_on_an_illegal_point_says_one_reason(server: Server, page: Any) -> None:
    begin(page, server, "paychest")
    page.wait_for_selector("[data-form=place]")
    box = page.locator("#table").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.2 * box["height"])
    page.wait_for_selector("#ruling.refusal")
    said = page.inner_text("#ruling")
    assert said.count("PAY-") == 1 and said.endswith(".") and "costs" not in said


# --- refusals on boxes and hexes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "rule"), [pytest.param("vcc", "VCC-", marks=pytest.mark.deep), ("afriboria", "AFR-")]
)
def test_a_click_on_a_cell_that_is_no_option_says_why(ruleset: str, rule: str, server: Server, page: Any) -> None:
    begin(page, server, ruleset)
    wait_for_question(page)
    page.wait_for_selector(".cell.can")
    lit = set(cells(page))
    dark = [
        dark_cell
        for dark_cell in map(str, range(40))
        if dark_cell not in lit and page.locator(f".cell[data-cell='{dark_cell}']").count()
    ]
    was = version(page)
    said = set()
    for cell in dark[:4]:
        page.mouse.click(*middle(page, f".cell[data-cell='{cell}'] .rim"))
        page.wait_for_function("() => document.getElementById('measure').textContent.length > 0")
        said.add(page.inner_text("#measure"))
    assert version(page) == was and all(rule in sentence for sentence in said), said


@pytest.mark.deep
def test_a_click_on_an_enemy_that_is_no_target_says_why_and_offers_its_card(server: Server, page: Any) -> None:
    set_up(page, server, "vcc")
    was = version(page)
    page.mouse.click(*middle(page, ".block.side-1 .body"))
    page.wait_for_selector("#measure [data-card]")
    assert version(page) == was and not page.locator("#sheet[open]").count(), "the question stays in view"
    page.click("#measure [data-card]")
    page.wait_for_selector("#sheet[open] .card-of")


# --- objectives, cards, legend ----------------------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", each_ruleset("fixed_baynet"))
def test_an_objective_shows_its_reach_and_says_who_holds_it(ruleset: str, server: Server, page: Any) -> None:
    set_up(page, server, ruleset)
    assert page.locator("#reaches [data-held]").count() == 2
    page.locator("[data-aim] .flag").first.hover()
    page.wait_for_selector("#measure:has-text('Held by')")
    page.wait_for_selector("#reaches .pointed")


@pytest.mark.deep
def test_a_card_of_the_hand_is_played_by_a_click_on_it(server: Server, page: Any) -> None:
    set_up(page, server, "afriboria")
    for _ in range(30):
        if page.locator("#cards button.playing-card").count():
            break
        was = version(page)
        call(page, "game/actions.answerWith", 0)
        wait_for_change(page, was)
        wait_for_question(page)
    card = page.locator("#cards button.playing-card").first
    title = card.locator(".card-title").text_content()
    was = version(page)
    card.click()
    wait_for_change(page, was)
    page.wait_for_selector(f"#cards .card-row:has-text('Card in play') .card-title:text-is('{title}')")
    assert page.locator(".tag .badge").count() > 8, "units show the colours that cards name"
    assert set(page.locator(".tag .badge-letter").all_text_contents()) == {"R", "B", "G"}


@pytest.mark.deep
def test_the_legend_explains_the_signs(server: Server, page: Any) -> None:
    set_up(page, server, "risk_factor")
    page.click("[data-open=legend]")
    page.wait_for_selector("#sheet[open] .legend")
    said = page.inner_text("#sheet-body")
    assert "lying down" in said and "out of the battle" in said and "objective" in said
    swords = page.locator("#sheet-body li:has-text('close combat') svg")
    assert swords.locator("use").evaluate("one => one.getBBox().width") == 2
    pieces = page.locator("#pieces .piece").evaluate_all("pieces => pieces.map(one => one.dataset.piece)")
    call(page, "game/animation.drawFight", [pieces[0], pieces[-1]])
    assert page.locator("#playback .fight use").get_attribute("href") == swords.locator("use").get_attribute("href")


# --- the map stays where it is ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "size"),
    [
        pytest.param(ruleset, size, marks=[] if (ruleset, size) == ("vcc", "phone") else pytest.mark.deep)
        for ruleset in RULESETS
        for size in SIZES
    ],
)
def test_the_map_keeps_its_place_and_size_between_questions(
    ruleset: str, size: str, server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(**SIZES[size])
    set_up(page, server, ruleset, turns=1)
    seen = set()
    for _ in range(12):
        page.evaluate("scrollTo(0, 0)")
        seen.add(tuple(round(value) for value in page.locator("#table").bounding_box().values()))
        if not page.locator("#question .option").count():
            break
        was = version(page)
        call(page, "game/actions.answerWith", 0)
        wait_for_change(page, was)
        wait_for_question(page)
    assert len(seen) == 1, seen


def test_the_map_follows_the_size_of_the_window(server: Server, page: Any) -> None:
    set_up(page, server, "vcc")
    for width, height in (
        (1366, 768),
        (683, 384),
        (390, 844),
        (844, 390),
        (1366, 768),
    ):  # 200 % zoom; a phone is turned
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """() => {
                const [map, table] = [".map", "#table"].map((one) => document.querySelector(one).getBoundingClientRect());
                return table.width > 0 && ["x", "y", "width", "height"].every((one) => map[one] === table[one]);
            }"""
        )
        table = page.locator("#table").bounding_box()
        assert table["height"] >= 175 and table["x"] + table["width"] <= width


@pytest.mark.deep
def test_a_zoomed_view_stays_when_the_question_changes(server: Server, page: Any) -> None:
    set_up(page, server, "vcc")
    call(page, "game/map.zoom", "in")
    view = page.get_attribute("#table", "viewBox")
    was = version(page)
    call(page, "game/actions.answerWith", 0)
    wait_for_change(page, was)
    assert page.get_attribute("#table", "viewBox") == view


@pytest.mark.deep
def test_units_with_options_glow_for_a_while_and_then_the_page_draws_nothing(
    server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(reduced_motion="no-preference")
    set_up(page, server, "vcc")
    page.wait_for_function("() => document.getAnimations().some(one => one.animationName === 'glow')")
    page.wait_for_function("() => document.getAnimations().every(one => one.playState === 'finished')")
