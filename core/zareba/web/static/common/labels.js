// The labels of a map: tags of units and names. They have the same size on the screen at every zoom, cover neither
// figures nor each other, and become fewer when there is less room. The Python package `zareba.picture` does the same
// for a picture that no browser shows.
import { all, first, svgElement } from "./dom.js";

/** @import { PageElement } from "./dom.js" */

/** The left, upper, right and lower edge of a box, in inches; y grows downwards.
 * @typedef {[number, number, number, number]} Edges */

/** A point and the side of it on which a label may lie: "n", "ne" and so on, or "c" for centred.
 * @typedef {{ x: number, y: number, side: string }} Spot */

/** The extent of a label from its anchor, in CSS pixels: to both sides, up and down.
 * @typedef {{ half: number, up: number, down: number }} Size */

/** A label to place. Its sizes begin with the one that shows most.
 * @typedef {object} Label
 * @property {PageElement} element
 * @property {PageElement} anchored the group that has the transform
 * @property {number} rank labels of a lower rank are placed first
 * @property {Size[]} sizes
 * @property {PageElement[]} lines the lines below a plate, which show only if there is room
 * @property {Plate | null} plate the plate of a tag that can become narrower
 * @property {Spot[]} spots where a name may be
 * @property {Edges | null} box the box of the unit of a tag
 * @property {Cell | null} cell the cell of the unit of a tag; null on an open table
 * @property {boolean} below true if the tag is rather below its unit */

/** The middle of a box or hex and half its width, in inches. @typedef {[number, number, number]} Cell */

/** The plate of a tag. Where units crowd, it becomes narrower: the sign of the arm shrinks, then the badge is left out,
 * and at last all but the key.
 * @typedef {object} Plate
 * @property {PageElement} shape
 * @property {PageElement | null} sign the sign of the arm, between key and count
 * @property {string} signAt where the sign is on the whole plate
 * @property {PageElement[]} badge the disc and its letter
 * @property {PageElement | null} key
 * @property {PageElement | null} count
 * @property {number} half half the width of the whole plate in CSS pixels
 * @property {number[]} narrow the same for the narrower ones, widest first */

/** Where a label is: its anchor in inches, the number of its size, and whether a line connects it to its unit.
 * @typedef {{ x: number, y: number, detail: number, isTied: boolean }} Place */

const TILE = 4;             // width in inches of the tiles by which taken places are found
const RINGS = 3;            // the number of distances at which the tag of a unit is tried
const RINGS_OF_FIRST = 16;  // the same for units that must have a tag
const WIDER = 1.2;          // a label that is so much wider than its plate has the plate in its middle
const GAP = 1.5;            // pixels between a label and anything else
const PLATE = 8.7;          // half the height of a plate
const LINE = 12.5;          // the height of a line below a plate
const NAME = 11.5;          // the size of the letters of names
const HALO = 3;             // the width that the halo of its letters adds to a name
const LETTER = 12;          // the size of the letters on plates
const BADGE = 1.1, MARGIN = 0.22, SIGN = 0.75, KEY_MARGIN = 0.3;    // widths on a narrow plate, as shares of its letters
const SMALL = 0.62;         // the size of the sign on a narrow plate, as a share of that on a whole one
const NEARER = 1.2;         // a fuller plate may be so many times as far from its unit as a narrow one
const STEPS = 4;            // a tag is tried at so many places on each side of the middle of its cell
const AROUND = ["n", "s", "e", "w", "ne", "nw", "se", "sw"];
const BELOW_FIRST = ["s", "n", "e", "w", "se", "sw", "ne", "nw"];

const OBJECTIVE = 5, CELL = 7;
/** The ranks of names; tags have the ranks 0 to 3. @type {[string, number][]} */
const NAME_RANKS = [["cost", 4], ["aim-name", OBJECTIVE], ["ground-name", 6], ["cell-name", CELL]];

/** The drawings that are no figures and that a label may cover. */
const COVERABLE = /^#(dropped|smoke|star|lying|wounded|out)$/;

