// Touch: a finger is imprecise and hides its target, so the first tap only shows the option and its odds.
import { all } from "../common/dom.js";
import { light } from "./highlight.js";
import { pointOf, zoomTo } from "./map.js";
import { showRemark } from "./messages.js";
import { optionsAt, optionsBelow, phraseOf, unitAt } from "./options.js";
import { setMark } from "./places.js";
import { state, table } from "./state.js";

const TOUCH = 12;     // radius of a tap in pixels: a touch target is at least 24 pixels wide

/**
 * Return the element that a tap means. A large element is meant directly, a small one if it is the only one nearby.
 * If several small ones are nearby, zoom in and return null.
 * @param {MouseEvent} event
 * @returns {EventTarget | null}
 */
export function targetBelowFinger(event) {
  const [x, y] = [event.clientX, event.clientY];
  const width = (/** @type {DOMRect} */ box) => Math.min(box.width, box.height);
  const small = all(".tag, .piece", table).filter((one) => {
    const box = one.getBoundingClientRect();
    const [dx, dy] = [Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)];
    return width(box) < 2 * TOUCH && Math.hypot(dx, dy) < TOUCH;
  });
  const meant = small.some((one) => optionsAt(one).length) ? small.filter((one) => optionsAt(one).length) : small;
  const units = new Map(meant.map((one) => [optionsAt(one).join() || unitAt(one), one]));
  if (units.size > 1) {
    const least = Math.min(...meant.map((one) => width(one.getBoundingClientRect())));
    if (zoomTo(pointOf(event), least / (3 * TOUCH))) {
      showRemark("Zoomed in: several units were under your finger.");
      return null;
    }
  }
  if (units.size === 1 && !optionsBelow(event).length) return [...units.values()][0];
  return event.target;
}

/**
 * Show options after a first tap.
 * @param {number[]} numbers
 */
export function tapOptions(numbers) {
  state.tapped = numbers.join();
  light(numbers);
  showRemark(numbers.length > 1 ? "Tap again to choose." : "Tap again: " + phraseOf(numbers[0]));
}

/**
 * Show the movement cost of a suggested place after a first tap; the second tap goes there.
 * @param {number} number
 */
export function tapPlace(number) {
  const { place } = state.page;
  if (!place) return;
  const [x, y] = place.suggestions[number];
  state.tapped = String(number);
  setMark([x, place.depth - y]);
  showRemark("Tap again to go there: " + phraseOf(number));
}
