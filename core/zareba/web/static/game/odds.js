// The odds of the options: one line under each option, and all outcomes of one option on request.
import { all, byId, first, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { noteAct } from "./lesson.js";
import { phraseOf } from "./options.js";
import { state } from "./state.js";

const REST = 60;     // milliseconds before the first request, so that a quick answer does not wait for odds
let filling = 0;     // the number of the last run of `fillOddsLines`
let wanted = 0;      // the number of the last request for all outcomes

/** Fill the visible lines of odds from top to bottom, one request at a time, so that an answer waits for one at most. */
export async function fillOddsLines() {
  const turn = ++filling, question = state.page.question_version;
  await new Promise((done) => setTimeout(done, REST));
  for (;;) {
    if (turn !== filling || question !== state.page.question_version) return;
    const line = all(".odds-line[data-computing]", byId("question")).find((one) => one.checkVisibility());
    if (!line) return;
    let html = "";
    try {
      ({ html } = await requestJson(`/odds?n=${line.dataset.odds}&version=${state.page.version}`));
    } catch (error) {
      html = messageOf(error);
    }
    delete line.dataset.computing;
    if (html) line.innerHTML = html;
  }
}

/** Fill the lines of odds of options that become visible. */
export function listenForMoreOptions() {
  byId("question").addEventListener("toggle", () => fillOddsLines(), true);    // `toggle` does not bubble
}

/**
 * Show all outcomes of an option, below the options.
 * @param {number} number
 */
export async function showAllOdds(number) {
  const turn = ++wanted, odds = byId("odds");
  noteAct("odds");
  odds.innerHTML = `<button type="button" class="close" data-hush aria-label="close the odds">✕</button><h2></h2><div>computing odds …</div>`;
  const [head, body] = [first("h2", odds), first("div", odds)];
  if (head) head.textContent = phraseOf(number);
  odds.scrollIntoView({ block: "nearest" });
  let html = "";
  try {
    ({ html } = await requestJson(`/odds?n=${number}&whole=1&version=${state.page.version}`));
  } catch (error) {
    html = messageOf(error);
  }
  if (turn !== wanted || !body) return;
  body.innerHTML = html;
  odds.scrollIntoView({ block: "nearest" });
}

/** Close the outcomes. */
export function closeOdds() {
  wanted++;
  byId("odds").innerHTML = "";
}