const pencil = document.createElement("canvas").getContext("2d");
/** @type {Map<string, string>} */
const fonts = new Map();
/** @type {Map<string, number>} */
const widths = new Map();

/**
 * Return the width of the text of an element in pixels.
 * @param {PageElement} element
 */
function widthOf(element) {
  const kind = (element.closest(".label")?.getAttribute("class") ?? "").split(" ")[0] + " " + (element.getAttribute("class") ?? "").replace(" absent", "");
  let font = fonts.get(kind);
  if (font === undefined) {
    const style = getComputedStyle(element);
    font = `${style.fontStyle} ${style.fontWeight} ${NAME}px ${style.fontFamily}`;
    fonts.set(kind, font);
  }
  const words = element.textContent ?? "", key = font + "\n" + words;
  let width = widths.get(key);
  if (width === undefined) {
    if (pencil) pencil.font = font;
    width = (pencil?.measureText(words).width ?? words.length * 7) + HALO;
    widths.set(key, width);
  }
  return width;
}

/**
 * Return the width of the key or count on a plate in pixels; 0 without one.
 * @param {PageElement | null} element
 */
function widthOnPlate(element) {
  return element ? (widthOf(element) - HALO) * LETTER / NAME : 0;
}

/** The labels of a map. Read them again when their elements have changed. */
export class LabelLayer {
  /** @type {Label[]} */
  labels = [];
  /** What labels must not cover. @type {Edges[]} */
  figures = [];
  /** The boxes of the labels that are shown, in inches, without the names of cells. @type {Edges[]} */
  shown = [];

  /** @param {SVGSVGElement} map */
  constructor(map) {
    this.map = map;
  }

  /**
   * Read the labels and figures of the map.
   * @param {(tag: PageElement) => number} rankOf the rank of the tag of a unit, from 0 to 3
   */
  read(rankOf) {
    this.figures = [...all(".piece:not(.block) use", this.map).flatMap(figureBox), ...all("[data-taken]", this.map).map((one) => numbersIn(one.dataset.taken))];
    this.labels = all(".label", this.map).map((one) => labelOf(one, rankOf));
    for (const { box, element } of this.labels) if (box && element.dataset.below) this.figures.push(box);
    this.labels.sort((a, b) => a.rank - b.rank);
  }

  /**
   * Place all labels.
   * @param {Edges} edges the whole map
   * @param {number} scale inches in a pixel
   * @param {Edges[]} others boxes that labels must not cover either
   */
  place(edges, scale = this.map.getScreenCTM()?.inverse().a ?? 0, others = []) {
    if (!Number.isFinite(scale) || scale <= 0 || !this.labels.length) return;
    for (const old of all(".stalk", this.map)) old.remove();
    this.shown = [];
    /** @type {(label: Label, place: Place | null) => void} */
    const show = (label, place) => {
      draw(label, place, scale);
      if (place && label.rank < CELL) this.shown.push(boxAround(place.x, place.y, label.sizes[place.detail], scale));
    };
    const tags = this.labels.filter((label) => label.box), names = this.labels.filter((label) => !label.box);
    const start = new Room(edges, [...this.figures, ...others], tags.flatMap((tag) => tag.cell ? [tag.cell] : []));
    const isObjective = (/** @type {Label} */ label) => label.rank === OBJECTIVE;    // few, and their places are fixed
    for (const name of names.filter(isObjective)) show(name, firstPlace(name, 0, start, scale));
    const [room, places] = placeTags(tags, start, scale);
    const plates = tags.map((tag, number) => withDetails(tag, places[number], room, scale, tag.lines.length));    // whole plates come before names
    tags.forEach((tag, number) => show(tag, withDetails(tag, plates[number], room, scale, 0)));
    for (const name of names) if (!isObjective(name)) show(name, firstPlace(name, 0, room, scale));
  }
}

/**
 * Place tags with as many details as let all of them appear next to their units; otherwise the narrowest plates. Those
 * that fit into the cells of their units come first then, because the others take room where there is some left.
 * @param {Label[]} tags
 * @param {Room} room
 * @param {number} scale inches in a pixel
 * @returns {[Room, (Place | null)[]]}
 */
