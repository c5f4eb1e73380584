// Dragging a unit to its place: the drag answers the question for the unit, and then the question for the place.
import { byId, closest, svgElement } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { act } from "./actions.js";
import { chooseAmong } from "./choices.js";
import { inchesPerPixel, middleOf } from "./map.js";
import { sayHeld, showRemark } from "./messages.js";
import { matching, unitAt } from "./options.js";
import { setMark } from "./places.js";
import { sayWhyNot } from "./reasons.js";
import { isAsked, state, table } from "./state.js";

/** @import { Point } from "./state.js" */

/** The unit that is being dragged; "" if none is. */
let carried = "";
/** Where a unit was dropped, while its owner must first say what it does. @type {{ unit: string, point: Point } | null} */
let waiting = null;

/**
 * Take up the unit under the pointer, if the question lets it move or be chosen. Return true if it does.
 * @param {PointerEvent} event
 */
export function takeUp(event) {
  carried = "";
  const { page } = state, unit = unitAt(event.target);
  if (!unit || !isAsked() || state.replaying || state.picking || state.ruler !== null) return false;
  if (!closest(event.target, `.side-${page.side}`)) return false;
  if (unit !== page.acting && !numbersFor(unit).length) return false;
  carried = unit;
  return true;
}

/**
 * Say why the unit at the start of a drag stays where it is, and what to do.
 * @param {EventTarget | null} target where the drag began
 */
export function sayWhyNotCarried(target) {
  const { page } = state, unit = unitAt(target);
  if (!unit || !page.seat || page.over || state.picking || state.ruler !== null) return;
  if (state.replaying) showRemark("This is an earlier moment. Press Back to now, then move your units.");
  else if (state.isHeld) sayHeld();
  else if (!page.is_asked) showRemark("It is not your turn yet. " + page.turn_text);
  else if (!closest(target, `.side-${page.side}`)) showRemark("You can move only your own units.", unit);
  else if (page.acting && page.acting !== unit) showRemark(`First answer the question for ${tagName(page.acting) || "the unit that acts"}, or press Undo.`);
  else sayWhyNot(target, unit);
}

/** Return true if a drag from here would carry another unit than the one whose place is asked.
 * @param {EventTarget | null} target */
export const isOtherUnit = (target) => {
  const unit = unitAt(target);
  return Boolean(unit) && unit !== state.page.acting && Boolean(closest(target, `.side-${state.page.side}`));
};

/** Return true while a unit is being dragged. */
export const isCarrying = () => carried !== "";

/**
 * Return the options that choose a unit by itself, and not what it does to another.
 * @param {string} unit
 */
function numbersFor(unit) {
  return state.page.targets.filter((option) => option.pieces.includes(unit) && (option.cell === null || option.cell === undefined)).map((option) => option.n);
}

/**
 * Show the unit on its way.
 * @param {Point} point
 */
export function carryTo(point) {
  if (state.page.place && carried === state.page.acting) { setMark(point); return; }
  const from = middleOf(carried), ghost = byId("ghost");
  ghost.replaceChildren();
  if (!from) return;
  ghost.append(
    svgElement("path", { class: "tape", d: `M${from[0]} ${from[1]}L${point[0]} ${point[1]}` }),
    svgElement("circle", { class: "candidate", cx: point[0], cy: point[1], r: 12 * inchesPerPixel() }),
  );
}

/**
 * Put the unit down.
 * @param {PointerEvent} event
 * @param {Point} point
 */
export async function putDown(event, point) {
  const unit = carried;
  stopCarrying();
  const below = document.elementsFromPoint(event.clientX, event.clientY).filter((one) => table.contains(one));
  if (below.some((one) => unitAt(one) === unit)) return;    // it is back where it was
  if (unit !== state.page.acting) {
    const numbers = numbersFor(unit);
    if (numbers.length > 1) { waiting = { unit, point }; chooseAmong(numbers); return; }
    if (!await act("answer", { option: numbers[0] })) return;
  }
  if (unit !== state.page.acting) { showRemark("Chosen: " + (tagName(unit) || "the unit") + "."); return; }
  await drop(unit, point);
}

/**
 * Answer the question for the place of a unit.
 * @param {string} unit
 * @param {Point} point
 */
async function drop(unit, point) {
  const { page } = state;
  if (page.place) { await dropAtPoint(point); return; }
  const below = elementsAt(point);
  const targets = page.targets.filter((option) => !option.pieces.includes(unit) && matching(option).some((one) => below.some((two) => one.contains(two))));
  const numbers = [...new Set(targets.map((option) => option.n))];
  if (numbers.length) { chooseAmong(numbers); return; }
  const target = below.find((one) => unitAt(one) !== unit) ?? null;
  if (page.targets.some((option) => option.cell !== null && option.cell !== undefined)) sayWhyNot(target, unitAt(target));
  else waiting = { unit, point };    // the rules first ask what the unit does
}

/**
 * Go to a point if it is allowed; otherwise the marker stays there with the reason.
 * @param {Point} point
 */
async function dropAtPoint(point) {
  const { place } = state.page;
  if (!place) return;
  setMark(point);
  const [x, y] = [(point[0] / place.scale).toFixed(1), ((place.depth - point[1]) / place.scale).toFixed(1)];
  const ruling = await requestJson(`/check?x=${x}&y=${y}`).catch(() => null);
  if (ruling && ruling.refused) showRemark(ruling.refused);
  else if (ruling) await act("answer", { x, y });
}

/** Go on with a unit that was dropped before its owner had said what it does; called for each new question. */
export function resumeDrop() {
  if (!waiting) return;
  const { unit, point } = waiting;
  if (!isAsked() || state.page.acting !== unit) { waiting = null; return; }
  if (state.page.place) { waiting = null; setMark(point); }
}

/** Stop dragging the unit. */
export function stopCarrying() {
  carried = "";
  byId("ghost").replaceChildren();
}

/**
 * Return the elements of the map at a point, the topmost first.
 * @param {Point} point
 */
function elementsAt(point) {
  const at = new DOMPoint(...point).matrixTransform(table.getScreenCTM() ?? undefined);
  return document.elementsFromPoint(at.x, at.y).filter((one) => table.contains(one));
}

/** @param {string} unit */
function tagName(unit) {
  return table.querySelector(`.tag[data-unit="${CSS.escape(unit)}"] .unit-name`)?.textContent ?? "";
}
