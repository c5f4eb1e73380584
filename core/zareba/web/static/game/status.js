// The status of the battle at the top of the page: turn and phase, whose turn it is, points and strength. While the
// playback runs, it belongs to the act on the map, or to the question if that is shown already.
import { all, byId, first } from "../common/dom.js";
import { isAsked } from "./state.js";
import { decorateStatus } from "../lobby/people.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { Act } from "./state.js" */

let shown = "";              // the markup that is shown; "" if an act has changed it
let hasOldScores = false;    // true while the points and strengths are those before the acts on the map

/**
 * Show the status that the server sends. While the playback runs, the points and strengths wait for its end, and without a
 * question for this seat everything waits.
 * @param {string} markup
 * @param {boolean} isPlayback
 */
export function showStatus(markup, isPlayback) {
  const status = byId("status"), waits = isPlayback && status.childElementCount > 0;
  if (waits ? !isAsked() || markup === shown : markup === shown && !hasOldScores) return;
  const scores = waits ? all(".score", status) : [];
  status.innerHTML = markup;
  if (scores.length) all(".score", status).forEach((score, number) => score.replaceWith(scores[number] ?? score));
  shown = markup;
  hasOldScores = waits;
  decorateStatus();
  for (const meter of all("#status meter")) meter.classList.toggle("low", /** @type {HTMLMeterElement} */ (meter).value < 50);
}

/**
 * Show the turn, the phase and the side of an act that the map plays, unless the question is shown already.
 * @param {Act} act
 */
export function showStatusOf({ turn, phase, side }) {
  if (isAsked()) return;
  const status = byId("status"), turns = all(".track:not(.pips) li", status), title = first(".headline", status);
  if (!title) return;
  shown = "";
  title.textContent = [turn ? `Turn ${turn} of ${turns.length}` : "", phase].filter(Boolean).join(" · ");
  markStep(turns, turn - 1);
  const phases = all(".pips li", status);
  markStep(phases, phases.findIndex((one) => phase.endsWith(one.getAttribute("title") ?? "")), "next");
  all(".side", status).forEach((line, number) => line.classList.toggle("asked", number === side));
}

/**
 * Mark one of some steps as the present one; those after it come next, and those before it are past.
 * @param {PageElement[]} steps
 * @param {number} now
 * @param {string} before the class of the steps before the present one
 */
function markStep(steps, now, before = "past") {
  steps.forEach((step, number) => {
    step.className = number === now ? "now" : number < now ? before : "next";
    if (number === now) step.setAttribute("aria-current", "step"); else step.removeAttribute("aria-current");
  });
}
