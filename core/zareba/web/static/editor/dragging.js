// Dragging on the map of the editor: units, leaders and objects, and the corners of the terrain in the open form.
import { byId, closest, first, svgElement } from "../common/dom.js";
import { openForm } from "./checks.js";
import { entryOf, postAndRefreshForm } from "./forms.js";
import { state, table } from "./state.js";

/** @import { Field, Point } from "./state.js" */

const FAR = 5;    // pixels that a drag is longer than a click
const HANDLE = { fine: 8, coarse: 13 };    // radius of a handle in pixels, for a mouse and for a finger

/** What is being dragged: the change to send without the new place, and where the drag began in pixels.
 * @type {{ fields: Field[], from: Point, isMoving: boolean } | null} */
let dragging = null;

/** Drag units and corners. */
export function listenForDragging() {
  table.addEventListener("pointerdown", takeUp);
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", putDown);
  window.addEventListener("pointercancel", () => stop());
  table.addEventListener("click", ignoreAfterDrag, true);
}

/** @param {PointerEvent} event */
function takeUp(event) {
  stop();
  if (state.drawing || state.pointing || state.previewed) return;
  const fields = fieldsOfDrag(event.target);
  if (fields) dragging = { fields, from: [event.clientX, event.clientY], isMoving: false };
}

/**
 * Return the change that a drag of an element of the map makes; null if it cannot be dragged.
 * @param {EventTarget | null} target
 * @returns {Field[] | null}
 */
function fieldsOfDrag(target) {
  const corner = closest(target, "[data-corner]");
  if (corner) return [["what", "move"], ["section", "terrain"], ["key", openKey()], ["corner", corner.dataset.corner ?? ""]];
  const unit = closest(target, "[data-unit]")?.dataset.unit;
  const section = unit && ["leaders", "objects", "units"].find((one) => entryOf(one, unit));
  if (section && unit) return [["what", "move"], ["section", section], ["key", unit]];
  const aim = closest(target, "[data-aim]")?.dataset.aim;
  return aim ? [["what", "move"], ["section", "objectives"], ["key", aim]] : null;
}

/** @param {PointerEvent} event */
function move(event) {
  if (!dragging) return;
  if (Math.hypot(event.clientX - dragging.from[0], event.clientY - dragging.from[1]) > FAR) dragging.isMoving = true;
  if (!dragging.isMoving) return;
  document.body.classList.add("carrying");
  const [x, y] = pointOf(event);
  byId("ghost").replaceChildren(svgElement("circle", { class: "candidate", cx: x, cy: y, r: state.box[2] / 80 }));
}

/** @param {PointerEvent} event */
async function putDown(event) {
  const drag = dragging;
  if (!drag?.isMoving) { stop(); return; }
  const [x, y] = pointOf(event).map((place) => Math.round(place * 2) / 2);
  stop();
  ended = performance.now();
  if (x < 0 || y < 0 || x > state.size[0] || y > state.size[1]) return;
  await postAndRefreshForm([...drag.fields, ["drawn", `${x},${state.size[1] - y}`]]);
}

function stop() {
  dragging = null;
  document.body.classList.remove("carrying");
  byId("ghost").replaceChildren();
}

let ended = 0;    // when the last drag ended: the click that follows it is no click

/** @param {MouseEvent} event */
function ignoreAfterDrag(event) {
  if (performance.now() - ended < 100) event.stopImmediatePropagation();
}

/**
 * @param {PointerEvent} event
 * @returns {Point}
 */
function pointOf(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(table.getScreenCTM()?.inverse());
  return [point.x, point.y];
}

/** Return the key of the element in the open form; "" if none is open. */
function openKey() {
  const key = openForm()?.elements.namedItem("key");
  return key instanceof HTMLInputElement ? key.value : "";
}

/** Draw a handle at each corner of the terrain in the open form. */
export function drawCorners() {
  const corners = byId("corners"), section = openForm()?.elements.namedItem("section");
  corners.replaceChildren();
  if (!(section instanceof HTMLInputElement) || section.value !== "terrain" || !openKey()) return;
  const field = first('#form-of [name="it.area"], #form-of [name="it.line"]');
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const pixels = matchMedia("(pointer: coarse)").matches ? HANDLE.coarse : HANDLE.fine;
  const r = pixels * (table.getScreenCTM()?.inverse().a ?? 0);
  const numbers = (field.value.match(/[0-9.]+/g) ?? []).map(Number);
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    corners.append(svgElement("circle", { class: "corner-handle", "data-corner": at / 2, cx: numbers[at], cy: state.size[1] - numbers[at + 1], r }));
  }
}
