"""The playback in a real browser: its controls, reduced motion, the marks of the last acts, and links to a moment."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from tests.web.chromium import (
    PATIENCE,
    PHONE,
    SKIRMISH,
    Server,
    begin,
    call,
    page_state,
    version,
    wait_for_question,
    wait_for_version,
)


@pytest.fixture(params=["no-preference", pytest.param("reduce", marks=pytest.mark.deep)])
def any_page(request: pytest.FixtureRequest, open_page: Callable[..., Any]) -> Any:
    """A page of a person who likes motion, and of one who prefers none."""
    return open_page(playback=True, reduced_motion=request.param)


@pytest.fixture
def page(open_page: Callable[..., Any]) -> Any:
    return open_page(playback=True)


def skip(page: Any) -> None:
    """Skip the playback that runs, if one does."""
    if page.evaluate("document.body.classList.contains('playing')"):
        page.keyboard.press("s")
    page.wait_for_selector("body:not(.playing)")


def delegate(page: Any, scope: str) -> None:
    """Let the AI play for a while."""
    was = version(page)
    call(page, "game/actions.act", "delegate", {"scope": scope, "player": "doctrine"})
    wait_for_version(page, was)


def headline_of_the_question(page: Any) -> str:
    """Return the headline of the status that belongs to the question on the panel."""
    found: str = page.evaluate(
        "status => { const parsed = new DOMParser().parseFromString(status, 'text/html');"
        " return parsed.querySelector('.headline').textContent.trim(); }",
        page_state(page)["status"],
    )
    return found


def play_to_the_enemys_turn(page: Any, server: Server, ruleset: str = "vcc") -> None:
    """Begin a game and let a whole turn happen, so that the enemy's turn is played."""
    begin(page, server, ruleset)
    wait_for_question(page)
    delegate(page, "phase")
    wait_for_question(page)
    skip(page)
    delegate(page, "turn")


@pytest.mark.deep
def test_the_first_view_plays_back_earlier_events_once(server: Server, page: Any) -> None:
    begin(page, server, "afriboria", "mission_station")
    page.wait_for_selector("body.playing")
    page.wait_for_selector("#caption:not([hidden]) .caption-said")
    page.keyboard.press("p")
    drawn = "document.querySelectorAll('#pieces .block').length"
    assert page.evaluate(drawn) < page_state(page)["pieces"].count('class="piece block')
    page.click("#catching-up [data-play=skip]")
    page.wait_for_selector("#asks")
    assert page.evaluate(drawn) == page_state(page)["pieces"].count('class="piece block')
    page.reload()
    page.wait_for_selector("#asks")
    assert page.locator("body.playing").count() == 0


