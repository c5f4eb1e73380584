// Drawing on the map: the corners of an area, the place of a unit, and the choice of an element for a field.
import { all, byId, closest, first } from "../common/dom.js";
import { announceChange, entryOf, openElement, postAndRefreshForm } from "./forms.js";
import { drawMarks } from "./marks.js";
import { state, table } from "./state.js";

/** @import { Field, Point } from "./state.js" */

const FINGER = 14;    // pixels around a tap in which a figure is meant

/**
 * Ask for something on the map.
 * @param {string} said what to do
 */
function showPick(said) {
  byId("pick-said").textContent = said;
  byId("pick").hidden = false;
  document.body.classList.add("picking");
  table.focus({ preventScroll: true });
  table.scrollIntoView({ block: "nearest" });
  drawMarks();
}

/**
 * Draw corners and send a change with them.
 * @param {Field[] | null} fields
 * @param {number} least
 * @param {number} most
 * @param {string} said
 * @param {string} [into] the field of the open form that the corners are for
 */
export function startDrawing(fields, least, most, said, into) {
  stopDrawing();
  state.drawing = { fields, least, most, points: [], into };
  state.cursor = middleOfMap();
  showPick(said);
}

/** @returns {Point} */
function middleOfMap() {
  const { box } = state;
  return [box[0] + box[2] / 2, box[1] + box[3] / 2];
}

/**
 * Draw for a field of the open form.
 * @param {string} name
 * @param {number} least
 * @param {number} most
 * @param {string} words
 */
export function drawFor(name, least, most, words) {
  startDrawing(null, least, most, `${words}: ${most > 1 ? "click its corners, one after the other" : "click its place"}`, name);
}

/**
 * Choose elements on the map for a field of the open form.
 * @param {string} field
 * @param {string} words
 */
export function pointFor(field, words) {
  stopDrawing();
  state.pointing = field;
  showPick(`${words}: click it on the map`);
}

/**
 * Select or deselect the element under the pointer, if the field may refer to it.
 * @param {number} x in pixels
 * @param {number} y in pixels
 */
function chooseAt(x, y) {
  const fields = all(`#form-of [name="${state.pointing}"]`);
  const boxes = fields.filter((one) => one instanceof HTMLInputElement).filter((one) => one.type === "checkbox");
  const lists = fields.filter((one) => one instanceof HTMLSelectElement);
  for (const on of [...document.elementsFromPoint(x, y), ...piecesNear(x, y)]) {
    const near = closest(on, "[data-unit], [data-ground]");
    const key = near && (near.dataset.unit || near.dataset.ground);
    if (!key) continue;
    const box = boxes.find((one) => one.value === key);
    const list = lists.find((one) => [...one.options].some((option) => option.value === key));
    if (box) { box.checked = !box.checked; announceChange(box); byId("pick-said").textContent = `${box.closest("label")?.textContent?.trim() || key}: ${box.checked ? "selected" : "deselected"}`; return; }
    if (list) { list.value = key; stopDrawing(); announceChange(list); list.focus(); return; }
  }
  byId("pick-said").textContent = "nothing there can be chosen for this field";
}

/**
 * Return the pieces within a finger's breadth of a point of the page, the nearest first. A figure is smaller than a finger.
 * @param {number} x
 * @param {number} y
 */
function piecesNear(x, y) {
  const pieces = all("#pieces .piece, #pieces .tag:not(.absent)").map((piece) => {
    const box = piece.getBoundingClientRect();
    return { piece, away: Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) };
  });
  return pieces.filter(({ away }) => away < FINGER).sort((a, b) => a.away - b.away).map(({ piece }) => piece);
}

/**
 * Round to half an inch, and snap to a table edge nearby.
 * @param {number} place
 * @param {number} length of the table
 */
function snap(place, length) {
  const near = Math.round(place * 2) / 2;
  return near < 1 ? 0 : near > length - 1 ? length : near;
}

/** @param {Point} point */
function addPoint(point) {
  const { drawing, size } = state;
  if (!drawing) return;
  drawing.points.push([snap(point[0], size[0]), snap(point[1], size[1])]);
  drawMarks();
  if (drawing.points.length >= drawing.most) finishDrawing();
}

/** Send the corners, or put them into their field. */
export function finishDrawing() {
  if (!state.drawing) { stopDrawing(); return; }
  const { fields, least, points, into } = state.drawing;
  if (points.length && points.length < least) { byId("pick-said").textContent = `click at least ${least} points; there are ${points.length} so far`; return; }
  const places = points.map(([x, y]) => `${x},${state.size[1] - y}`).join(" ");
  stopDrawing();
  if (!points.length) return;
  if (!into) { postAndRefreshForm([...fields ?? [], ["drawn", places]]); return; }
  const field = first(`#form-of [name="${into}"]`);
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) { field.value = places; announceChange(field); field.focus(); }
}

/** Stop drawing; the button that started it gets the focus. */
export function stopDrawing() {
  const { pointing, drawing } = state;
  const from = pointing ? `[data-point="${pointing}"]` : drawing?.into ? `[data-draw="${drawing.into}"]` : "";
  if (from) first(`#form-of ${from}`)?.focus();
  state.drawing = null;
  state.pointing = "";
  byId("pick").hidden = true;
  document.body.classList.remove("picking");
  drawMarks();
}

/** @param {MouseEvent} event */
function clickMap(event) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(table.getScreenCTM()?.inverse());
  if (state.drawing) { state.cursor = null; addPoint([place.x, place.y]); return; }
  if (state.pointing) { chooseAt(event.clientX, event.clientY); return; }
  const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
  const direct = closest(event.target, "[data-unit], [data-aim]") ?? (isTouch ? piecesNear(event.clientX, event.clientY)[0] : undefined);
  const { unit, ground, aim } = (direct ?? closest(event.target, "[data-ground]"))?.dataset ?? {};
  if (unit) openElement(["leaders", "objects"].find((section) => entryOf(section, unit)) || "units", unit);
  else if (aim) openElement("objectives", aim);
  else if (ground) openElement("terrain", ground);
}

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {KeyboardEvent} event */
function drawByKey(event) {
  const { drawing, pointing, cursor } = state;
  if (pointing && event.key === "Escape") { stopDrawing(); return; }
  if (!(drawing || pointing) || closest(event.target, "input, select, textarea, button")) return;
  const step = ARROWS[event.key];
  if (step && drawing) {
    const [x, y] = cursor || middleOfMap();
    state.cursor = [x + step[0], y + step[1]];
    drawMarks();
  } else if (event.key === " " && drawing && cursor) addPoint(cursor);
  else if (event.key === "Enter") finishDrawing();
  else if (event.key === "Escape") stopDrawing();
  else return;
  event.preventDefault();
}

/** Draw by pointer and by keys. */
export function listenForDrawing() {
  table.addEventListener("click", clickMap);
  document.addEventListener("keydown", drawByKey);
}
