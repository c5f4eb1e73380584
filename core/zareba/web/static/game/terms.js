// The explanations of technical terms: open below the question in which this browser shows a term for the first time.
import { all, byId, first } from "../common/dom.js";
import { recall, remember } from "../lobby/settings.js";

const MET = "zareba terms met";
const BETWEEN = "\n";
/** The terms of the question that is shown. @type {string[]} */
let shownTerms = [];

/**
 * Open the terms of the question if one of them is new. The terms of a question are known once the next one is shown.
 * @param {boolean} isNewQuestion
 */
export function explainTerms(isNewQuestion) {
  const box = first("details.terms", byId("question"));
  const met = new Set(recall(MET).split(BETWEEN));
  if (isNewQuestion && shownTerms.length) remember(MET, [...met, ...shownTerms.filter((term) => !met.has(term))].join(BETWEEN));
  const known = new Set([...met, ...(isNewQuestion ? shownTerms : [])]);
  shownTerms = box ? all("dt", box).map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`) : [];
  if (box instanceof HTMLDetailsElement) box.open = shownTerms.some((term) => !known.has(term));
}
