// Checks of the open form while the user types.
import { all, byId, first, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { state } from "./state.js";

/** @import { Field } from "./state.js" */

let checks = 0;    // number of the last check that was requested
let timer = 0;     // of the next check
/** @type {Set<string>} */
const edited = new Set();

/**
 * Return the open form; null if there is none.
 * @returns {HTMLFormElement | null}
 */
export const openForm = () => document.querySelector("#form-of form");

/**
 * Return the values of a form without empty fields.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [by] the button that submits it
 * @returns {Field[]}
 */
export function valuesIn(form, by) {
  return fieldsIn(form, by).filter(([name, value]) => value !== "" || name === "key");
}

/**
 * Return the values of a form.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [by] the button that submits it
 * @returns {Field[]}
 */
export function fieldsIn(form, by) {
  return /** @type {Field[]} */ ([...new FormData(form, by)]);
}

/** Forget which fields were edited, because another form is open. */
export function forgetEdits() {
  edited.clear();
}

/**
 * Check a form, and show its faults.
 * @param {HTMLFormElement} form
 */
export async function check(form) {
  const turn = ++checks;
  try {
    const { faults } = await requestJson("/check", { method: "POST", body: new URLSearchParams(valuesIn(form)) });
    if (turn === checks && form.isConnected) showFaults(form, Object.entries(faults));
  } catch (error) {
    if (form.isConnected) byId("form-says").textContent = messageOf(error);
  }
}

/**
 * Show each fault at its field. A new element shows faults only at edited fields.
 * @param {HTMLFormElement} form
 * @param {[string, string][]} faults
 */
function showFaults(form, faults) {
  const isNew = form.dataset.tool === "add", fields = all("[data-field]", form);
  for (const old of all(".fault", form)) old.remove();
  for (const field of all("[aria-invalid]", form)) { field.removeAttribute("aria-invalid"); field.removeAttribute("aria-describedby"); }
  let shown = 0;
  for (const [name, words] of faults) {
    if (isNew && !edited.has(name)) continue;
    const at = fields.findLast((one) => one.dataset.field === name), line = document.createElement("span");
    line.className = "fault refusal";
    line.id = `fault-${++shown}`;
    line.textContent = words;
    if (at) at.append(line); else form.prepend(line);
    for (let part = at?.closest("details"); part; part = part.parentElement?.closest("details")) part.open = true;
    for (const field of all(`[name="${CSS.escape(name)}"]`, form)) { field.setAttribute("aria-invalid", "true"); field.setAttribute("aria-describedby", line.id); }
  }
  if (!shown) {
    byId("form-says").textContent = isNew ? "" : state.unsaved ? "No problems here; not saved yet." : "No problems here.";
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.fault = "";
  button.textContent = shown === 1 ? "1 problem here: show it" : `${shown} problems here: show them`;
  byId("form-says").replaceChildren(button);
}

/** Focus the first field with a fault in the open form. */
export function focusFault() {
  const fault = first("#form-of .fault"), field = first("#form-of [aria-invalid]");
  if (field && fault?.parentElement?.contains(field)) field.focus({ preventScroll: true });
  fault?.scrollIntoView({ block: "center" });
}

/** @param {Event} event */
function noteEdit(event) {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)) return;
  const { form } = field;
  if (!form || form !== openForm() || form.dataset.tool === undefined) return;
  state.unsaved = true;
  edited.add(field.name);
  if (!first(".fault", form)) byId("form-says").textContent = "Not saved yet.";
  clearTimeout(timer);
  timer = setTimeout(() => { if (form.isConnected) check(form); }, 300);
}

/** Check the open form whenever the user changes it. */
export function listenForTyping() {
  document.addEventListener("input", noteEdit);
  document.addEventListener("change", noteEdit);
}
