// Shows the page state that the server sends.
import { all, byId } from "../common/dom.js";
import { resumeDrop } from "./carry.js";
import { setWholeBox, showAll } from "./map.js";
import { drawPieces } from "./pieces.js";
import { showLegalPlaces } from "./places.js";
import { startQuestion, typeAgain, typedFields } from "./question.js";
import { showMoment, updateSlider } from "./replay.js";
import { state } from "./state.js";
import { refreshZone } from "./zones.js";

/** @import { PageState } from "./state.js" */

/** @type {("status" | "question" | "log" | "units" | "reaches" | "cards")[]} */
const PARTS = ["status", "question", "log", "units", "reaches", "cards"];

/**
 * Show a page state.
 * @param {PageState} told
 */
export function show(told) {
  const before = state.page;
  const spoken = before.said !== told.said ? told.said : "";
  if (told.under !== undefined && told.box) {
    byId("ground").innerHTML = told.under;
    setWholeBox(told.box);
    if (before.version === 0) showAll();
  }
  const isSameQuestion = told.asks === before.asks;
  state.page = told;
  byId("main").dataset.version = String(told.version);
  const typed = isSameQuestion ? typedFields() : [];
  for (const part of PARTS) if (told[part] !== before[part]) byId(part).innerHTML = told[part];
  if (!isSameQuestion) startQuestion();
  else if (told.question !== before.question) typeAgain(typed);
  byId("said").textContent = spoken;
  byId("log").scrollTop = byId("log").scrollHeight;
  document.body.classList.toggle("mine", told.mine);
  document.body.classList.toggle("thinking", told.thinking);
  document.body.classList.toggle("placing", Boolean(told.place));
  for (const line of all("#status meter")) line.classList.toggle("low", /** @type {HTMLMeterElement} */ (line).value < 50);
  if (!state.replaying) drawPieces(told.pieces);
  if (!isSameQuestion) { showLegalPlaces(); resumeDrop(); }
  refreshZone();
  updateSlider();
  if (told.over && location.hash === "#replay") { history.replaceState(null, "", location.pathname); showMoment(0); }
}
