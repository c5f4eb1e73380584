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
  const { asks } = state.page;
  byId("advice").textContent = "thinking …";
  try {
    const { html } = await requestJson("/advice");
    if (asks === state.page.asks) byId("advice").innerHTML = html;
    noteAct("advice");
  } catch (error) {
    byId("advice").textContent = "";
    showRefusal(messageOf(error));
  }
}
