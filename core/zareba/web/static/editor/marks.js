// The marks on the map: the corners drawn so far, the cursor, and the places of the focused field.
import { byId, closest, first, svgElement } from "../common/dom.js";
import { drawCorners } from "./dragging.js";
import { state } from "./state.js";

/** @import { Point } from "./state.js" */

/** Draw all marks. */
export function drawMarks() {
  const marks = byId("marks");
  marks.replaceChildren();
  drawCorners();
  const { drawing, cursor, box } = state;
  if (!drawing) { markFocusedField(); return; }
  drawPoints(drawing.points, 1);
  if (cursor) marks.append(svgElement("circle", { class: "candidate cursor", cx: cursor[0], cy: cursor[1], r: box[2] / 80 }));
}

/** Show the places of the focused field. */
function markFocusedField() {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || !closest(field, "#form-of")) return;
  if (!first(`#form-of [data-draw="${CSS.escape(field.name || "")}"]`)) return;
  const numbers = (field.value.match(/[0-9.]+/g) || []).map(Number);
  /** @type {Point[]} */
  const points = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) points.push([numbers[at], state.size[1] - numbers[at + 1]]);
  drawPoints(points, 2);
}

/**
 * Draw corners, and the line through them if there are enough.
 * @param {Point[]} points
 * @param {number} least the fewest corners of a line
 */
function drawPoints(points, least) {
  const marks = byId("marks");
  if (points.length >= least) marks.append(svgElement("path", { class: "tape", d: "M" + points.map((point) => point.join(" ")).join("L") }));
  for (const [x, y] of points) marks.append(svgElement("circle", { class: "candidate", cx: x, cy: y, r: state.box[2] / 120 }));
}

/** Mark the places of the field that has the focus. */
export function listenForFocus() {
  document.addEventListener("focusin", drawMarks);
  document.addEventListener("input", drawMarks);
}
