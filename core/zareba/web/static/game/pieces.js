// The pieces on the map.
import { byId, first } from "../common/dom.js";
import { showOptions } from "./highlight.js";
import { readLabels } from "./labels.js";
import { drawCosts, drawMarks } from "./marks.js";
import { state, table } from "./state.js";

let drawn = "";    // the pieces that are drawn; drawing hundreds of figures takes most of the time of an answer

/**
 * Draw the pieces; the focused one keeps the focus.
 * @param {string} svg
 */
export function drawPieces(svg) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement || active instanceof SVGElement ? active.dataset.key : undefined;
  if (svg !== drawn) byId("pieces").innerHTML = drawn = svg;
  showQuestion();
  readLabels();
  if (focused) first(`[data-key="${CSS.escape(focused)}"]`, table)?.focus();
}

/**
 * Take losses off the number on the tag of a unit, until the pieces are drawn again.
 * @param {string} unit
 * @param {number} lost
 */
export function lowerCount(unit, lost) {
  const count = first(`.tag[data-unit="${CSS.escape(unit)}"] .count`, table);
  if (!count || !Number.isInteger(lost) || lost <= 0) return;
  count.textContent = String(Math.max(0, Number(count.textContent) - lost));
  drawn = "";
}

/** Show the options and marks of the question on the pieces that are drawn, which may be those of an earlier moment. */
export function showQuestion() {
  if (!state.replaying) showOptions();
  drawMarks();
  drawCosts();
}
