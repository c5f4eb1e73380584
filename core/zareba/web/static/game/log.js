// The log: what happened. Pointing at a line lights its units and places; a click opens the reasons.
import { all, byId, closest } from "../common/dom.js";
import { clearPoints, drawPoints } from "./animation.js";
import { unlight } from "./highlight.js";
import { matching } from "./options.js";
import { openPage } from "./sheet.js";
import { table } from "./state.js";

/** @import { Moment, Point } from "./state.js" */

/** What a line of the log is about.
 * @typedef {{ units?: string[], cells?: number[], points?: Point[] }} Lights */

/**
 * Open the reasons of a line of the log, and light what it is about.
 * @param {number} step
 * @param {DOMStringMap} data of the line
 */
export function openStep(step, data) {
  openPage("/act?step=" + step);
  light(data);
}

/** @param {DOMStringMap} data */
function light(data) {
  unlight(table);
  clearPoints();
  /** @type {Lights} */
  const { units = [], cells = [], points = [] } = JSON.parse(data.lights ?? "{}");
  for (const one of matching({ pieces: units })) one.classList.add("lit");
  for (const cell of cells) for (const one of all(`[data-cell="${cell}"]`, table)) one.classList.add("lit", "pointed-cell");
  drawPoints(points);
}

/** Light what the line under the pointer or the focus is about. */
export function listenForLog() {
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, lightLine);
}

/** @param {Event} event */
function lightLine(event) {
  const line = closest(event.target, "#log [data-lights]");
  for (const one of all(".pointed-cell", table)) one.classList.remove("pointed-cell", "lit");
  clearPoints();
  if (line) light(line.dataset);
}

/**
 * Mark the lines of the log from a moment on as new; they stay so until the log changes.
 * @param {Moment} since
 */
export function markNewLines([step, beat]) {
  for (const line of all(".told[data-step]", byId("log"))) {
    const ofStep = Number(line.dataset.step);
    line.closest(".log-line")?.classList.toggle("new", ofStep > step || (ofStep === step && Number(line.dataset.beat) >= beat));
  }
  byId("log-new").hidden = !all(".log-line.new", byId("log")).length;
}
