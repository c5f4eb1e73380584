// The dialog: cards of units, reasons, rules, briefing and score.
import { byId, byIdAs, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { noteAct } from "./lesson.js";
import { showRefusal } from "./messages.js";

const sheet = byIdAs("sheet", HTMLDialogElement);

/** Return true if the dialog is open. */
export const isSheetOpen = () => sheet.open;

/**
 * Open the dialog with an element or with HTML from the server.
 * @param {string | Element} content
 */
export function openSheet(content) {
  const body = byId("sheet-body");
  if (typeof content === "string") body.innerHTML = content;
  else body.replaceChildren(content);
  if (!sheet.open) sheet.showModal();
}

/** Close the dialog. */
export function closeSheet() {
  sheet.close();
}

/**
 * Open the dialog with the HTML at an address.
 * @param {string} path
 */
export async function openPage(path) {
  try {
    openSheet((await requestJson(path)).html);
    noteAct(path.split(/[/?]/)[1]);
  } catch (error) {
    showRefusal(messageOf(error));
  }
}

/**
 * Open the card of a unit.
 * @param {string} unit
 */
export function openCard(unit) {
  if (unit) openPage("/unit?piece=" + encodeURIComponent(unit));
}
