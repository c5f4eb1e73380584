// The marks on the map: suggested places, the marker, the ruler's tape, and the movement costs of cells.
import { byId, first, svgElement } from "../common/dom.js";
import { middleOf, shownBox, wholeBox } from "./map.js";
import { letters, state, table } from "./state.js";

/** @import { Point, PlaceQuestion } from "./state.js" */

/**
 * Draw all marks.
 * @param {Point} [end] the free end of the ruler
 */
export function drawMarks(end) {
  const { page, mark, picking, replaying, ruler } = state;
  const marks = byId("marks");
  marks.replaceChildren();
  if (ruler && ruler !== true && end) marks.append(tape(ruler, end));
  if (page.mine && !replaying && !picking) drawCosts(marks);
  if (picking && mark) marks.append(svgElement("circle", { class: "candidate", cx: mark[0], cy: mark[1], r: wholeBox()[2] / 80 }));
  if (!page.place || replaying || picking) return;
  drawSuggestions(marks, page.place);
  if (!mark) return;
  const from = middleOf(page.acting);
  if (from) marks.append(...lineWithLength(from, mark));
  marks.append(svgElement("circle", { class: state.ruling.refused ? "candidate refused" : "candidate", cx: mark[0], cy: mark[1], r: shownBox()[2] / (letters ? 40 : 80) }));
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
  const width = shownBox()[2];
  const size = letters ? 1.7 : 1;    // on a phone as large as the tags
  place.suggestions.forEach(([x, y], number) => {
    const spot = svgElement("g", { class: "suggestion can", role: "button", tabindex: "0", "aria-label": "go to place " + (number + 1), "data-option": number, transform: `translate(${x} ${place.depth - y})` });
    spot.append(svgElement("circle", { r: size * width / 75 }), svgElement("text", { y: size * width / 190, "font-size": size * width / 70 }, String(number + 1)));
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
  const length = Math.hypot(a[0] - b[0], a[1] - b[1]) / scale;
  return [
    tape(a, b),
    svgElement("text", { class: "tape-length", x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 - 0.4, "font-size": shownBox()[2] / 40 }, [length.toFixed(1) + unit, state.ruling.cost].filter(Boolean).join(", ")),
  ];
}

/**
 * Show the movement cost at the bottom of each cell.
 * @param {Element} marks
 */
function drawCosts(marks) {
  const told = new Set();
  for (const aim of state.page.aims) {
    const cell = aim.cost && !told.has(aim.cell) && first(`.cell[data-cell="${aim.cell}"]`, table);
    if (!(cell instanceof SVGGraphicsElement)) continue;
    told.add(aim.cell);
    const box = cell.getBBox();
    marks.append(svgElement("text", { class: "tape-length", x: box.x + box.width / 2, y: box.y + box.height * 0.96, "font-size": box.height / 8 }, aim.cost));
  }
}