def test_header_follows_the_acts_and_the_question_waits_for_the_end_of_the_playback(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    delegate(page, "phase")
    wait_for_question(page)
    skip(page)
    scores, log = page.locator("#status .score").all_inner_texts(), page.inner_text("#log")
    delegate(page, "turn")
    page.wait_for_selector("body.playing.catching-up:not(.thinking)")
    page.keyboard.press("p")
    was = version(page)
    while not page.locator("#status .side-1.asked").count():
        page.keyboard.press(".")
        page.wait_for_timeout(50)
    where = page.locator(".caption-where").text_content()
    assert page.inner_text(".headline").replace(" of 12", "") == where, "the header tells of the act on the map"
    assert (page.locator("#status .score").all_inner_texts(), page.inner_text("#log")) == (scores, log)
    assert page.locator("#question").is_hidden() and page.locator("#table .can").count() == 0
    page.keyboard.press("1")
    page.wait_for_selector("#measure:has-text('Skip')")
    assert version(page) == was, "nobody answers a question that the page does not show yet"
    page.click("#catching-up [data-play=skip]")
    page.wait_for_selector("#asks")
    assert page.inner_text(".headline") == headline_of_the_question(page) and page.inner_text("#log") != log
    assert page.locator("#status .side-0.asked").count() == 1
    assert 0 < page.locator("#log .log-line.new").count() < page.locator("#log .log-line").count()
    assert page.locator("#log .log-line").last.evaluate("line => line.classList.contains('new')")
    assert page.locator("#catching-up").is_hidden() and page.locator("#table .can").count()


def test_header_belongs_to_the_question_while_own_acts_are_played(server: Server, page: Any) -> None:
    begin(page, server, "paychest", SKIRMISH)
    wait_for_question(page)
    delegate(page, "phase")
    has_gone_on = False
    while not has_gone_on:
        wait_for_question(page)
        skip(page)
        asks, before, was = page.inner_text("#asks"), page.inner_text(".headline"), version(page)
        call(page, "game/actions.answerWith", 1 if "move step" in asks else 0)
        wait_for_version(page, was)
        page.wait_for_selector("body:not(.thinking)")
        if page.evaluate("document.body.matches('.playing:not(.catching-up)')"):
            assert page.inner_text(".headline") == headline_of_the_question(page), page.inner_text("#asks")
            has_gone_on = page.inner_text(".headline") != before


def test_a_reloaded_page_plays_back_nothing_unless_asked(server: Server, page: Any) -> None:
    play_to_the_enemys_turn(page, server)
    wait_for_question(page)
    skip(page)
    page.reload()
    wait_for_question(page)
    page.wait_for_timeout(300)
    assert page.locator("#caption").is_hidden()
    page.click("[data-play=again]")
    page.wait_for_selector("body.playing")
    page.wait_for_selector("#caption:not([hidden]) .caption-said")
    skip(page)
    assert page.evaluate("document.getElementById('pieces').innerHTML.length") > 100


SAID = "document.getElementById('caption').innerText"
NOTE_EMPTY_CAPTIONS = """() => {
  window.emptyCaptions = 0;
  const caption = document.getElementById('caption');
  const look = () => { if (!caption.hidden && !caption.innerText.trim()) window.emptyCaptions++; };
  new MutationObserver(look).observe(caption, { attributes: true, childList: true, subtree: true });
}"""


def test_playback_shows_dice_and_can_be_paused_stepped_and_skipped(server: Server, any_page: Any) -> None:
    page = any_page
    play_to_the_enemys_turn(page, server)
    page.wait_for_selector("body.playing")
    page.keyboard.press("p")
    page.wait_for_selector("#play[aria-label=play]")
    page.wait_for_selector("#caption:not([hidden]) .caption-said")
    said = page.evaluate(SAID)
    page.wait_for_timeout(1500)
    assert page.evaluate(SAID) == said, "a paused playback stands still"
    page.evaluate(NOTE_EMPTY_CAPTIONS)
    seen = {said}
    dice = 0
    while page.evaluate("document.body.classList.contains('playing')"):
        page.keyboard.press(".")
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        dice += page.locator("#caption .die").count()
        seen.add(page.evaluate(SAID))
    assert len(seen) > 3
    assert dice
    assert page.evaluate("window.emptyCaptions") == 0
    skip(page)
    assert page.locator("#caption").is_hidden()
    assert page.locator("#playback > *").count(), "the last acts stay marked"


@pytest.mark.deep
def test_the_next_question_can_be_answered_during_playback(server: Server, page: Any) -> None:
    begin(page, server, "fixed_baynet")
    wait_for_question(page)
    delegate(page, "phase")
    wait_for_question(page)
    skip(page)
    was = version(page)
    page.locator("#question .option").first.click()
    wait_for_version(page, was)
    page.wait_for_selector("body.playing:not(.catching-up)")
    was = version(page)
    page.locator("#question .option").first.click()
    wait_for_version(page, was)
    skip(page)
    wait_for_question(page)
    drawn = page.evaluate("document.querySelectorAll('#pieces .piece').length")
    assert drawn == page_state(page)["pieces"].count('class="piece ')


@pytest.mark.deep
def test_reduced_motion_switches_animation_off(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(playback=True, reduced_motion="reduce")
    play_to_the_enemys_turn(page, server)
    page.wait_for_selector("body.playing")
    for _ in range(8):
        page.wait_for_timeout(120)
        assert page.evaluate("document.getElementById('table').getAnimations({ subtree: true }).length") == 0


def test_units_slide_from_one_map_to_the_next(server: Server, page: Any) -> None:
    play_to_the_enemys_turn(page, server)
    page.wait_for_function(
        """() => document.getElementById('pieces').getAnimations({ subtree: true })
            .some((one) => one.effect.getKeyframes().some((frame) => frame.transform))""",
        timeout=PATIENCE,
    )
    skip(page)


def test_the_replay_plays_from_a_moment_and_ends_in_the_present(server: Server, page: Any) -> None:
    play_to_the_enemys_turn(page, server)
    wait_for_question(page)
    skip(page)
    most = page_state(page)["steps"]
    for back in range(1, 5):
        page.keyboard.press(",")
        page.wait_for_function(f"() => document.getElementById('moment').value === '{most - back}'")
    page.wait_for_selector("body.replaying")
    page.wait_for_function(f"() => location.hash === '#moment={most - 4}'")
    page.keyboard.press(".")
    page.wait_for_function(f"() => document.getElementById('moment').value === '{most - 3}'")
    page.click("#play")
    page.wait_for_selector("body.playing.replaying")
    page.wait_for_selector("body:not(.replaying)", timeout=PATIENCE)
    assert page.evaluate("location.hash") == ""


def test_every_moment_has_a_link(server: Server, page: Any) -> None:
    play_to_the_enemys_turn(page, server)
    wait_for_question(page)
    address = page.url
    page.goto("about:blank")
    page.goto(address + "#moment=7")
    page.wait_for_selector("body.replaying")
    page.wait_for_function("() => document.getElementById('moment').value === '7'")
    page.wait_for_selector("#moment-said:has-text('Turn')")
    page.evaluate("location.hash = '#moment=5'")
    page.wait_for_function("() => document.getElementById('moment').value === '5'")
    page.click("[data-now]")
    page.wait_for_selector("body:not(.replaying)")
    page.locator("#log .told").last.click()
    shared = page.get_attribute("#sheet [data-share]", "data-share")
    assert "#moment=" in shared and address.rpartition("/")[2] not in shared, "others must not get this seat"
    page.goto(server.home + shared)
    page.wait_for_selector("body.replaying")
    assert page_state(page)["seat"] == ""


@pytest.mark.deep
def test_hovering_over_a_log_line_highlights_its_units_and_places(server: Server, page: Any) -> None:
    play_to_the_enemys_turn(page, server)
    wait_for_question(page)
    skip(page)
    line = page.locator("#log .told[data-lights*='cells'][data-lights*='units']").last
    line.scroll_into_view_if_needed()
    line.hover()
    page.wait_for_selector("#table .block.lit")
    page.wait_for_selector("#table .cell.pointed-cell", state="attached")
    page.hover("#status")
    page.wait_for_selector("#table .pointed-cell", state="detached")


def test_on_a_phone_a_caption_shows_a_whole_sentence_above_the_map(
    server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    begin(page, server, "vcc")
    wait_for_question(page)
    sentence = "Warrior 15 of Young men was hit in the chest and fell, 19 left"
    thrown = {"faces": [4, 2], "sides": 6, "counts": [True, False], "name": "", "why": "fire", "said": "1 hit"}
    beat = {"side": 1, "runs": "", "parts": [[sentence, None]], "throws": [thrown], "cards": []}
    call(page, "game/caption.showBeat", {"turn": 1, "phase": "fire"}, beat)
    caption, table = page.locator("#caption"), page.locator("#table").bounding_box()
    assert caption.locator(".die").count() == 2
    said = caption.locator(".caption-said")
    assert said.evaluate("one => one.scrollHeight <= one.clientHeight + 5 && one.scrollWidth <= one.clientWidth + 1")
    box = caption.bounding_box()
    assert box["y"] + box["height"] <= table["y"] + 2, "the caption lies over the tools, not over the map"


def test_crossed_swords_stand_between_two_units_and_only_for_the_last_fight(server: Server, page: Any) -> None:
    begin(page, server, "vcc")
    wait_for_question(page)
    delegate(page, "phase")
    wait_for_question(page)
    skip(page)
    for foe in ("jezails", "swordsmen"):
        call(page, "game/animation.drawFight", ["fusiliers", foe])
    swords = page.locator("#playback .fight")
    assert swords.count() == 1
    places = [call(page, "game/animation.placeOf", unit) for unit in ("fusiliers", "swordsmen")]
    x, y = ((one + other) / 2 for one, other in zip(*places, strict=True))
    assert swords.get_attribute("transform") == f"translate({x:g} {y:g})"


@pytest.mark.deep
def test_on_a_phone_captions_and_remarks_leave_the_map_free_and_a_tap_shows_all(
    server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(playback=True, viewport=PHONE, has_touch=True, is_mobile=True)
    play_to_the_enemys_turn(page, server)
    page.wait_for_selector("#caption.cut:has(.die)")
    page.evaluate("import('/static/game/playback.js').then(({ togglePause }) => togglePause())")
    caption, table = page.locator("#caption"), page.locator("#table").bounding_box()
    low = caption.bounding_box()
    assert low["y"] + low["height"] <= table["y"] + 2, "the caption lies over the tools, not over the map"
    caption.tap()
    assert caption.bounding_box()["height"] > low["height"]
    wait_for_question(page)
    page.locator("#pieces .block.side-1").first.tap()
    page.wait_for_selector("#measure.cut")
    remark, table = page.locator("#measure"), page.locator("#table").bounding_box()
    low = remark.bounding_box()
    assert low["height"] <= 48 and low["y"] >= table["y"] + table["height"] - 2, "the remark leaves the map free"
    page.locator("#measure .remark").tap()
    assert remark.bounding_box()["height"] > low["height"]
    page.locator("#measure .remark").tap()
    assert remark.inner_text() == ""
    tools = page.evaluate(
        "(one => [one.scrollWidth > one.clientWidth, getComputedStyle(one, '::after').content])(document.querySelector('.above-map'))"
    )
    assert tools == [True, '"›"'], "what does not fit into the row of tools is hinted at"


def test_on_a_laptop_the_caption_covers_no_unit_that_acts(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(playback=True, viewport={"width": 1366, "height": 768})
    play_to_the_enemys_turn(page, server)
    page.wait_for_selector("#caption:not([hidden]) .caption-said")
    page.keyboard.press("p")
    for _ in range(6):
        covered = page.evaluate(
            """() => {
              const own = document.getElementById("caption").getBoundingClientRect();
              return [...document.querySelectorAll("#pieces .block.acts-now")].map((one) => one.getBoundingClientRect())
                .filter((box) => box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top)
                .length;
            }"""
        )
        assert covered == 0
        page.keyboard.press(".")


BOXES_OF_LOSSES = """() => [...document.querySelectorAll("#playback .loss text")].map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return [left, top, right, bottom];
})"""


@pytest.mark.deep
def test_the_names_of_lost_units_stay_on_the_map_and_never_cover_each_other(
    server: Server, open_page: Callable[..., Any]
) -> None:
    page = open_page(viewport=PHONE)
    begin(page, server, "fixed_baynet", "mission_station")
    wait_for_question(page)
    left, _, width, depth = map(float, page.get_attribute("#table", "viewBox").split())
    page.evaluate("import('/static/game/animation.js').then(({ clearOverlay }) => clearOverlay())")
    for x, name in ((0.3, "Carters and volunteers"), (0.33, "Details of all corps"), (0.6, "B Company (2)")):
        call(page, "game/losses.drawLoss", {"piece": "", "count": 2}, [left + x * width, depth / 2], False, name)
    boxes = page.evaluate(BOXES_OF_LOSSES)
    field = page.locator("#table").bounding_box()
    assert len(boxes) == 3
    assert all(field["x"] <= box[0] and box[2] <= field["x"] + field["width"] for box in boxes), boxes
    for number, option_box in enumerate(boxes):
        for other in boxes[number + 1 :]:
            is_apart = (
                option_box[2] <= other[0]
                or other[2] <= option_box[0]
                or option_box[3] <= other[1]
                or other[3] <= option_box[1]
            )
            assert is_apart, boxes


@pytest.mark.deep
def test_units_that_are_set_up_appear_one_soon_after_another(server: Server, open_page: Callable[..., Any]) -> None:
    page = open_page(playback=True)
    begin(page, server, "afriboria")
    wait_for_question(page)
    page.evaluate(
        """() => {
          window.shown = [];
          const note = () => {
            const words = document.querySelector("#caption:not([hidden]) .caption-said")?.textContent;
            if (words && window.shown.at(-1)?.[0] !== words) window.shown.push([words, performance.now()]);
          };
          new MutationObserver(note).observe(document.getElementById("caption"), { subtree: true, childList: true, characterData: true });
        }"""
    )
    page.click("[data-set-up]")
    page.wait_for_function("() => document.getElementById('log').innerText.trim() === 'the map is showing it'")
    page.wait_for_function("() => window.shown.some(([words]) => words.includes('moved'))")
    shown = page.evaluate("() => window.shown")
    steps = [(words, later - now) for (words, now), (_, later) in pairwise(shown)]
    set_up = sorted(time for words, time in steps if "deployed" in words)
    played = sorted(time for words, time in steps if "deployed" not in words)
    assert len(set_up) > 15 and set_up[len(set_up) // 2] < played[len(played) // 2] / 3, steps


FIRST_EARLY_LOSS = """async () => {
  const { requestActs } = await import("/static/game/acts.js");
  for (const act of (await requestActs([0, 0])).acts) {
    const first = act.beats.findIndex((beat) => beat.lost), dice = act.beats.findLastIndex((beat) => beat.throws.length);
    if (first >= 0 && first < dice && Number.isInteger(act.beats[first].lost.count) && act.beats[first].lost.count > 0)
      return { step: act.step, lost: act.beats[first].lost };
  }
}"""
"""Script that returns the first act that goes on with dice after a loss, and this loss."""


@pytest.mark.parametrize(
    "ruleset", ["fixed_baynet", *(pytest.param(other, marks=pytest.mark.deep) for other in ("afriboria", "paychest"))]
)
def test_the_tag_of_a_unit_counts_down_with_its_losses(ruleset: str, server: Server, page: Any) -> None:
    begin(page, server, ruleset)
    wait_for_question(page)
    for _ in range(3):
        delegate(page, "turn")
        wait_for_question(page)
    found = page.evaluate(FIRST_EARLY_LOSS)
    assert found, "an act goes on with dice after a loss"
    unit = found["lost"]["piece"].split(".")[0].split("/")[0]
    count = page.locator(f".tag[data-unit='{unit}'] .count")
    call(page, "game/replay.showMoment", found["step"])
    page.wait_for_selector("body.replaying")
    before = int(count.text_content())
    call(page, "game/replay.playReplay", found["step"])
    shown = page.wait_for_function(
        "unit => document.querySelector('#playback .loss')"
        " && document.querySelector(`.tag[data-unit='${unit}'] .count`).textContent",
        arg=unit,
    )
    assert int(shown.json_value()) == before - found["lost"]["count"]
