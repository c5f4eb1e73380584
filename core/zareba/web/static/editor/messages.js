// Messages of the editor.
import { byId, messageOf } from "../common/dom.js";

/** @param {unknown} error */
export function showError(error) {
  byId("refusal").textContent = messageOf(error);
}
