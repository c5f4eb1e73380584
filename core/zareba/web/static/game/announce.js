// Announcements for people who do not see the page: what happened since the last one, and whose turn it is.
import { byId } from "../common/dom.js";
import { state } from "./state.js";

/** @import { Moment } from "./state.js" */

const MOST_LINES = 8;    // longer turns are in the log

let log = "";                     // the log of the last announcement
let turnText = "";                // the turn that was announced last
/** @type {Moment | null} */
let last = null;                  // the last line of that log

/** Announce the new lines of the log and whose turn it is. */
export function announce() {
  const { page } = state;
  const announced = [...page.log === log ? [] : newLines(page.log), ...page.turn_text === turnText ? [] : [page.turn_text]].filter(Boolean).join(". ");
  [log, turnText] = [page.log, page.turn_text];
  if (announced) byId("said").textContent = announced;
}

/**
 * Return the sentences of the log since the last announcement, without dice; of a game just opened the last one.
 * @param {string} html
 */
function newLines(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  const lines = [...box.content.querySelectorAll(".told[data-step]")].filter((line) => line instanceof HTMLElement);
  const before = last;
  last = lines.length ? momentOf(lines[lines.length - 1]) : null;
  const told = lines.filter((line) => before !== null && isAfter(momentOf(line), before)).map(sentenceOf);
  if (before === null) return lines.slice(-1).map(sentenceOf);
  const left = told.length - MOST_LINES;
  return left > 0 ? [left === 1 ? "The log has one earlier line" : `The log has ${left} earlier lines`, ...told.slice(-MOST_LINES)] : told;
}

/**
 * @param {HTMLElement} line
 * @returns {Moment}
 */
function momentOf(line) {
  return [Number(line.dataset.step), Number(line.dataset.beat)];
}

/**
 * @param {Moment} one
 * @param {Moment} other
 */
function isAfter(one, other) {
  return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);
}

/** @param {HTMLElement} line */
function sentenceOf(line) {
  for (const drawn of line.querySelectorAll("small, .throw-of, .small-card")) drawn.remove();
  const words = (line.textContent ?? "").replace(/\s+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
