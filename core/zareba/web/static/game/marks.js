// The marks on the map: suggested places, the marker, the ruler's tape, and the movement costs of cells.
import { byId, first, fixedBox, svgElement } from "../common/dom.js";
import { inchesPerPixel, middleOf, shownBox } from "./map.js";
import { isAsked, state, table } from "./state.js";

/** @import { Point, PlaceQuestion } from "./state.js" */

const MARK = 10;          // radius of the marker in pixels
const SUGGESTION = 13;    // radius of a suggested place
const LENGTH_SIZE = 15;    // letters of the length in pixels
const LETTER_WIDTH = 0.62;    // of bold letters, as a share of their size

/**
 * Draw all marks.
 * @param {Point} [end] the free end of the ruler
 */
export function drawMarks(end) {
  const { page, mark, picking, replaying, ruler } = state;
  const marks = byId("marks");
  marks.replaceChildren();
  if (ruler && ruler !== true && end) marks.append(tape(ruler, end));
  if (picking && mark) marks.append(svgElement("circle", { class: "candidate", cx: mark[0], cy: mark[1], r: MARK * inchesPerPixel() }));
  if (!page.place || replaying || picking || state.isHeld) return;
  drawSuggestions(marks, page.place);
  if (!mark) return;
  const from = middleOf(page.acting);
  if (from) marks.append(...lineWithLength(from, mark));
  marks.append(svgElement("circle", { class: state.ruling.refused ? "candidate refused" : "candidate", cx: mark[0], cy: mark[1], r: MARK * inchesPerPixel() }));
}

/**
 * @param {Point} a
 * @param {Point} b
 */
export function tape(a, b) {
  return svgElement("path", { class: "tape", d: `M${a[0]} ${a[1]}L${b[0]} ${b[1]}` });
}

/**
 * @param {Element} marks
 * @param {PlaceQuestion} place
 */
function drawSuggestions(marks, place) {
  const scale = inchesPerPixel();
  place.suggestions.forEach(([x, y], number) => {
    const spot = svgElement("g", { class: "suggestion can", role: "button", tabindex: "0", "aria-label": "go to place " + (number + 1), "data-option": number, transform: `translate(${x} ${place.depth - y})` });
    spot.append(svgElement("circle", { r: SUGGESTION * scale }), svgElement("text", { y: 5 * scale, "font-size": 14 * scale }, String(number + 1)));
    marks.append(spot);
  });
}

/**
 * @param {Point} a
 * @param {Point} b
 */
function lineWithLength(a, b) {
  const { place } = state.page;
  const scale = place ? place.scale : 1;
  const unit = place && place.unit !== "inches" ? " " + place.unit : '"';
  const length = (Math.hypot(a[0] - b[0], a[1] - b[1]) / scale).toFixed(1) + unit;
  const letter = LETTER_WIDTH * LENGTH_SIZE * inchesPerPixel(), [left, , width] = shownBox();
  const withCost = [length, state.ruling.cost].filter(Boolean).join(", ");
  const words = withCost.length * letter < width ? withCost : length;    // the panel has the cost too
  const middle = left + width / 2, room = Math.max(0, (width - words.length * letter) / 2);
  const x = Math.min(Math.max((a[0] + b[0]) / 2, middle - room), middle + room);
  return [tape(a, b), svgElement("text", { class: "tape-length", x, y: (a[1] + b[1]) / 2 - 0.4, "font-size": LENGTH_SIZE * inchesPerPixel() }, words)];
}

/** Write the movement cost at the bottom of each cell. */
export function drawCosts() {
  const told = new Set(), costs = byId("costs");
  costs.replaceChildren();
  if (!isAsked() || state.replaying) return;
  for (const target of state.page.targets) {
    const cell = target.cost && !told.has(target.cell) && first(`.cell[data-cell="${target.cell}"]`, table);
    if (!(cell instanceof SVGGraphicsElement)) continue;
    told.add(target.cell);
    const box = fixedBox(cell), x = box.x + box.width / 2;
    const label = svgElement("g", { class: "cost label absent", "data-spots": `${x},${box.y + box.height * 0.97},n;${x},${box.y + box.height * 0.06},s` });
    const anchored = svgElement("g", { class: "anchored" });
    anchored.append(svgElement("text", { "font-size": 11.5 }, target.cost));
    label.append(anchored);
    costs.append(label);
  }
}
