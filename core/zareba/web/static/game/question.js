// The question panel: its form fields, and the focus.
import { all, byId, first } from "../common/dom.js";
import { showRemark } from "./messages.js";
import { closeOdds } from "./odds.js";
import { clearMark, setMark } from "./places.js";
import { state } from "./state.js";

/** A field of a form: the form, the name and the value.
 * @typedef {[string, string, string]} TypedField */

const FRESH = 300;    // milliseconds for which a question is fresh
const ABOVE = 40;     // pixels above the question that stay visible: who acts
let timer = 0;

/** Start a new question. */
export function startQuestion() {
  markFresh();
  clearMark();
  closeOdds();
  if (state.tapped) showRemark("");
  state.tapped = "";
}

/** Mark the question as fresh: a second click at the same place is meant for the question before it. */
function markFresh() {
  document.body.classList.add("fresh");
  clearTimeout(timer);
  timer = setTimeout(() => document.body.classList.remove("fresh"), FRESH);
}

/**
 * Return the entries in the forms of the question; they are kept when the same question is drawn again.
 * @returns {TypedField[]}
 */
export function typedFields() {
  const fields = /** @type {(Element & (HTMLInputElement | HTMLSelectElement))[]} */ (all("input, select", byId("question")));
  return fields.map((field) => [field.form?.dataset.form ?? "", field.name, field.value]);
}

/** @param {TypedField[]} typed */
export function typeAgain(typed) {
  for (const [form, name, value] of typed) {
    const field = /** @type {HTMLFormElement | null} */ (first(`[data-form="${form}"]`, byId("question")))?.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
  if (state.mark && state.page.place) setMark(state.mark);
}

/**
 * Return the titles of the folds that are open; they stay open when the same question is drawn again.
 * @returns {string[]}
 */
export function openDetails() {
  return all("details[open] > summary", byId("question")).map((title) => title.textContent ?? "");
}

/** @param {string[]} titles */
export function reopenDetails(titles) {
  for (const title of all("details > summary", byId("question")))
    if (titles.includes(title.textContent ?? "")) title.parentElement?.setAttribute("open", "");
}

/** Focus the question, unless something else has the focus. */
export function focusOnQuestion() {
  requestAnimationFrame(() => {    // a focus lays the page out, so it waits until the whole page state is shown
    if (document.activeElement === document.body) document.getElementById("asks")?.focus({ preventScroll: true });
  });
}

/**
 * Bring a fold that was just opened into view: on a desktop the log at the lower edge of the panel covers what is behind it.
 * @param {Element} fold
 */
export function revealFold(fold) {
  const side = byId("side"), box = fold.getBoundingClientRect(), log = byId("log-part");
  if (getComputedStyle(side).overflowY !== "auto") return;
  const isFixed = getComputedStyle(log).position === "sticky";
  const edge = isFixed ? Math.min(side.getBoundingClientRect().bottom, log.getBoundingClientRect().top) : side.getBoundingClientRect().bottom;
  const covered = Math.min(box.bottom - edge, box.top - side.getBoundingClientRect().top);
  if (covered > 0) side.scrollBy(0, covered);
}

/** Bring the start of a new question into view, if the panel or, on a phone, the page is scrolled past it. */
export function revealQuestion() {
  requestAnimationFrame(() => {
    const asks = document.getElementById("asks"), side = byId("side");
    if (!asks) return;
    const isPanel = getComputedStyle(side).overflowY === "auto";
    const edge = isPanel ? side.getBoundingClientRect().top : byId("field").getBoundingClientRect().bottom;
    const hidden = edge + ABOVE - asks.getBoundingClientRect().top;
    if (hidden > ABOVE) (isPanel ? side : window).scrollBy(0, -hidden);
  });
}
