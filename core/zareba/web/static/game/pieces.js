// The pieces on the map.
import { byId, first } from "../common/dom.js";
import { showOptions } from "./highlight.js";
import { readLabels } from "./labels.js";
import { drawCosts, drawMarks } from "./marks.js";
import { state, table } from "./state.js";

/**
 * Draw the pieces; the focused one keeps the focus.
 * @param {string} svg
 */
export function drawPieces(svg) {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement || active instanceof SVGElement ? active.dataset.key : undefined;
  byId("pieces").innerHTML = svg;
  if (!state.replaying) showOptions();
  drawMarks();
  drawCosts();
  readLabels();
  if (focused) first(`[data-key="${CSS.escape(focused)}"]`, table)?.focus();
}
