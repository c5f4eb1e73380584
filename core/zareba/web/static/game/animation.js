// Motion on the map: pieces slide from one map to the next, volleys flash, losses fall. It uses the Web Animations API.
import { all, byId, first, fixedBox, svgElement } from "../common/dom.js";
import { overlay, prefersStillness } from "./overlay.js";
import { drawPieces } from "./pieces.js";
import { table } from "./state.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { Beat, Point, Shot } from "./state.js" */

/** Where an element of a piece is drawn: position, bearing in degrees, and scale.
 * @typedef {{ x: number, y: number, turn: number, scale: number }} Placement */

/** The elements of all pieces by key, with where they are drawn.
 * @typedef {Map<string, { element: PageElement, placement: Placement }[]>} Placements */

const RUN_TIME_SHARE = 0.5;     // a unit that runs away takes this share of the time of a move
const ZIGZAG = 0.8;             // inches between two turns of the zigzag behind a unit that runs away
const STILL = 0.02;             // inches; a smaller change of place is no motion
const TRANSFORM = /(translate|rotate|scale)\(([-\d.]+)(?:[ ,]+([-\d.]+))?\)/g;
/** The motions of pieces that run. @type {Set<Animation>} */
const motions = new Set();

/** Return where each piece stands on the map that is shown. */
export function currentPlacements() {
  /** @type {Placements} */
  const found = new Map();
  /** @type {(key: string, element: PageElement) => void} */
  const add = (key, element) => {
    const own = found.get(key) ?? [];
    own.push({ element, placement: placementOf(element) });
    found.set(key, own);
  };
  const pieces = byId("pieces");
  for (const one of all(".piece[data-piece], .tag[data-piece]", pieces)) {
    const kind = one.classList.contains("tag") ? "tag" : "piece";
    const body = first(":scope > .body, :scope > .anchored", one);    // the bases of a unit on a cell, or a tag
    if (body) add(`${kind} ${one.dataset.piece}`, body);
    else for (const figure of all("use", one)) add(`${figure.getAttribute("href")} ${one.dataset.piece}`, figure);
  }
  return found;
}

/**
 * @param {Element} element
 * @returns {Placement}
 */
function placementOf(element) {
  const placement = { x: 0, y: 0, turn: 0, scale: 1 };
  for (const [, kind, a, b] of (element.getAttribute("transform") ?? "").matchAll(TRANSFORM)) {
    if (kind === "translate") [placement.x, placement.y] = [Number(a), Number(b ?? 0)];
    else if (kind === "rotate") placement.turn = Number(a);
    else placement.scale = Number(a);
  }
  return placement;
}

