// What the AI would do, with its reason.
import { byId, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { noteAct } from "./lesson.js";
import { sayHeld, showRefusal } from "./messages.js";
import { state } from "./state.js";

/** Show what the AI would choose, and a button that does it. */
export async function showAdvice() {
  if (state.isHeld) { sayHeld(); return; }
  if (!document.getElementById("advice")) return;
  const question = state.page.question_version;
  byId("advice").textContent = "thinking …";
  try {
    const { html } = await requestJson("/advice");
    if (question === state.page.question_version) byId("advice").innerHTML = html;
    noteAct("advice");
  } catch (error) {
    byId("advice").textContent = "";
    showRefusal(messageOf(error));
  }
}
