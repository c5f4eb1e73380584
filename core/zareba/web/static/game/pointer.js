// Mouse and fingers on the map.
import { closest } from "../common/dom.js";
import { carryTo, isCarrying, isOtherUnit, putDown, sayWhyNotCarried, stopCarrying, takeUp } from "./carry.js";
import { chooseAmong } from "./choices.js";
import { inchesPerPixel, pointOf, scroll, shownBox, wholeBox, zoom } from "./map.js";
import { drawMarks } from "./marks.js";
import { sayHeld, showRemark } from "./messages.js";
import { optionsAt, optionsBelow, unitAt } from "./options.js";
import { pickPlace } from "./picking.js";
import { setMark } from "./places.js";
import { objectiveAt, sayWhyNot } from "./reasons.js";
import { measure } from "./ruler.js";
import { openCard } from "./sheet.js";
import { state, table } from "./state.js";
import { tapOptions, targetBelowFinger } from "./touch.js";
import { shownZone } from "./zones.js";

/** @import { Point } from "./state.js" */

const FINGER = 28;    // radius of a finger in pixels, for dragging
/** @type {Map<number, Point>} */
const fingers = new Map();
let wasDragged = false;          // true once a finger or the mouse has moved while down
let isDraggingMarker = false;    // true while a finger on the marker drags it; any other finger drags the map
let fingersApart = 0;            // pixels between two fingers when the map was last zoomed
/** What was under the pointer at the start of a drag. @type {EventTarget | null} */
let grabbed = null;

/** Drag the map or the marker, and choose on the map. */
export function listenForPointer() {
  table.addEventListener("pointerdown", startDrag);
  table.addEventListener("pointermove", drag);
  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(end, (event) => endDrag(/** @type {PointerEvent} */ (event)));
  }
  table.addEventListener("click", choose);
  table.addEventListener("contextmenu", openCardAt);
}

/** @param {PointerEvent} event */
function startDrag(event) {
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  wasDragged = false;
  grabbed = event.target;
  isDraggingMarker = state.mark !== null && Boolean(state.page.place) && isNear(pointOf(event), state.mark);
  takeUp(event);
  if (fingers.size === 2) { stopCarrying(); fingersApart = distanceOfFingers(); }
}

/** @param {PointerEvent} event */
function endDrag(event) {
  const wasDown = fingers.delete(event.pointerId);
  if (!wasDown || !isCarrying()) return;
  if (wasDragged && event.type === "pointerup") putDown(event, pointOf(event));
  else stopCarrying();
}

/**
 * Return true if a point is under a finger at another point.
 * @param {Point} point
 * @param {Point} other
 */
function isNear(point, other) {
  return Math.hypot(point[0] - other[0], point[1] - other[1]) < FINGER * inchesPerPixel();
}

/** Return the distance between two fingers in pixels. */
function distanceOfFingers() {
  const [a, b] = [...fingers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** @param {PointerEvent} event */
function drag(event) {
  const before = fingers.get(event.pointerId);
  if (!before) { if (state.ruler && state.ruler !== true) drawMarks(pointOf(event)); return; }
  /** @type {Point} */
  const here = [event.clientX, event.clientY];
  if (Math.hypot(here[0] - before[0], here[1] - before[1]) < 4 && !wasDragged) return;
  // a finger on a map that is nearer scrolls it, and often begins on a unit
  const isScroll = event.pointerType === "touch" && shownBox()[2] < wholeBox()[2];
  if (!wasDragged && !isCarrying() && fingers.size === 1 && !isScroll) sayWhyNotCarried(grabbed);
  wasDragged = true;
  if (fingers.size === 2) {
    fingers.set(event.pointerId, here);
    const apart = distanceOfFingers();
    if (Math.abs(apart - fingersApart) > 12) { zoom(apart > fingersApart ? "in" : "out", pointOf(event)); fingersApart = apart; }
    return;
  }
  if (isCarrying()) { carryTo(pointOf(event)); return; }
  if (state.page.place && !isOtherUnit(grabbed) && !state.replaying && !state.isHeld && !state.ruler && (event.pointerType !== "touch" || isDraggingMarker)) { setMark(pointOf(event)); return; }
  const scale = shownBox()[2] / table.getBoundingClientRect().width;
  scroll((before[0] - here[0]) * scale, (before[1] - here[1]) * scale);
  fingers.set(event.pointerId, here);
}

/** @param {MouseEvent} event */
function choose(event) {
  const isTouch = /** @type {PointerEvent} */ (event).pointerType === "touch";
  if (wasDragged) { wasDragged = false; return; }
  if (!state.tapped && state.ruler === null && !shownZone()) showRemark("");
  if (state.picking) { pickPlace(pointOf(event)); return; }
  if (state.ruler !== null) { measure(pointOf(event), closest(event.target, "[data-piece]")?.dataset.piece ?? ""); return; }
  if (state.replaying) return;
  if (state.isHeld) { sayHeld(); return; }
  if (state.page.place) { setMark(pointOf(event)); return; }
  const on = isTouch ? targetBelowFinger(event) : event.target;
  if (on === null) return;
  const numbers = on === event.target ? optionsBelow(event) : optionsAt(on);
  if (numbers.length && isTouch && numbers.join() !== state.tapped) { tapOptions(numbers); return; }
  const objective = objectiveAt(on);
  if (numbers.length) chooseAmong(numbers);
  else if (objective) showRemark(objective);
  else if (state.page.is_asked) sayWhyNot(on, unitAt(on));
  else openCard(unitAt(on));
}

/**
 * A long touch or a right click shows the card of a unit, even if the unit is an option.
 * @param {MouseEvent} event
 */
function openCardAt(event) {
  const unit = unitAt(event.target);
  if (!unit) return;
  event.preventDefault();
  fingers.clear();
  openCard(unit);
}
