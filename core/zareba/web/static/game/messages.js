// Short messages to the player.
import { byId, byIdAs } from "../common/dom.js";

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
 */
export function showRemark(words) {
  byId("measure").textContent = words;
}
