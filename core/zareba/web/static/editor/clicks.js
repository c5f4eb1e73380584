// Clicks on buttons of the editor, and its submitted forms.
import { closest } from "../common/dom.js";
import { fieldsIn, focusFault, openForm, valuesIn } from "./checks.js";
import { drawFor, finishDrawing, pointFor, startDrawing, stopDrawing } from "./drawing.js";
import { addRow, changeKind, closeForm, openElement, postAndRefreshForm, removeRow } from "./forms.js";
import { preview, stopPreview } from "./show.js";
import { state } from "./state.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { Field } from "./state.js" */

/** Carry out what forms say. */
export function listenForForms() {
  document.addEventListener("submit", submit);
  document.addEventListener("change", (event) => {
    const form = closest(event.target, '#form-of [name="it.kind"]') && openForm();
    if (form && /** @type {HTMLInputElement} */ (form.elements.namedItem("section")).value === "objectives") changeKind(form);
  });
}

/** @param {SubmitEvent} event */
function submit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.dataset.tool) return;
  event.preventDefault();
  const { tool } = form.dataset, by = event.submitter;
  const data = tool === "set" || tool === "add" ? valuesIn(form, by) : fieldsIn(form, by);
  const fields = Object.fromEntries(data);
  /** @type {(section: string) => Field[]} */
  const added = (section) => [["what", "add"], ["section", section], ...data];
  if (tool === "text") postAndRefreshForm([["what", "text"], ...data]);
  else if (tool === "new") { const [section, kind, key] = fields.new.split("/"); openElement(section, key || "", kind); }
  else if (tool === "set" || tool === "add") {
    if (fields.pointed) startDrawing([["what", tool], ...data], 1, 1, `${fields["it.name"] || fields.key || fields.section}: click its place`);
    else postAndRefreshForm([["what", tool], ...data]);
  }
  else if (tool === "terrain") startDrawing(added("terrain"), isArea(form) && fields.kind !== "road" ? 3 : 2, 100, `${fields.kind.replaceAll("_", " ")}: click its corners`);
  else if (tool === "units" && fields.unplaced) postAndRefreshForm(added("units"));
  else if (tool === "units") startDrawing(added("units"), 1, 1, `${fields.preset}: click its place`);
  else if (tool === "zone") startDrawing([["what", "zone"], ["section", "sides"], ...data], 3, 100, "deployment zone: click its corners");
}

/**
 * Return true if the chosen kind of terrain is an area.
 * @param {HTMLFormElement} form
 */
function isArea(form) {
  const kinds = /** @type {HTMLSelectElement} */ (form.elements.namedItem("kind"));
  return /** @type {HTMLOptGroupElement} */ (kinds.selectedOptions[0].parentElement).label === "areas";
}

/** The action of each button, by the data attribute that the button has; the first that matches is carried out.
 * @type {[string, (data: DOMStringMap, button: PageElement) => void][]} */
const BUTTONS = [
  ["[data-finish]", () => finishDrawing()],
  ["[data-cancel]", () => stopDrawing()],
  ["[data-do]", (data) => { if (data.do !== "drop" || confirm("Delete this battle?")) postAndRefreshForm({ what: data.do ?? "" }); }],
  ["[data-preview]", (data, button) => {
    if (state.previewed !== data.preview) preview(data.preview ?? "");
    else { button.setAttribute("aria-pressed", "false"); stopPreview(); }
  }],
  ["[data-point]", (data) => pointFor(data.point ?? "", data.words ?? "")],
  ["[data-draw]", (data) => drawFor(data.draw ?? "", Number(data.least), Number(data.most), data.words ?? "")],
  ["[data-another]", (_, button) => addRow(button)],
  ["[data-without]", (_, button) => removeRow(button)],
  ["[data-close]", () => { if (!state.unsaved || confirm("Your changes in this form are not saved. Close it anyway?")) closeForm(); }],
  ["[data-remove]", (data) => { closeForm(); postAndRefreshForm({ what: "remove", section: data.of ?? "", key: data.remove ?? "" }); }],
  ["[data-fault]", () => focusFault()],
  ["[data-section]", (data, button) => openElement(data.section ?? "", data.key ?? "", "", button.closest("#problems") ? "fault" : "form")],
];

/** Carry out what buttons say. */
export function listenForClicks() {
  document.addEventListener("click", (event) => {
    for (const [selector, action] of BUTTONS) {
      const button = closest(event.target, selector);
      if (button) { action(button.dataset, button); return; }
    }
  });
}
