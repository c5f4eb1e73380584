// Shows the page state that the server sends. While the playback runs, the parts that tell how things stand wait for its end.
import { updateChildren } from "../common/children.js";
import { all, byId } from "../common/dom.js";
import { announce } from "./announce.js";
import { resumeDrop } from "./carry.js";
import { startLesson } from "./lesson.js";
import { setWholeBox, showAll } from "./map.js";
import { fillOddsLines } from "./odds.js";
import { drawPieces, showQuestion } from "./pieces.js";
import { showLegalPlaces } from "./places.js";
import { follow, isPlaying, whenPresent } from "./playback.js";
import { focusOnQuestion, openDetails, reopenDetails, revealQuestion, startQuestion, typeAgain, typedFields } from "./question.js";
import { openLink, updateSlider } from "./replay.js";
import { state } from "./state.js";
import { showStatus } from "./status.js";
import { explainTerms } from "./terms.js";
import { showUnits } from "./units.js";
import { refreshZone } from "./zones.js";
import { noteTurn } from "../lobby/notify.js";

/** @import { PageState } from "./state.js" */

/** @typedef {"question" | "log" | "victory_line" | "victory" | "reaches" | "cards"} Part */

/** @type {Part[]} */
const PARTS = ["question", "log", "victory_line", "victory", "reaches", "cards"];    // the question first: the browser lays the page out before the focused option goes, which is quick before anything has changed
/** What the page shows of each part. @type {Partial<Record<Part, string>>} */
const shown = {};

/**
 * Show a page state.
 * @param {PageState} newPage
 */
export function show(newPage) {
  const before = state.page;
  if (newPage.ground_svg !== undefined && newPage.box) {
    byId("ground").innerHTML = newPage.ground_svg;
    setWholeBox(newPage.box);
    if (before.version === 0) showAll();
  }
  state.page = newPage;
  byId("main").dataset.version = String(newPage.version);
  const isPlayback = follow(before, newPage);
  showParts();
  if (isPlayback) showQuestion();
  else if (!state.replaying) drawPieces(newPage.pieces);
  noteTurn(newPage);
  document.body.classList.toggle("thinking", newPage.thinking);
  refreshZone();
  updateSlider();
  if (before.version === 0) openLink();
}

whenPresent(showParts);

/** Show the parts that are not held back. */
function showParts() {
  const { page } = state;
  // The versions begin again after a restart of the server; the position does not.
  const isSameQuestion = page.question_version === state.questionVersion || page.position === state.questionPosition;
  const hasQuestion = !state.isHeld && page.question !== shown.question;
  const isFirst = shown.question === undefined;
  const typed = isSameQuestion ? typedFields() : [], opened = isSameQuestion ? openDetails() : [];
  for (const part of PARTS) {
    if (page[part] === shown[part] || (part === "question" ? state.isHeld : isPlaying() && !state.replaying && part in shown)) continue;
    const markup = shown[part] = page[part];
    if (part === "log") updateChildren(byId(part), markup); else byId(part).innerHTML = markup;
    if (part === "log") showLastLines();
  }
  showStatus(page.status, isPlaying() && !state.replaying);
  showUnits();
  const wasHeld = document.body.classList.contains("catching-up");
  document.body.classList.toggle("catching-up", state.isHeld);
  byId("catching-up").hidden = !state.isHeld;
  if (state.isHeld) return;
  document.body.classList.toggle("mine", page.is_asked);
  document.body.classList.toggle("over", page.over);
  document.body.classList.toggle("placing", Boolean(page.place));
  if (!isSameQuestion) state.questionNumber++;
  state.questionVersion = page.question_version;
  state.questionPosition = page.position;
  if (!isSameQuestion) { startQuestion(); startLesson(); revealQuestion(); }
  else if (hasQuestion) { reopenDetails(opened); typeAgain(typed); }
  if (hasQuestion) { fillOddsLines(); explainTerms(!isSameQuestion); }
  if (!isSameQuestion) { showLegalPlaces(); resumeDrop(); }
  if (wasHeld || (!isFirst && !isSameQuestion && page.is_asked)) focusOnQuestion();    // the focus went with the last question
  announce();
}

function showLastLines() {
  for (const line of all(".new", byId("log"))) line.classList.remove("new");
  byId("log-new").hidden = true;    // until the lines are marked
  requestAnimationFrame(() => { byId("log").scrollTop = byId("log").scrollHeight; });    // measured together with the whole page
}
