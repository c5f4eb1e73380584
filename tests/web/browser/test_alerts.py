"""What draws a person's attention: title, sound, vibration and notifications, with stand-ins for what a browser has."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.chromium import Server, begin, call, wait_for_question

STAND_INS = """
window.heard = []; window.shown = []; window.shaken = []; window.isAway = false;
const sound = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
window.AudioContext = class {
  currentTime = 0; destination = {}; state = "running";
  resume() { return Promise.resolve(); }
  createGain() { return { gain: sound(), connect: (to) => to }; }
  createOscillator() {
    const tone = { frequency: { value: 0 }, connect: (to) => to, start: (at) => heard.push([tone.frequency.value, at]), stop() {} };
    return tone;
  }
};
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return Notification.permission = "granted"; }
  constructor(title, options) { this.title = title; shown.push([title, options.body]); window.last = this; }
  close() { this.isClosed = true; }
};
navigator.vibrate = (pattern) => shaken.push(pattern);
Object.defineProperty(document, "hidden", { get: () => window.isAway });
"""


def wait_until_asked(page: Any) -> None:
    """Let it become this person's turn."""
    for is_asked in (False, True):
        call(page, "lobby/notify.noteTurn", {"is_asked": is_asked, "over": False})


def test_sound_vibration_and_notifications_are_off_until_they_are_chosen(server: Server, page: Any) -> None:
    page.add_init_script(STAND_INS)
    begin(page, server, "vcc")
    wait_for_question(page)
    page.evaluate("window.isAway = true")
    wait_until_asked(page)
    assert page.evaluate("[heard, shown, shaken]") == [[], [], []]
    assert page.title().startswith("● Your turn")
    page.evaluate("window.isAway = false")
    page.click("[popovertarget=settings]")
    page.check("[data-setting=sound]")
    assert page.evaluate("heard.length") == 2, "a person hears the sound when it is switched on"
    page.check("[data-setting=vibration]")
    page.check("[data-setting=notifications]")
    page.wait_for_function("() => Notification.permission === 'granted'")
    page.reload()
    wait_for_question(page)
    page.evaluate("Notification.permission = 'granted'")
    wait_until_asked(page)
    assert page.evaluate("[heard.length, shown.length, shaken.length]") == [2, 0, 0], (
        "a visible page makes only a sound"
    )
    page.evaluate("window.isAway = true")
    wait_until_asked(page)
    assert page.evaluate("[heard.length, shaken.length]") == [4, 1]
    assert page.evaluate("shown") == [["Your turn", page.evaluate("document.title.replace('● Your turn: ', '')")]]
    assert page.evaluate("(last.onclick(), last.isClosed)"), "a click brings the page and closes the notification"


@pytest.mark.deep
def test_a_browser_that_refuses_notifications_leaves_them_off_and_says_so(server: Server, page: Any) -> None:
    page.add_init_script(STAND_INS + "Notification.requestPermission = async () => 'denied';")
    begin(page, server, "vcc")
    wait_for_question(page)
    page.click("[popovertarget=settings]")
    page.locator("[data-setting=notifications]").click()
    page.wait_for_selector("#settings-said:has-text('Allow them')")
    assert not page.is_checked("[data-setting=notifications]")
