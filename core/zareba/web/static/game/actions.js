// The player's actions, and requests for the page state.
import { messageOf } from "../common/dom.js";
import { requestJson, ServerLost } from "../common/requests.js";
import { noteAct } from "./lesson.js";
import { showRefusal } from "./messages.js";
import { stop } from "./playback.js";
import { focusOnQuestion } from "./question.js";
import { closeSheet } from "./sheet.js";
import { show } from "./show.js";
import { state } from "./state.js";

const RETRY = 2000;      // milliseconds after which a page that is still behind asks again
const PATIENCE = 60_000; // milliseconds after which a request without an answer is given up, so that the page can go on
const AGAIN = 1000;      // milliseconds after which an action is sent again to a server that does not answer
const SLOW = 1000;       // milliseconds after which the page says that the answer of the server takes long
const WAITS = "Your last choice is still on its way to the server. Please wait.";
let busy = false;        // true during a request
let announced = 0;       // the last version that the event stream announced
let requested = 0;       // the last version that was requested
let hasFailed = false;   // true if the last request for the page failed
let pressed = 0;         // when the last action began
let timer = 0;

/**
 * Carry out an action; return true if it succeeded.
 * @param {string} what
 * @param {Record<string, string | number>} fields
 */
export async function act(what, fields = {}) {
  if (document.body.classList.contains("busy")) {
    if (performance.now() - pressed > SLOW) showRefusal(WAITS);    // a quick second click is a double click
    return false;
  }
  let done = true;
  pressed = performance.now();
  document.body.classList.add("busy");
  const question = state.questionNumber;
  while (busy) await new Promise((resolve) => setTimeout(resolve, 5));
  busy = true;
  showRefusal("");
  const slow = setTimeout(() => showRefusal(WAITS), SLOW);
  try {
    if (what === "answer" && question !== state.questionNumber) throw new Error("The question has changed in the meantime; look again.");
    const told = await send(what, fields);
    showRefusal("");
    if (!state.replaying) stop();    // only now: the picture before the answer is not drawn again
    show(told);
    announced = Math.max(announced, told.version);    // an earlier announcement, also of the server before a restart, is out of date
    focusOnQuestion();
    noteAct(what);
  } catch (error) {
    showRefusal(messageOf(error));
    requested = 0;
    done = false;
  } finally {
    clearTimeout(slow);
    busy = false;
    document.body.classList.remove("busy");
  }
  requestLatest();
  return done;
}

/**
 * Send an action and return the new page state. While the server does not answer, the action is sent again and again: the
 * server carries it out only if the position is still the same.
 * @param {string} what
 * @param {Record<string, string | number>} fields
 */
async function send(what, fields) {
  const { version, position, ground } = state.page;
  const body = new URLSearchParams({ version: String(version), position, ground });
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  for (;;) {
    try {
      const told = await requestJson("/do/" + what, { method: "POST", body, signal: AbortSignal.timeout(PATIENCE) });
      document.body.classList.remove("lost");
      return told;
    } catch (error) {
      if (!(error instanceof ServerLost)) throw error;
      noteServerLost();
      showRefusal("The server does not answer. Your choice will be sent when it answers again.");
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

/**
 * Carry out an action, and close the dialog if it succeeded.
 * @param {string} what
 * @param {Record<string, string>} fields
 */
export async function actAndClose(what, fields) {
  if (await act(what, fields)) closeSheet();
}

/**
 * Answer the question with an option.
 * @param {number} number
 */
export function answerWith(number) {
  closeSheet();
  act("answer", { option: number });
}

/**
 * Let the AI answer the questions that are left of a unit's activation, of this phase or of the set-up.
 * @param {"unit" | "phase" | "set_up"} scope
 */
export function letAiFinish(scope) {
  act("delegate", { scope, player: "doctrine" });
}

/** Request the page state. There is one request at a time; later announcements are fetched afterwards. */
export async function requestPage() {
  if (busy) return;
  busy = true;
  try {
    const told = await requestJson("/parts?ground=" + encodeURIComponent(state.page.ground), { signal: AbortSignal.timeout(PATIENCE) });
    if (told.version !== state.page.version) show(told);
    if (hasFailed) showRefusal("");
    hasFailed = false;
  } catch (error) {
    showRefusal(messageOf(error));
    hasFailed = true;
  } finally {
    busy = false;
  }
  requestLatest();
}

/** Request the announced version, unless that is done already; a page that stays behind asks again. */
function requestLatest() {
  if (!announced || announced === state.page.version) return;
  clearTimeout(timer);
  timer = setTimeout(() => { requested = 0; if (!busy) requestLatest(); }, RETRY);
  if (announced !== requested) { requested = announced; requestPage(); }
}

/**
 * Hear from the server that the page has a new version.
 * @param {number} version
 */
export function noteVersion(version) {
  document.body.classList.remove("lost");
  if (version !== announced) requested = 0;    // the same number may have been announced and requested before
  announced = version;
  if (!busy) requestLatest();
}

/** Hear that the server does not answer. */
export function noteServerLost() {
  document.body.classList.add("lost");
  announced = requested = 0;    // after a restart the server counts its versions from the start, and announces the latest one
}
