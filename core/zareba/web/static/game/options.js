// The options of the question: their phrases, and the elements of the map that they refer to.
import { all, closest, first } from "../common/dom.js";
import { table } from "./state.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { OptionTarget } from "./state.js" */

/**
 * Return the phrase of an option.
 * @param {number} number
 */
export function phraseOf(number) {
  const option = first(`[data-option="${number}"] .phrase`);
  return option ? option.textContent ?? "" : "option " + (number + 1);
}

/**
 * Return the options that an element of the map belongs to.
 * @param {EventTarget | null} target
 * @returns {number[]}
 */
export function optionsAt(target) {
  const found = closest(target, "[data-options]");
  return found?.dataset.options ? found.dataset.options.split(" ").map(Number) : [];
}

/**
 * Return the options under the pointer. If a unit stands on a cell that is an option, the cell is meant.
 * @param {MouseEvent} event
 */
export function optionsBelow(event) {
  for (const one of document.elementsFromPoint(event.clientX, event.clientY)) {
    const numbers = optionsAt(one);
    if (numbers.length) return numbers;
  }
  return [];
}

/**
 * Return the unit or piece of an element of the map; "" if it has none.
 * @param {EventTarget | null} target
 */
export function unitAt(target) {
  const on = closest(target, "[data-unit], [data-piece]");
  return on ? on.dataset.unit || on.dataset.piece || "" : "";
}

/**
 * Return the elements of the map that pieces and a cell are drawn with.
 * @param {Pick<OptionTarget, "pieces" | "cell">} target
 * @returns {PageElement[]}
 */
export function matching(target) {
  const found = [];
  for (const piece of target.pieces) {
    const name = CSS.escape(piece);
    found.push(...all(`[data-piece="${name}"], [data-unit="${name}"]`, table));
  }
  if (target.cell !== null && target.cell !== undefined) found.push(...all(`[data-cell="${target.cell}"]`, table));
  return found;
}
