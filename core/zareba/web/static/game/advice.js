// What the AI would do, with its reason.
import { byId, first, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { noteAct } from "./lesson.js";
import { sayHeld, showRefusal } from "./messages.js";
import { state } from "./state.js";

/**
 * Show what the AI would choose, and a button that does it.
 * @param {boolean} [byKey] the button gets the focus, so that Enter does it
 */
export async function showAdvice(byKey = false) {
  if (state.isHeld) { sayHeld(); return; }
  if (!document.getElementById("advice")) return;
  const question = state.page.question_version;
  byId("advice").textContent = "thinking …";
  try {
    const { html } = await requestJson("/advice");
    if (question === state.page.question_version) byId("advice").innerHTML = html;
    if (byKey) first("#advice .take")?.focus();
    noteAct("advice");
  } catch (error) {
    byId("advice").textContent = "";
    showRefusal(messageOf(error));
  }
}
