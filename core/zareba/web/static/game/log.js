// The log: what happened.
import { lightUnitsNamed } from "./highlight.js";
import { openPage } from "./sheet.js";

/**
 * Open the reasons of a line of the log, and highlight the units it names.
 * @param {number} step
 * @param {string} sentence
 */
export function openStep(step, sentence) {
  openPage("/act?step=" + step);
  lightUnitsNamed(sentence);
}
