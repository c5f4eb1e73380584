// Why a unit or a place is not an option, and what an objective counts.
import { byId, closest, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { showRefusal, showRemark } from "./messages.js";
import { state, table } from "./state.js";

/**
 * Say why the element at a click is not an option, with a button for the card of the unit there.
 * @param {EventTarget | null} target
 * @param {string} unit the unit there; "" if there is none
 */
export async function sayWhyNot(target, unit) {
  const cell = closest(target, "[data-cell]")?.dataset.cell ?? "";
  if (!unit && !cell) return;
  const { question_version: question, version } = state.page;
  try {
    const { words } = await requestJson(`/why_not?version=${version}&piece=${encodeURIComponent(unit)}&cell=${cell}`);
    if (question === state.page.question_version) showRemark(words, unit);
  } catch (error) {
    showRefusal(messageOf(error));
  }
}

/**
 * Return the words about an objective whose flag or name is under the pointer; "" if there is none.
 * @param {EventTarget | null} target
 */
export function objectiveAt(target) {
  const aim = closest(target, "[data-aim]")?.dataset.aim;
  return state.page.goals.find((goal) => goal.id === aim)?.words ?? "";
}

/** Say who holds an objective when the pointer is on its flag, and light its reach. */
export function listenForObjectives() {
  table.addEventListener("pointerover", (event) => {
    const words = objectiveAt(event.target);
    const aim = words ? closest(event.target, "[data-aim]")?.dataset.aim : "";
    for (const reach of byId("reaches").querySelectorAll("[data-held]")) reach.classList.toggle("pointed", reach.getAttribute("data-held") === aim);
    if (words && event.pointerType !== "touch") showRemark(words);
  });
}
