// The form of one element of the battle, and the changes that are sent to the server.
import { all, byId, first } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { check, fieldsIn, focusFault, forgetEdits, openForm, valuesIn } from "./checks.js";
import { showError } from "./messages.js";
import { preview, show } from "./show.js";
import { state } from "./state.js";

/** @import { BattleState, Field } from "./state.js" */

/**
 * Return the entry of an element in the list; null if it is not there.
 * @param {string} section
 * @param {string} key
 */
export function entryOf(section, key) {
  return first(`#list [data-section="${section}"][data-key="${CSS.escape(key)}"]`);
}

/** Close the open form without saving. */
export function closeForm() {
  state.unsaved = false;
  byId("form-of").replaceChildren();
}

/**
 * Send a change, and show the battle after it.
 * @param {Field[] | Record<string, string>} fields
 * @returns {Promise<BattleState>}
 */
async function send(fields) {
  byId("refusal").textContent = "";
  const told = await requestJson("/do", { method: "POST", body: new URLSearchParams(fields) });
  if (told.gone) { location.href = "/make"; return told; }
  show(told);
  if (state.previewed) preview(state.previewed);
  return told;
}

/**
 * Send a change, and keep the open form up to date.
 * @param {Field[] | Record<string, string>} fields
 */
export async function change(fields) {
  try {
    const told = await send(fields), form = openForm(), sent = new URLSearchParams(fields);
    if (told.gone) return;
    const [section, key] = form ? [valueOf(form, "section"), valueOf(form, "key")] : ["", ""];
    if (form && sent.get("section") === section && (sent.get("key") || "") === key) state.unsaved = false;
    if (told.added) await openElement(sent.get("section") ?? "", told.added, "", sent.has("drawn") ? "map" : "form");
    else if (form?.dataset.tool === "set") {
      if (sent.get("what") === "undo" || sent.get("what") === "redo") state.unsaved = false;
      if (entryOf(section, key)) await openElement(section, key); else closeForm();
    }
  } catch (error) {
    showError(error);
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function valueOf(form, name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;
}

/** Save the changes of the open form before another one opens; undo takes them back. Return false to stay. */
export async function saveBeforeLeaving() {
  const form = openForm();
  if (!form || !state.unsaved) return true;
  if (form.dataset.tool === "add" && !form.checkValidity()) return confirm("This form is incomplete, so nothing is added yet. Discard it?");
  state.unsaved = false;
  await send([["what", form.dataset.tool ?? ""], ...valuesIn(form)]);
  return true;
}

/**
 * Open a form and scroll to it. On a small screen the map stays in view after drawing.
 * @param {string} section
 * @param {string} key
 * @param {string} kind of a new element
 * @param {"form" | "map" | "fault"} to what to scroll to
 */
export async function openElement(section, key, kind = "", to = "form") {
  try {
    if (!await saveBeforeLeaving()) return;
    const { html } = await requestJson("/form?" + new URLSearchParams({ section, key, kind }));
    byId("form-of").innerHTML = html;
    forgetEdits();
    const head = first("#form-of h2");
    if (to === "map" && matchMedia("(max-width: 800px)").matches) byId("status").scrollIntoView();
    else { byId("form-of").scrollIntoView({ block: "nearest" }); head?.scrollIntoView({ block: "nearest" }); }
    head?.focus({ preventScroll: true });
    const form = openForm();
    if (form && (key || section === "battle")) await check(form);
    if (to === "fault") focusFault();
  } catch (error) {
    showError(error);
  }
}

/**
 * Show the open form as an objective of another kind; fields that both kinds have keep their values.
 * @param {HTMLFormElement} form
 */
export async function changeKind(form) {
  const written = fieldsIn(form);
  state.unsaved = false;
  await openElement("objectives", valueOf(form, "key"), valueOf(form, "it.kind"));
  for (const field of /** @type {(Element & HTMLInputElement)[]} */ (all("#form-of form :is(input, select, textarea)"))) {
    const values = written.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "checkbox") field.checked = values.includes(field.value);
    else if (values.length) field.value = values[0];
  }
  state.unsaved = true;
  first('#form-of [name="it.kind"]')?.focus();
}

/**
 * Announce that a field has changed.
 * @param {EventTarget} field
 */
export function announceChange(field) {
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * Add a row, copied from the empty one.
 * @param {Element & HTMLOrSVGElement} button
 */
export function addRow(button) {
  const rows = /** @type {HTMLElement} */ (button.closest(".rows")), name = rows.dataset.field, row = document.createElement("template");
  const next = Number(rows.dataset.next || all(":scope > .row", rows).length);
  rows.dataset.next = String(next + 1);
  row.innerHTML = (first(":scope > template", rows)?.innerHTML ?? "").replaceAll(`${name}.NEW`, `${name}.${next}`);
  button.before(row.content);
  const added = button.previousElementSibling;
  if (added) first("input, select, textarea", added)?.focus();
}

/**
 * Remove the row of a button.
 * @param {Element} button
 */
export function removeRow(button) {
  const rows = /** @type {HTMLElement} */ (button.closest(".rows"));
  button.closest(".row")?.remove();
  first("[data-another]", rows)?.focus();
  const section = openForm()?.elements.namedItem("section");
  if (section instanceof EventTarget) announceChange(section);
}
