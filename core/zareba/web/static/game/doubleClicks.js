// Double clicks: two quick clicks on one place are meant for one question. The second must not answer the next,
// unread question.
import { closest } from "../common/dom.js";
import { state } from "./state.js";

const SAME_PLACE = 12;    // pixels
const ANSWERS = "[data-option], #table, #question [type=submit], [data-play=skip]";
let pressedQuestion = 0;          // the question at the time of the last pointerdown
let lastAnswer = { question: 0, x: 0, y: 0 };

/** Ignore a click at the place of the last answer while a question is fresh. */
export function ignoreDoubleClicks() {
  document.addEventListener("pointerdown", () => { pressedQuestion = state.questionNumber; }, true);
  document.addEventListener("click", ignoreSecondClick, true);
  document.addEventListener("keydown", (event) => {
    if (event.repeat && (event.key === "Enter" || event.key === " ") && closest(event.target, ANSWERS)) event.preventDefault();
  }, true);
}

/** @param {MouseEvent} event */
function ignoreSecondClick(event) {
  if (!event.detail || !closest(event.target, ANSWERS)) return;    // a click by keyboard has detail 0
  const question = state.questionNumber;
  const isHere = Math.hypot(event.clientX - lastAnswer.x, event.clientY - lastAnswer.y) < SAME_PLACE;
  const isMouse = /** @type {PointerEvent} */ (event).pointerType === "mouse";
  const isQuick = document.body.classList.contains("fresh") || (event.detail > 1 && isMouse);
  if (pressedQuestion !== question || (isHere && isQuick && lastAnswer.question !== question)) event.stopImmediatePropagation();
  else lastAnswer = { question, x: event.clientX, y: event.clientY };
}
