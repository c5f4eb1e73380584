// Shows the page state that the server sends.
import { all, byId } from "../common/dom.js";
import { resumeDrop } from "./carry.js";
import { startLesson } from "./lesson.js";
import { setWholeBox, showAll } from "./map.js";
import { fillOddsLines } from "./odds.js";
import { showLegalPlaces } from "./places.js";
import { follow } from "./playback.js";
import { startQuestion, typeAgain, typedFields } from "./question.js";
import { openLink, updateSlider } from "./replay.js";
import { state } from "./state.js";
import { refreshZone } from "./zones.js";
import { noteTurn } from "../lobby/notify.js";
import { decorateStatus } from "../lobby/people.js";

/** @import { PageState } from "./state.js" */

/** @type {("status" | "question" | "log" | "units" | "victory_line" | "victory" | "reaches" | "cards")[]} */
const PARTS = ["status", "question", "log", "units", "victory_line", "victory", "reaches", "cards"];

/**
 * Show a page state.
 * @param {PageState} told
 */
export function show(told) {
  const before = state.page;
  const spoken = [before.last_line !== told.last_line && told.last_line, before.turn_text !== told.turn_text && told.turn_text];
  if (told.ground_svg !== undefined && told.box) {
    byId("ground").innerHTML = told.ground_svg;
    setWholeBox(told.box);
    if (before.version === 0) showAll();
  }
  const isSameQuestion = told.question_version === before.question_version;
  state.page = told;
  byId("main").dataset.version = String(told.version);
  const typed = isSameQuestion ? typedFields() : [];
  for (const part of PARTS) if (told[part] !== before[part]) byId(part).innerHTML = told[part];
  if (!isSameQuestion) startQuestion();
  else if (told.question !== before.question) typeAgain(typed);
  if (!isSameQuestion) startLesson();
  if (told.question !== before.question) fillOddsLines();
  decorateStatus();
  noteTurn(told);
  const announced = spoken.filter(Boolean).join(". ");
  if (announced) byId("said").textContent = announced;
  byId("log").scrollTop = byId("log").scrollHeight;
  document.body.classList.toggle("mine", told.is_asked);
  document.body.classList.toggle("over", told.over);
  document.body.classList.toggle("thinking", told.thinking);
  document.body.classList.toggle("placing", Boolean(told.place));
  for (const line of all("#status meter")) line.classList.toggle("low", /** @type {HTMLMeterElement} */ (line).value < 50);
  follow(before, told);
  if (!isSameQuestion) { showLegalPlaces(); resumeDrop(); }
  refreshZone();
  updateSlider();
  if (before.version === 0) openLink();
}
