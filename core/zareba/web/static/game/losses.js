// The marks of losses on the map: a cross, and next to it the number lost. They cover no labels if there is room.
import { all, first, svgElement } from "../common/dom.js";
import { labelBoxes, placeLabels } from "./labels.js";
import { inchesPerPixel } from "./map.js";
import { overlay, prefersStillness } from "./overlay.js";
import { table } from "./state.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { Edges } from "../common/labels.js" */
/** @import { Point } from "./state.js" */

const CROSS = 0.6;          // half the width of a cross, in its own units
const LEAST = 10, MOST = 18;    // its unit is an inch, but not less or more than so many pixels, as in playback.css
const LETTER = 1.2;         // size of the letters
const LINES = [0.4, 1.2, -0.4, 2.2, -1.4, 3.4, -2.6, 4.6, -3.8];    // below the middle of the cross; the lines of the words, best first
const SIDES = /** @type {const} */ (["right", "left"]);
const ASIDE = 0.9;          // from the middle of the cross to the words

/**
 * Mark a loss: a cross, and the number lost.
 * @param {{ piece: string, count: number }} lost
 * @param {Point | null} at where the piece is or was
 * @param {boolean} animate
 * @param {string} name of a unit that is no longer on the map
 */
export function drawLoss(lost, at, animate, name = "") {
  if (!at) return;
  const mark = svgElement("g", { transform: `translate(${at[0]} ${at[1]})`, class: "loss", "data-at": at.join(" ") });
  const inner = svgElement("g", {});
  inner.append(svgElement("path", { d: `M-${CROSS} -${CROSS}L${CROSS} ${CROSS}M${CROSS} -${CROSS}L-${CROSS} ${CROSS}` }));
  const count = lost.count ? "−" + lost.count : "", words = [count, name].filter(Boolean).join(" ");
  mark.append(inner);
  overlay.append(mark);
  if (words) {
    const text = svgElement("text", { "font-size": LETTER, "data-words": words, "data-count": count || words });
    const others = wordsOfLosses().map((one) => one.getBoundingClientRect());
    inner.append(text);
    placeWords(text, others, labelsOnScreen());
  }
  if (animate && !prefersStillness()) inner.animate([{ opacity: 0, transform: "translateY(-1.4px) scale(1.6)" }, { opacity: 1, transform: "none" }], { duration: 250, easing: "ease-in" });
}

/**
 * Return the boxes of the crosses on the map.
 * @returns {Edges[]}
 */
export function crosses() {
  const pixel = inchesPerPixel(), half = CROSS * Math.max(LEAST * pixel, Math.min(1, MOST * pixel));
  return all(".loss", overlay).map((one) => {
    const [x, y] = (one.dataset.at ?? "").split(" ").map(Number);
    return [x - half, y - half, x + half, y + half];
  });
}

/** Place the labels clear of the crosses, and the words of the losses clear of the labels. */
export function keepLossesClear() {
  if (!first(".loss", overlay)) return;
  placeLabels();
  placeWordsOfLosses();
}

/** Place the words of all losses again, because the labels have moved. */
export function placeWordsOfLosses() {
  const labels = labelsOnScreen();
  /** @type {DOMRect[]} */
  const others = [];
  for (const text of wordsOfLosses()) {
    placeWords(text, others, labels);
    others.push(text.getBoundingClientRect());
  }
}

const wordsOfLosses = () => all(".loss text", overlay);

/** Return the boxes of the labels of the map and of the crosses on the screen. */
function labelsOnScreen() {
  const map = table.getScreenCTM();
  if (!map) return [];
  return [...labelBoxes(), ...crosses()].map(([left, top, right, bottom]) => new DOMRect(map.e + left * map.a, map.f + top * map.d, (right - left) * map.a, (bottom - top) * map.d));
}

/**
 * Place the words of a loss next to its cross: on the map, clear of the words of other losses, and clear of labels if
 * there is room. Where units crowd, the number alone covers less.
 * @param {PageElement} text
 * @param {DOMRect[]} others
 * @param {DOMRect[]} labels
 */
function placeWords(text, others, labels) {
  const map = table.getBoundingClientRect(), { words = "", count = "" } = text.dataset;
  const spots = [...new Set([words, count])].flatMap((said) => LINES.flatMap((line) => SIDES.map((side) => ({ said, line, side }))));
  const put = (/** @type {typeof spots[0]} */ { said, line, side }) => {
    if (text.textContent !== said) text.textContent = said;
    text.setAttribute("x", String(side === "right" ? ASIDE : -ASIDE));
    text.setAttribute("y", String(line));
    text.setAttribute("class", "to-" + side);
  };
  let best = spots[0], least = Infinity;
  for (const spot of spots) {
    put(spot);
    const box = text.getBoundingClientRect();
    const isOnMap = box.left >= map.left && box.right <= map.right && box.top >= map.top && box.bottom <= map.bottom;
    if (!isOnMap || others.some((one) => commonArea(box, one) > 0)) continue;
    const covered = labels.reduce((sum, one) => sum + commonArea(box, one), 0);
    if (covered < least) [best, least] = [spot, covered];
    if (!covered) return;
  }
  put(best);
}

/**
 * Return the area that two boxes have in common.
 * @param {DOMRect} a
 * @param {DOMRect} b
 */
function commonArea(a, b) {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), along = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, across) * Math.max(0, along);
}