function placeTags(tags, room, scale) {
  const most = Math.max(1, ...tags.map((tag) => tag.sizes.length));
  for (let detail = 0; detail < most - 1; detail++) {
    const trial = room.copy();
    const places = tags.map((tag) => firstPlace(tag, Math.min(detail, tag.sizes.length - 1), trial, scale));
    if (places.every((place) => place && !place.isTied)) return [trial, places];
  }
  const near = tags.map((tag) => tag.cell && firstPlace(tag, tag.sizes.length - 1, room, scale, 0));
  return [room, tags.map((tag, number) => near[number] ?? firstPlace(tag, tag.sizes.length - 1, room, scale))];
}

/**
 * Take the first free place for a label.
 * @param {Label} label
 * @param {number} detail
 * @param {Room} room
 * @param {number} scale
 * @param {number} rings the number of distances at which a tag is tried; 0 tries only the cell of its unit
 * @returns {Place | null}
 */
function firstPlace(label, detail, room, scale, rings = label.rank <= 1 ? RINGS_OF_FIRST : RINGS) {
  const size = label.sizes[detail];
  for (const { spot, isTied } of candidates(label, size, scale, rings, room.cells)) {
    const [x, y] = anchor(spot, size, scale), box = boxAround(x, y, size, scale);
    if (room.isFree(box)) { room.take(box); return { x, y, detail, isTied }; }
  }
  return null;
}

/**
 * Return a place of a label, next to its unit if possible, with as many details as there is room for.
 * @param {Label} label
 * @param {Place | null} place
 * @param {Room} room
 * @param {number} scale
 * @param {number} fullest the number of the size with the most details
 */
function withDetails(label, place, room, scale, fullest) {
  if (!place || place.detail <= fullest) return place;
  const box = boxAround(place.x, place.y, label.sizes[place.detail], scale);
  room.release(box);
  const most = isNarrow(label, place.detail) ? NEARER * distance(label, place) : Infinity;
  for (let detail = fullest; detail < place.detail; detail++) {
    const better = firstPlace(label, detail, room, scale, 1);
    if (!better) continue;
    if (!better.isTied && distance(label, better) <= most) return better;
    room.release(boxAround(better.x, better.y, label.sizes[detail], scale));
  }
  room.take(box);
  return place;
}

/**
 * Return true if a tag of some detail has a plate that leaves something out.
 * @param {Label} label
 * @param {number} detail
 */
function isNarrow(label, detail) {
  return detail > label.lines.length;
}

/**
 * Return how far a tag is from the middle of its unit, in inches.
 * @param {Label} label
 * @param {Place} place
 */
function distance(label, place) {
  const [left, top, right, bottom] = label.box ?? [place.x, place.y, place.x, place.y];
  return Math.hypot(place.x - (left + right) / 2, place.y - (top + bottom) / 2);
}

/** A spot of a label that may be free; a line connects the label there to its unit if `isTied`.
 * @typedef {{ spot: Spot, isTied: boolean }} Candidate */

/**
 * The spots of a label, best first. The tag of a unit on a cell is rather in this cell than in an empty one, and rather
 * there than in the cell of other units.
 * @param {Label} label
 * @param {Size} size
 * @param {number} scale
 * @param {number} rings
 * @param {Cell[]} cells those with units
 * @returns {Iterable<Candidate>}
 */
