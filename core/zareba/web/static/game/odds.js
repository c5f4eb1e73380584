// The odds of the option under the pointer.
import { byId, first } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { phraseOf } from "./options.js";
import { state } from "./state.js";

let wanted = 0;    // the number of the last request
let shown = "";    // the question and option whose odds are shown

/**
 * Show the odds of an option, after a moment in which the pointer may move on.
 * @param {number} number
 * @param {boolean} all true for all outcomes
 */
export function showOdds(number, all = false) {
  const key = state.page.asks + "/" + number + "/" + all;
  if (key === shown) return;
  const turn = ++wanted;
  setTimeout(async () => {
    if (turn !== wanted) return;
    try {
      const { html } = await requestJson(`/odds?n=${number}&whole=${all ? 1 : 0}&version=${state.page.version}`);
      if (turn !== wanted || !html) return;
      const odds = byId("odds");
      odds.innerHTML = `<button type="button" class="close" data-hush aria-label="close the odds">✕</button><h2></h2>` + html;
      const head = first("h2", odds);
      if (head) head.textContent = phraseOf(number);
      shown = key;
    } catch {
      if (turn === wanted) byId("odds").textContent = "";
    }
  }, all ? 0 : 60);
}

/** Close the odds; pointing at the same option shows them again. */
export function closeOdds() {
  byId("odds").innerHTML = "";
  shown = "";
}
