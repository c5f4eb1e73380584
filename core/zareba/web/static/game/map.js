// The view of the map: zoom and scroll.
import { first } from "../common/dom.js";
import { unlight } from "./highlight.js";
import { followScale } from "./labels.js";
import { matching } from "./options.js";
import { table } from "./state.js";

/** @import { Box, Point } from "./state.js" */

const NEAREST = 6;    // width of the view in inches at the largest zoom

/** @type {Box} */
let whole = [0, 0, 60, 48];
/** @type {Box} */
let view = [0, 0, 60, 48];

/** The size of the map in pixels; 0 before it is known. */
let size = { width: 0, height: 0 };

/** Return the part of the map that is shown. */
export const shownBox = () => view;

/** Return the whole map. */
export const wholeBox = () => whole;

/** @param {Box} box */
export function setWholeBox(box) {
  whole = box;
}

/**
 * Show a part of the map.
 * @param {Box} box
 */
export function showBox(box) {
  view = /** @type {Box} */ (box.slice());
  table.setAttribute("viewBox", view.join(" "));
  followScale();
}

/** Show the whole map. */
export function showAll() {
  showBox(whole);
}

/**
 * Zoom in or out, or show the whole map.
 * @param {string} how "in", "out" or "all"
 * @param {Point} [at] the point that stays where it is; the centre by default
 */
export function zoom(how, at) {
  if (how === "all") { showAll(); return; }
  const by = how === "in" ? 0.75 : 1 / 0.75;
  const centre = at || [view[0] + view[2] / 2, view[1] + view[3] / 2];
  const width = Math.min(whole[2], Math.max(NEAREST, view[2] * by));
  const ratio = width / view[2];
  showBox(inside([centre[0] - (centre[0] - view[0]) * ratio, centre[1] - (centre[1] - view[1]) * ratio, width, view[3] * ratio]));
}

/**
 * Scroll the map.
 * @param {number} dx in inches
 * @param {number} dy in inches
 */
export function scroll(dx, dy) {
  showBox(inside([view[0] + dx, view[1] + dy, view[2], view[3]]));
}

/**
 * Zoom in at a point; return false if the zoom is already the largest.
 * @param {Point} at
 * @param {number} share the width of the new view as a share of the width now
 */
export function zoomTo(at, share) {
  if (view[2] <= NEAREST) return false;
  const width = Math.max(NEAREST, view[2] * Math.min(0.5, share));
  const depth = width * view[3] / view[2];
  showBox(inside([at[0] - width / 2, at[1] - depth / 2, width, depth]));
  return true;
}

/**
 * Return a part of the map, moved inside its edges.
 * @param {Box} box
 * @returns {Box}
 */
function inside(box) {
  const [left, top, width, depth] = whole;
  return [Math.min(Math.max(box[0], left), left + width - box[2]), Math.min(Math.max(box[1], top), top + depth - box[3]), box[2], box[3]];
}

/** Return the number of inches on the map that one pixel of the screen shows. It does not ask the browser, which would
 * lay the page out each time. */
export function inchesPerPixel() {
  if (!size.width || !size.height) return table.getScreenCTM()?.inverse().a ?? 1;
  return Math.max(view[2] / size.width, view[3] / size.height);
}

/**
 * Return the point of the map at a point of the screen.
 * @param {{ clientX: number, clientY: number }} event
 * @returns {Point}
 */
export function pointOf(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(table.getScreenCTM()?.inverse());
  return [point.x, point.y];
}

/**
 * Show a piece in the middle of the map, and highlight it.
 * @param {string} piece
 */
export function showPiece(piece) {
  const name = CSS.escape(piece);
  const found = first(`.tag[data-unit="${name}"], [data-piece="${name}"]`, table);
  if (!found) return;
  unlight(table);
  for (const one of matching({ pieces: [piece] })) one.classList.add("lit");
  const box = found.getBoundingClientRect();
  const at = pointOf({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 });
  const width = Math.min(view[2], whole[2] / 2);
  const depth = width * whole[3] / whole[2];
  showBox(inside([at[0] - width / 2, at[1] - depth / 2, width, depth]));
  table.scrollIntoView({ block: "nearest" });
}

/**
 * Return the middle of a piece on the map; null if it is not there.
 * @param {string} piece
 * @returns {Point | null}
 */
export function middleOf(piece) {
  const name = piece && CSS.escape(piece);
  const found = name && first(`.piece[data-unit="${name}"], .piece[data-piece="${name}"]`, table);
  if (!(found instanceof SVGGraphicsElement)) return null;
  const box = found.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Zoom with the mouse wheel, and follow the size of the map. */
export function listenForZoom() {
  new ResizeObserver(([{ contentRect }]) => {
    size = contentRect;
    // A browser lays a drawing without a size in pixels out again whenever something around it changes.
    table.style.width = size.width + "px";
    table.style.height = size.height + "px";
  }).observe(/** @type {Element} */ (table.parentElement));
  table.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? "in" : "out", pointOf(event));
  }, { passive: false });
}
