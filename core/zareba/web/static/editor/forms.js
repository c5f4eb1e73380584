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
async function postChange(fields) {
  byId("refusal").textContent = "";
  const reply = await requestJson("/do", { method: "POST", body: new URLSearchParams(fields) });
  if (reply.gone) { location.href = "/make"; return reply; }
  show(reply);
  if (state.previewed) preview(state.previewed);
  return reply;
}

/**
 * Send a change, and keep the open form up to date: a new element opens; after undo the form is reloaded or closed.
 * @param {Field[] | Record<string, string>} fields
 */
export async function postAndRefreshForm(fields) {
  try {
    const reply = await postChange(fields), form = openForm(), sent = new URLSearchParams(fields);
    if (reply.gone) return;
    const [section, key] = form ? [fieldValue(form, "section"), fieldValue(form, "key")] : ["", ""];
    if (form && sent.get("section") === section && (sent.get("key") || "") === key) state.unsaved = false;
    if (reply.added) await openElement(sent.get("section") ?? "", reply.added, "", sent.has("drawn") ? "map" : "form");
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
function fieldValue(form, name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;
}

/**
 * Save the changes of the open form before another one opens; undo takes them back. Return false if the person keeps
 * the form open.
 */
export async function saveBeforeLeaving() {
  const form = openForm();
  if (!form || !state.unsaved) return true;
  if (form.dataset.tool === "add" && !form.checkValidity()) return confirm("This form is incomplete, so nothing is added yet. Discard it?");
  state.unsaved = false;
  await postChange([["what", form.dataset.tool ?? ""], ...valuesIn(form)]);
  return true;
}

/**
 * Open a form and scroll to it. On a small screen the map stays in view after drawing.
 * @param {string} section
 * @param {string} key
 * @param {string} kind of a new element
 * @param {"form" | "map" | "fault"} scrollTo
 */
export async function openElement(section, key, kind = "", scrollTo = "form") {
  try {
    if (!await saveBeforeLeaving()) return;
    const { html } = await requestJson("/form?" + new URLSearchParams({ section, key, kind }));
    byId("form-of").innerHTML = html;
    forgetEdits();
    const head = first("#form-of h2");
    if (scrollTo === "map" && matchMedia("(max-width: 800px)").matches) byId("status").scrollIntoView();
    else { byId("form-of").scrollIntoView({ block: "nearest" }); head?.scrollIntoView({ block: "nearest" }); }
    head?.focus({ preventScroll: true });
    const form = openForm();
    if (form && (key || section === "battle")) await check(form);
    if (scrollTo === "fault") focusFault();
  } catch (error) {
    showError(error);
  }
}

/**
 * Show the open form as an objective of another kind; fields that both kinds have keep their values.
 * @param {HTMLFormElement} form
 */
export async function changeKind(form) {
  const oldValues = fieldsIn(form);
  state.unsaved = false;
  await openElement("objectives", fieldValue(form, "key"), fieldValue(form, "it.kind"));
  for (const field of /** @type {(Element & HTMLInputElement)[]} */ (all("#form-of form :is(input, select, textarea)"))) {
    const values = oldValues.filter(([name]) => name === field.name).map(([, value]) => value);
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
  if (section instanceof EventTarget) announceChange(section);    // a removed row counts as a change of the form
}