/** @param {Placement} placement */
function transformOf({ x, y, turn, scale }) {
  return `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;
}

/**
 * Move an element of a piece.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
function move(element, frames, options) {
  const motion = element.animate(frames, options);
  motions.add(motion);
  motion.onfinish = motion.oncancel = () => motions.delete(motion);
}

/** End all motions: the pieces stand where they are drawn. */
export function endMotions() {
  for (const motion of motions) motion.cancel();
  motions.clear();
}

/**
 * Show the next map; pieces that have moved slide there, those that are gone fade, those that are new appear.
 * @param {string} pieces SVG
 * @param {number} duration in milliseconds; 0 shows the map at once
 * @param {Map<string, Point[]>} [paths] the points that pieces pass, by piece
 * @param {Set<string>} [runners] the units that run away: they move faster
 */
export function slideTo(pieces, duration, paths = new Map(), runners = new Set()) {
  const before = currentPlacements();
  endMotions();
  drawPieces(pieces);
  if (!duration || prefersStillness()) return;
  const options = { duration, easing: "ease-in-out" };
  for (const [key, now] of currentPlacements()) {
    const was = matchPlacements(before.get(key) ?? [], now);
    before.delete(key);
    now.forEach(({ element, placement }, place) => {
      const from = was[place];
      if (!from) { move(element, [{ opacity: 0 }, { opacity: 1 }], options); return; }
      const length = Math.hypot(placement.x - from.x, placement.y - from.y);
      if (length < STILL && placement.turn === from.turn) return;
      for (const line of all(":scope > .line", element)) move(line, [{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], options);    // names would cross other names
      const path = element.matches(".body") ? paths.get(element.closest(".piece")?.getAttribute("data-piece") ?? "") ?? [] : [];
      const turn = from.turn + ((((placement.turn - from.turn) % 360) + 540) % 360) - 180;    // the shorter way round
      const through = path.map(([x, y]) => ({ transform: transformOf({ ...from, x, y }) }));
      const runs = runners.has(element.closest("[data-unit]")?.getAttribute("data-unit") ?? "");
      move(element, [{ transform: transformOf(from) }, ...through, { transform: transformOf({ ...placement, turn }) }], runs ? { duration: duration * RUN_TIME_SHARE, easing: "ease-out" } : options);
    });
  }
  for (const [key, gone] of before) if (!key.startsWith("tag ")) for (const { element } of gone) fade(element, duration);
  for (const stalk of all(".stalk", byId("pieces"))) move(stalk, [{ opacity: 0 }, { opacity: 0 }, { opacity: 1 }], options);
}

/**
 * Return where each element stood before. If some are gone, each takes the nearest placement that is left.
 * @param {{ placement: Placement }[]} before
 * @param {{ placement: Placement }[]} now
 * @returns {(Placement | undefined)[]}
 */
function matchPlacements(before, now) {
  if (before.length === now.length) return before.map((one) => one.placement);
  const left = before.map((one) => one.placement);
  return now.map(({ placement }) => {
    let best = -1, least = Infinity;
    left.forEach((one, place) => {
      const length = Math.hypot(one.x - placement.x, one.y - placement.y);
      if (length < least) [best, least] = [place, length];
    });
    return best < 0 ? undefined : left.splice(best, 1)[0];
  });
}

/**
 * Let an element that is gone from the map fade away.
 * @param {Element} element
 * @param {number} duration
 */
function fade(element, duration) {
  const ghost = svgElement("g", { class: "gone " + (element.closest(".piece")?.getAttribute("class") ?? "") });
  ghost.append(element);
  overlay.append(ghost);
  ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration, fill: "forwards" }).finished.then(() => ghost.remove(), () => ghost.remove());
}

// --- where things are ----------------------------------------------------------------------------------------------------

/**
 * Return the middle of a piece, figure or unit; null if it is not on the map.
 * @param {string} piece
 * @returns {Point | null}
 */
export function placeOf(piece) {
  for (let name = piece; name; name = name.replace(/[./][^./]*$|^[^./]*$/, "")) {
    const escaped = CSS.escape(name);
    const middle = middleAmong(all(`.piece[data-piece="${escaped}"], .piece[data-unit="${escaped}"]`, byId("pieces")));
    if (middle) return middle;
  }
  return null;
}

/**
 * Return the middle of what some pieces are drawn with; null if nothing is drawn. Reading transforms avoids a
 * browser layout.
 * @param {Element[]} pieces
 * @returns {Point | null}
 */
export function middleAmong(pieces) {
  const placements = pieces.flatMap(drawnElements).map(placementOf);
  if (!placements.length) return null;
  const [xs, ys] = [placements.map(({ x }) => x), placements.map(({ y }) => y)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

/**
 * Return the elements that place a piece: its body on a cell, or its figures.
 * @param {Element} piece
 */
function drawnElements(piece) {
  const body = first(":scope > .body", piece);
  return body ? [body] : all("use", piece);
}

/**
 * Return the middle of a box or hex; null if there is none.
 * @param {number | null} cell
 * @returns {Point | null}
 */
export function placeOfCell(cell) {
  const found = cell === null ? null : first(`.cell[data-cell="${cell}"]`, table);
  if (!(found instanceof SVGGraphicsElement)) return null;
  const box = fixedBox(found);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/**
 * Return a function that tells whether two points are in the same box or hex. A unit that makes room there for another
 * one has not moved. On an open table the function always returns false.
 * @returns {(a: Point, b: Point) => boolean}
 */
export function sameCellCheck() {
  const middles = all(".cell[data-cell]", table).flatMap((cell) => placeOfCell(Number(cell.dataset.cell)) ?? []);
  /** @type {(point: Point) => number} */
  const nearest = ([x, y]) => {
    let best = -1, least = Infinity;
    for (let place = 0; place < middles.length; place += 2) {
      const length = Math.hypot(middles[place] - x, middles[place + 1] - y);
      if (length < least) [best, least] = [place, length];
    }
    return best;
  };
  return (a, b) => middles.length > 0 && nearest(a) === nearest(b);
}

// --- what is drawn over the map ------------------------------------------------------------------------------------------

/** Remove everything that was drawn over the map. */
export function clearOverlay() {
  overlay.replaceChildren();
}

/**
 * Draw a shot: a line to the target, a flash and smoke at the muzzle, and a puff where it hits.
 * @param {Shot} shot
 * @param {number} duration in milliseconds; 0 draws a mark that stays
 */
export function drawShot(shot, duration) {
  const from = placeOf(shot.from);
  const to = placeOf(shot.to) ?? placeOfCell(shot.cell) ?? shot.point;
  if (!from || !to) return;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 0.5) return;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const gap = Math.min(1, length / 4);
  const start = /** @type {Point} */ ([from[0] + dx * gap, from[1] + dy * gap]);
  const line = svgElement("path", { class: "shot", d: `M${start.join(" ")}L${to.join(" ")}`, pathLength: 1 });
  const drawn = svgElement("g", { class: duration ? "shooting" : "shot-before" });
  drawn.append(svgElement("path", { class: "shot-halo", d: `M${start.join(" ")}L${to.join(" ")}` }), line, svgElement("circle", { class: "struck", cx: to[0], cy: to[1], r: 0.55 }));
  overlay.append(drawn);
  if (!duration) return;
  const [across, along] = [-dy, dx];
  for (const side of [-0.9, 0, 0.9]) {
    const turn = Math.atan2(dx, -dy) * 180 / Math.PI;
    const at = `translate(${start[0] + across * side} ${start[1] + along * side})`;
    const smoke = svgElement("g", { transform: at });
    smoke.append(svgElement("use", { href: "#smoke", transform: `rotate(${turn})` }));
    const flash = svgElement("g", { transform: at });
    flash.append(svgElement("path", { class: "flash", d: "M0 -.9L.25 -.25L.9 0L.25 .25L0 .9L-.25 .25L-.9 0L-.25 -.25Z" }));
    drawn.append(smoke, flash);
    if (prefersStillness()) continue;
    const puff = /** @type {SVGElement} */ (smoke.firstElementChild), burst = /** @type {SVGElement} */ (flash.firstElementChild);
    burst.animate([{ opacity: 1, transform: "scale(.4)" }, { opacity: 1, transform: "scale(1.2)", offset: 0.5 }, { opacity: 0, transform: "scale(1.4)" }], { duration: Math.min(300, duration), fill: "forwards" });
    puff.animate([{ opacity: 0, scale: 0.5 }, { opacity: 1, scale: 1.1, offset: 0.3 }, { opacity: 0.6, scale: 1.5 }], { duration, fill: "forwards" });
  }
  if (prefersStillness()) return;
  line.animate([{ strokeDasharray: "1", strokeDashoffset: "1" }, { strokeDasharray: "1", strokeDashoffset: "0" }], { duration: Math.min(400, duration * 0.5), easing: "ease-out" });
}

/**
 * Draw crossed swords between two pieces in close combat.
 * @param {[string, string]} fight
 */
export function drawFight([one, other]) {
  const a = placeOf(one), b = placeOf(other);
  if (!a || !b) return;
  for (const earlier of all(".fight", overlay)) earlier.remove();
  const mark = svgElement("g", { transform: `translate(${(a[0] + b[0]) / 2} ${(a[1] + b[1]) / 2})`, class: "fight" });
  const swords = svgElement("g", {});
  swords.append(svgElement("use", { href: "#swords" }));
  mark.append(swords);
  overlay.append(mark);
  if (!prefersStillness()) swords.animate([{ transform: "scale(.3)" }, { transform: "scale(1.3)", offset: 0.6 }, { transform: "scale(1)" }], { duration: 300, easing: "ease-out" });
}

/**
 * Draw the path of a piece that has moved; a zigzag if it has fled.
 * @param {Point} from
 * @param {Point} to
 * @param {number | null} side
 * @param {boolean} fled
 */
export function drawTrail(from, to, side, fled) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 0.6) return;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const head = /** @type {Point} */ ([to[0] - dx * 0.5, to[1] - dy * 0.5]);
  const barb = (/** @type {number} */ sign) => `${head[0] - dx * 0.7 + sign * dy * 0.4} ${head[1] - dy * 0.7 - sign * dx * 0.4}`;
  const turns = fled ? Math.floor(length / ZIGZAG) : 0;
  const between = Array.from({ length: Math.max(0, turns - 1) }, (_, n) => {
    const [along, across] = [(n + 1) * length / turns, n % 2 ? -0.35 : 0.35];
    return `L${from[0] + dx * along - dy * across} ${from[1] + dy * along + dx * across}`;
  });
  const drawn = svgElement("g", { class: "trail" + (fled ? " ran" : "") + (side === null ? "" : " side-" + side) });
  drawn.append(svgElement("circle", { cx: from[0], cy: from[1], r: 0.3 }), svgElement("path", { d: `M${from.join(" ")}${between.join("")}L${head.join(" ")}M${barb(1)}L${head.join(" ")}L${barb(-1)}` }));
  overlay.append(drawn);
}

/**
 * Mark points of the map.
 * @param {Point[]} points
 */
export function drawPoints(points) {
  for (const [x, y] of points) overlay.append(svgElement("circle", { class: "pointed", cx: x, cy: y, r: 0.9 }));
}

/** Remove the marks of points. */
export function clearPoints() {
  for (const one of all(".pointed", overlay)) one.remove();
}

/**
 * Highlight the pieces that a beat is about.
 * @param {Beat | null} beat
 */
export function highlightActing(beat) {
  for (const one of all(".acts-now", byId("pieces"))) one.classList.remove("acts-now");
  for (const unit of beat?.units ?? []) {
    const name = CSS.escape(unit);
    for (const one of all(`.tag[data-unit="${name}"], .block[data-piece="${name}"]`, byId("pieces"))) one.classList.add("acts-now");
  }
}
