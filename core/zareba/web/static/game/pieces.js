// The pieces on the map.
import { forgetSource, updateChildren } from "../common/children.js";
import { byId, first } from "../common/dom.js";
import { showOptions, unlight } from "./highlight.js";
import { readLabels } from "./labels.js";
import { drawCosts, drawMarks } from "./marks.js";
import { state, table } from "./state.js";

let drawn = "";    // the pieces that are drawn; "" if a script has changed them

/**
 * Draw the pieces; the focused one keeps the focus.
 * @param {string} svg
 */
export function drawPieces(svg) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement || active instanceof SVGElement ? active.dataset.key : undefined;
  if (svg !== drawn) {
    updateChildren(byId("pieces"), svg, ".pieces, .labels");    // drawing hundreds of figures would take most of the time of an answer
    unlight(byId("pieces"));
    drawn = svg;
  }
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
  const tag = first(`.tag[data-unit="${CSS.escape(unit)}"]`, table), count = tag && first(".count", tag);
  if (!count || !Number.isInteger(lost) || lost <= 0) return;
  forgetSource(tag);
  count.textContent = String(Math.max(0, Number(count.textContent) - lost));
  drawn = "";
}

/** Show the options and marks of the question on the pieces that are drawn, which may be those of an earlier moment. */
export function showQuestion() {
  if (!state.replaying) showOptions();
  drawMarks();
  drawCosts();
}
