// Short messages to the player.
import { byId, byIdAs } from "../common/dom.js";
import { element } from "./dice.js";
import { isPhone, markCut } from "./oneLine.js";

byId("measure").addEventListener("click", expandOrRemove);

/** On a phone, show all words of the remark after a tap, and remove it after the next one. */
function expandOrRemove() {
  const { classList } = byId("measure");
  if (classList.contains("cut")) classList.replace("cut", "open");
  else if (isPhone.matches) showRemark("");
}

/**
 * Show a refusal, also in the dialog if one is open; "" removes it.
 * @param {string} words
 */
export function showRefusal(words) {
  byId("refusal").textContent = words;
  byId("sheet-refusal").textContent = byIdAs("sheet", HTMLDialogElement).open ? words : "";
}

/**
 * Show a remark above the map; "" removes it.
 * @param {string} words
 * @param {string} unit a unit that the remark is about: its card can be opened from there
 */
export function showRemark(words, unit = "") {
  const remark = byId("measure");
  remark.replaceChildren(...words ? [element("span", "remark", words)] : []);
  if (words && unit) {
    const button = /** @type {HTMLButtonElement} */ (element("button", "", "Card"));
    button.type = "button";
    button.dataset.card = unit;
    remark.append(" ", button);
  }
  markCut(remark);
}

/** Say why the question cannot be answered yet. */
export function sayHeld() {
  showRemark("The map still shows what happened. Press Skip (s) to see your question.");
}
