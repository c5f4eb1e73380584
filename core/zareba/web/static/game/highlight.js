// Highlighting: the options on the map, and the option under the pointer.
import { all, closest, first } from "../common/dom.js";
import { matching, optionsAt, phraseOf } from "./options.js";
import { isAsked, state, table } from "./state.js";

/** Highlight the pieces and cells of the options; one element of each gets a role, a name and keyboard focus. */
export function showOptions() {
  for (const old of all(".can", table)) {
    old.classList.remove("can", "lit");
    for (const name of ["role", "tabindex", "aria-label", "data-options", "data-key"]) old.removeAttribute(name);
  }
  for (const old of all(".acting", table)) old.classList.remove("acting");
  if (state.isHeld) return;
  if (state.page.acting) for (const one of matching({ pieces: [state.page.acting] })) one.classList.add("acting");
  for (const target of state.page.targets) {
    const phrase = phraseOf(target.n) + (target.cost ? ", costs " + target.cost : "");
    for (const one of matching(target)) {
      one.classList.add("can");
      one.dataset.options = [one.dataset.options, target.n].filter((n) => n !== undefined).join(" ");
      if (!one.matches(".block, .cell, .tag:not(.block .tag)")) continue;
      const label = one.getAttribute("aria-label");
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", label === null ? phrase : label + "; or " + phrase);
      one.setAttribute("tabindex", "0");
      one.dataset.key = one.dataset.piece || "cell " + one.dataset.cell;
    }
  }
}

/** Remove the highlight of the option under the pointer. */
export function unlight(root = /** @type {ParentNode} */ (document)) {
  for (const lit of all(".lit", root)) lit.classList.remove("lit");
}

/**
 * Highlight options, on the map and in the list.
 * @param {number[]} numbers
 */
export function light(numbers) {
  unlight();
  if (!numbers.length || !isAsked()) return;
  for (const number of numbers) {
    for (const target of state.page.targets) if (target.n === number) for (const one of matching(target)) one.classList.add("lit");
    first(`#question [data-option="${number}"]`)?.classList.add("lit");
  }
}

/** Highlight the option under the pointer or the focus. */
export function listenForPointing() {
  document.addEventListener("pointerover", lightPointed);
  document.addEventListener("focusin", lightPointed);
}

/** @param {PointerEvent | FocusEvent} event */
function lightPointed(event) {
  const option = closest(event.target, "[data-option]");
  const numbers = option ? [Number(option.dataset.option)] : optionsAt(event.target);
  if ("pointerType" in event && event.pointerType === "touch" && !option) return;
  light(numbers);
}
