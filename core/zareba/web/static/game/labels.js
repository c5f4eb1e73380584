// The labels of the game's map: the unit that acts and the units with options come first.
import { LabelLayer } from "../common/labels.js";
import { inchesPerPixel, wholeBox } from "./map.js";
import { crosses, placeWordsOfLosses } from "./losses.js";
import { drawMarks } from "./marks.js";
import { table } from "./state.js";

/** @import { PageElement } from "../common/dom.js" */

const layer = new LabelLayer(table);
let scale = 0;        // inches in a pixel when the labels were placed
let frame = 0;

/** Read the labels of the map again and place them. */
export function readLabels() {
  layer.read(rankOf);
  placeLabels();
}

/** Return the boxes of the labels that are shown, in inches, without the names of cells. */
export const labelBoxes = () => layer.shown;

/** Place the labels for the present zoom, clear of the crosses of losses. */
export function placeLabels() {
  const [left, top, width, depth] = wholeBox();
  scale = inchesPerPixel();
  table.style.setProperty("--pixel", scale.toFixed(5));    // for style sheets
  layer.place([left, top, left + width, top + depth], scale, crosses());
}

/** Place the labels and marks again before the next picture, if the map has another scale. */
export function followScale() {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => { if (Math.abs(inchesPerPixel() - scale) > scale / 500) { placeLabels(); drawMarks(); placeWordsOfLosses(); } });
}

/** Place the labels again when the map gets another size. */
export function listenForSize() {
  new ResizeObserver(followScale).observe(table);
}

/**
 * Return the rank of the tag of a unit.
 * @param {PageElement} tag
 */
function rankOf(tag) {
  if (tag.classList.contains("acting")) return 0;
  if (tag.classList.contains("can")) return 1;
  return tag.classList.contains("kind-leader") ? 2 : 3;
}