function* candidates(label, size, scale, rings, cells) {
  for (const spot of label.spots) yield { spot, isTied: false };
  const { box, cell } = label;
  if (!box) return;
  if (!cell) { yield* spotsAround(label, box, size, scale, rings); return; }
  /** @type {Candidate[]} */ const own = [];
  /** @type {Candidate[]} */ const free = [];
  /** @type {Candidate[]} */ const taken = [];
  for (const one of spotsAround(label, box, size, scale, Math.max(rings, 1))) {
    const [x, y] = anchor(one.spot, size, scale);
    if (isInCell(x, y, cell)) (one.isTied ? free : own).push(one);
    else if (cells.some((other) => isInCell(x, y, other))) taken.push({ spot: one.spot, isTied: true });
    else free.push(one);
  }
  yield* own;
  yield* spotsInCell(box, cell, size, scale);
  if (!rings) return;
  yield* free;
  yield* taken;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {Cell} cell
 */
function isInCell(x, y, [middle, centre, reach]) {
  return Math.hypot(x - middle, y - centre) < reach;
}

/**
 * The spots all over a cell, nearest to a unit first.
 * @param {Edges} box the box of the unit
 * @param {Cell} cell
 * @param {Size} size
 * @param {number} scale
 * @returns {Candidate[]}
 */
function spotsInCell([left, top, right, bottom], [middle, centre, reach], size, scale) {
  /** @type {(Candidate & { gap: number })[]} */
  const found = [];
  for (let column = -STEPS; column <= STEPS; column++) {
    for (let row = -STEPS; row <= STEPS; row++) {
      const x = middle + column * reach / STEPS, y = centre + row * reach / STEPS;
      if (!isInCell(x, y, [middle, centre, reach])) continue;
      const edges = boxAround(x, y, size, scale);
      const gap = Math.hypot(Math.max(left - edges[2], edges[0] - right, 0), Math.max(top - edges[3], edges[1] - bottom, 0));
      found.push({ spot: { x, y, side: "c" }, isTied: gap > size.up * scale, gap });
    }
  }
  return found.sort((a, b) => a.gap - b.gap);
}

/**
 * The spots around a unit, nearest first.
 * @param {Label} label
 * @param {Edges} box the box of the unit
 * @param {Size} size
 * @param {number} scale
 * @param {number} rings
 * @returns {Iterable<Candidate>}
 */
function* spotsAround(label, [left, top, right, bottom], size, scale, rings) {
  const step = 1.5 * (size.up + size.down) * scale;
  const isWide = size.half > WIDER * label.sizes[label.lines.length].half;
  for (let ring = 0; ring < rings; ring++) {
    for (const side of label.below ? BELOW_FIRST : AROUND) {
      if (isWide && side.length === 1 && "ew".includes(side)) continue;    // its plate would stand far from the unit
      const x = side.includes("w") ? left - ring * step : side.includes("e") ? right + ring * step : (left + right) / 2;
      const y = side.includes("n") ? top - ring * step : side.includes("s") ? bottom + ring * step : (top + bottom) / 2;
      yield { spot: { x, y, side: isWide ? side[0] : side }, isTied: ring > 0 };
    }
  }
}

/**
 * Return the anchor of a label that lies on one side of a point.
 * @param {Spot} spot
 * @param {Size} size
 * @param {number} scale
 * @returns {[number, number]}
 */
function anchor({ x, y, side }, size, scale) {
  const across = side.includes("e") ? size.half + GAP : side.includes("w") ? -size.half - GAP : 0;
  const along = side.includes("n") ? -size.down - GAP : side.includes("s") ? size.up + GAP : (size.up - size.down) / 2;
  return [x + across * scale, y + along * scale];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {Size} size
 * @param {number} scale
 * @returns {Edges}
 */
function boxAround(x, y, size, scale) {
  return [x - size.half * scale, y - size.up * scale, x + size.half * scale, y + size.down * scale];
}

/** The boxes that are taken on a map. */
class Room {
  /**
   * @param {Edges} edges the whole map
   * @param {Edges[]} taken
   * @param {Cell[]} cells those with units
   */
  constructor(edges, taken, cells) {
    this.edges = edges;
    this.cells = cells;
    /** @type {Map<number, Edges[]>} */
    this.tiles = new Map();
    for (const box of taken) this.take(box);
  }

  /** Return a room with the same boxes taken. */
  copy() {
    const made = new Room(this.edges, [], this.cells);
    for (const [tile, boxes] of this.tiles) made.tiles.set(tile, boxes.slice());
    return made;
  }

  /** @param {Edges} box */
  take(box) {
    for (const tile of tilesOf(box)) {
      const boxes = this.tiles.get(tile);
      if (boxes) boxes.push(box); else this.tiles.set(tile, [box]);
    }
  }

  /**
   * Give a taken box back.
   * @param {Edges} box
   */
  release(box) {
    for (const tile of tilesOf(box)) this.tiles.set(tile, (this.tiles.get(tile) ?? []).filter((one) => one.join() !== box.join()));
  }

  /** @param {Edges} box */
  isFree(box) {
    const { edges } = this;
    if (box[0] < edges[0] || box[1] < edges[1] || box[2] > edges[2] || box[3] > edges[3]) return false;
    for (const tile of tilesOf(box)) {
      for (const other of this.tiles.get(tile) ?? []) {
        if (box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]) return false;
      }
    }
    return true;
  }
}

/** @param {Edges} box */
function* tilesOf(box) {
  for (let column = Math.floor(box[0] / TILE); column <= Math.floor(box[2] / TILE); column++) {
    for (let row = Math.floor(box[1] / TILE); row <= Math.floor(box[3] / TILE); row++) yield column * 1000 + row;
  }
}

/**
 * Return the label of an element.
 * @param {PageElement} element
 * @param {(tag: PageElement) => number} rankOf
 * @returns {Label}
 */
function labelOf(element, rankOf) {
  const anchored = /** @type {PageElement} */ (first(".anchored", element));
  if (element.dataset.box) {
    const half = Number(element.dataset.half), lines = all(".line", element);
    const sizes = [{ half, up: PLATE, down: PLATE }];
    for (const line of lines) sizes.unshift({ half: Math.max(sizes[0].half, widthOf(line) / 2), up: PLATE, down: sizes[0].down + LINE });
    const plate = plateOf(anchored, half);
    for (const narrow of plate?.narrow ?? []) sizes.push({ half: narrow, up: PLATE, down: PLATE });
    return { element, anchored, rank: rankOf(element), sizes, lines, plate, spots: [], box: numbersIn(element.dataset.box), cell: cellIn(element.dataset.cellOf), below: Boolean(element.dataset.below) };
  }
  const words = first("text", element);
  const size = { half: words ? widthOf(words) / 2 : 0, up: NAME * 0.9, down: NAME * 0.3 };
  const rank = NAME_RANKS.find(([kind]) => element.classList.contains(kind))?.[1] ?? CELL;
  return { element, anchored, rank, sizes: [size], lines: [], plate: null, spots: spotsIn(element.dataset.spots ?? ""), box: null, cell: null, below: false };
}

/**
 * Return the plate of a tag; null if nothing can be left out.
 * @param {PageElement} anchored
 * @param {number} half
 * @returns {Plate | null}
 */
function plateOf(anchored, half) {
  const shape = first(".plate", anchored), count = first(".count", anchored), key = first(".key", anchored);
  if (!shape || !key) return null;
  const badge = all(":scope > :is(.badge, .badge-letter)", anchored);
  const sign = first(":scope > use", anchored);
  const bare = (widthOnPlate(key) + widthOnPlate(count) + LETTER * (2 * MARGIN + SIGN)) / 2;
  const narrow = [...(badge.length ? [bare + LETTER * BADGE / 2] : []), bare, widthOnPlate(key) / 2 + LETTER * KEY_MARGIN];
  if (sign && !sign.dataset.at) sign.dataset.at = sign.getAttribute("transform") ?? "";
  return { shape, sign, signAt: sign?.dataset.at ?? "", badge, key, count, half, narrow };
}

/**
 * Draw a plate whole, or narrower: with a small sign, and perhaps without its badge.
 * @param {Plate} plate
 * @param {number} narrowness 0 for the whole plate
 */
function drawPlate({ shape, sign, signAt, badge, key, count, half, narrow }, narrowness) {
  const width = narrowness ? narrow[narrowness - 1] : half, isKeyOnly = narrowness === narrow.length;
  const hasBadge = badge.length > 0 && narrowness < narrow.length - 1;
  const left = -width + (hasBadge ? LETTER * BADGE : 0), margin = LETTER * (isKeyOnly ? KEY_MARGIN : narrowness ? MARGIN : 0.3);
  for (const part of [sign, count]) part?.classList.toggle("absent", isKeyOnly);
  setIfNew(shape, "transform", narrowness ? `scale(${(width / half).toFixed(4)} 1)` : "");
  const middle = left + margin + widthOnPlate(key) + LETTER * SIGN / 2;
  setIfNew(sign, "transform", narrowness ? `translate(${middle.toFixed(2)} 0) scale(${LETTER * SMALL})` : signAt);
  for (const part of badge) {
    part.classList.toggle("absent", !hasBadge && narrowness > 0);
    setIfNew(part, part.matches("text") ? "x" : "cx", (-width + LETTER * (narrowness ? 0.65 : 0.75)).toFixed(2));
  }
  setIfNew(key, "x", (left + margin).toFixed(2));
  setIfNew(count, "x", (width - margin).toFixed(2));
}

/**
 * Set an attribute, unless it has this value: browsers lay a drawing out again even if the value is the same.
 * @param {Element | null} element
 * @param {string} name
 * @param {string} value
 */
function setIfNew(element, name, value) {
  if (element && (element.getAttribute(name) ?? "") !== value) element.setAttribute(name, value);
}

/**
 * Show a label at its place; without one, hide it.
 * @param {Label} label
 * @param {Place | null} place
 * @param {number} scale
 */
function draw(label, place, scale) {
  label.element.classList.toggle("absent", !place);
  if (!place) return;
  setIfNew(label.anchored, "transform", `translate(${place.x.toFixed(2)} ${place.y.toFixed(2)}) scale(${scale.toFixed(5)})`);
  if (label.plate) drawPlate(label.plate, Math.max(0, place.detail - label.lines.length));
  label.lines.forEach((line, number) => line.classList.toggle("absent", label.lines.length - 1 - number < place.detail));
  if (place.isTied && label.box) {
    const x = (label.box[0] + label.box[2]) / 2, y = (label.box[1] + label.box[3]) / 2;
    label.element.prepend(svgElement("path", { class: "stalk", d: `M${x} ${y}L${place.x} ${place.y}` }));
  }
}

/** The box of each symbol around its own origin, by the link to the symbol. @type {Map<string, DOMRect>} */
const symbols = new Map();

/**
 * Return the box of a figure on an open table, from the symbol that draws it.
 * @param {PageElement} use
 * @returns {Edges[]}
 */
function figureBox(use) {
  const href = use.getAttribute("href") ?? "";
  const found = /translate\(([-\d.]+) ([-\d.]+)\)(?: rotate\(([-\d.]+)\))?(?: scale\(([\d.]+)\))?/.exec(use.getAttribute("transform") ?? "");
  if (COVERABLE.test(href) || !found || !(use instanceof SVGGraphicsElement)) return [];
  const symbol = symbols.get(href) ?? use.getBBox();
  if (symbol.width) symbols.set(href, symbol);    // an element that is not drawn has no box yet
  const [x, y, turned, scale] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0) * Math.PI / 180, Number(found[4] ?? 1)];
  const [cos, sin] = [scale * Math.cos(turned), scale * Math.sin(turned)];
  const [right, bottom] = [symbol.x + symbol.width, symbol.y + symbol.height];
  const corners = [[symbol.x, symbol.y], [right, symbol.y], [symbol.x, bottom], [right, bottom]];
  const across = corners.map(([a, b]) => x + a * cos - b * sin), along = corners.map(([a, b]) => y + a * sin + b * cos);
  return [[Math.min(...across), Math.min(...along), Math.max(...across), Math.max(...along)]];
}

/**
 * @param {string | undefined} words
 * @returns {Edges}
 */
function numbersIn(words = "") {
  return /** @type {Edges} */ (words.split(" ").map(Number));
}

/**
 * @param {string | undefined} words
 * @returns {Cell | null}
 */
function cellIn(words) {
  return words ? /** @type {Cell} */ (words.split(" ").map(Number)) : null;
}

/**
 * @param {string} listed
 * @returns {Spot[]}
 */
function spotsIn(listed) {
  return listed.split(";").filter(Boolean).map((one) => {
    const [x, y, side] = one.split(",");
    return { x: Number(x), y: Number(y), side };
  });
}
