// The map on the page: zoom, touch, places, ruler and zones.
"use strict";

// --- zoom and scroll ------------------------------------------------------------------------------------------------

function look_at(box) {
  view = box.slice();
  table.setAttribute("viewBox", view.join(" "));
}

function zoom(how, at) {
  if (how === "all") { look_at(whole); return; }
  const by = how === "in" ? 0.75 : 1 / 0.75;
  const centre = at || [view[0] + view[2] / 2, view[1] + view[3] / 2];
  const width = Math.min(whole[2], Math.max(NEAREST, view[2] * by));
  const ratio = width / view[2];
  look_at(inside([centre[0] - (centre[0] - view[0]) * ratio, centre[1] - (centre[1] - view[1]) * ratio, width, view[3] * ratio]));
}

function inside(box) {
  const [left, top, width, depth] = whole;
  return [Math.min(Math.max(box[0], left), left + width - box[2]), Math.min(Math.max(box[1], top), top + depth - box[3]), box[2], box[3]];
}

function place_of(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(table.getScreenCTM().inverse());
  return [point.x, point.y];
}

function find(piece) {
  const name = CSS.escape(piece);
  const found = table.querySelector(`.tag[data-unit="${name}"], [data-piece="${name}"]`);
  if (!found) return;
  for (const one of table.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const one of matching({ pieces: [piece] })) one.classList.add("lit");
  const box = found.getBoundingClientRect();
  const at = place_of({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 });
  const width = Math.min(view[2], whole[2] / 2);
  const depth = width * whole[3] / whole[2];
  look_at(inside([at[0] - width / 2, at[1] - depth / 2, width, depth]));
  table.scrollIntoView({ block: "nearest" });
}

// Highlight the units that a sentence names.
function light_words(sentence) {
  for (const one of table.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const tag of table.querySelectorAll(".tag")) {
    const name = tag.querySelector(".unit-name");
    if (name && name.textContent && sentence.includes(name.textContent)) {
      for (const one of matching({ pieces: [tag.dataset.unit] })) one.classList.add("lit");
    }
  }
}

table.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY < 0 ? "in" : "out", place_of(event)); }, { passive: false });

const FINGER = 28;    // radius of a finger in pixels, for dragging
const TOUCH = 12;     // and for tapping: a touch target is at least 24 pixels wide
const NEAREST = 6;    // width of the view in inches at the largest zoom
const fingers = new Map();
let dragged = false;
let held = false;     // true while a finger on the marker drags it; any other finger drags the map
let pinch = 0;

table.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  dragged = false;
  held = mark !== null && Boolean(now.place) && near(place_of(event), mark);
  if (fingers.size === 2) pinch = spread();
});

// Return true if a point is under a finger at another point.
function near(point, other) {
  return Math.hypot(point[0] - other[0], point[1] - other[1]) < FINGER * table.getScreenCTM().inverse().a;
}

function spread() {
  const [a, b] = [...fingers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

table.addEventListener("pointermove", (event) => {
  const was = fingers.get(event.pointerId);
  if (!was) { if (ruler && ruler !== true) draw_marks(place_of(event)); return; }
  const here = [event.clientX, event.clientY];
  if (Math.hypot(here[0] - was[0], here[1] - was[1]) < 4 && !dragged) return;
  dragged = true;
  if (fingers.size === 2) {
    fingers.set(event.pointerId, here);
    const apart = spread();
    if (Math.abs(apart - pinch) > 12) { zoom(apart > pinch ? "in" : "out", place_of(event)); pinch = apart; }
    return;
  }
  if (now.place && !replaying && !ruler && (event.pointerType !== "touch" || held)) { think_of(place_of(event)); return; }
  const scale = view[2] / table.getBoundingClientRect().width;
  look_at(inside([view[0] - (here[0] - was[0]) * scale, view[1] - (here[1] - was[1]) * scale, view[2], view[3]]));
  fingers.set(event.pointerId, here);
});

for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, (event) => fingers.delete(event.pointerId));

table.addEventListener("click", (event) => {
  if (dragged) { dragged = false; return; }
  if (!armed && ruler === null && !zone.kind) $("measure").textContent = "";
  if (picking) { picked(place_of(event)); return; }
  if (ruler !== null) { const on = event.target.closest("[data-piece]"); measure(place_of(event), on ? on.dataset.piece : ""); return; }
  if (replaying) return;
  if (now.place) { think_of(place_of(event)); return; }
  const on = event.pointerType === "touch" ? below_finger(event) : event.target;
  if (on === null) return;
  const numbers = on === event.target ? options_below(event) : options_at(on);
  if (numbers.length && event.pointerType === "touch" && numbers.join() !== armed) { arm(numbers); return; }
  if (numbers.length) choose_among(numbers);
  else open_card(unit_at(on));
});

// Return the element that a tap means. A large element is meant directly, a small one if it is the only one nearby.
// If several small ones are nearby, zoom in and return null.
function below_finger(event) {
  const [x, y] = [event.clientX, event.clientY];
  const width = (box) => Math.min(box.width, box.height);
  const small = [...table.querySelectorAll(".tag, .piece")].filter((one) => {
    const box = one.getBoundingClientRect();
    const [dx, dy] = [Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)];
    return width(box) < 2 * TOUCH && Math.hypot(dx, dy) < TOUCH;
  });
  const meant = small.some((one) => options_at(one).length) ? small.filter((one) => options_at(one).length) : small;
  const units = new Map(meant.map((one) => [options_at(one).join() || unit_at(one), one]));
  if (units.size > 1 && view[2] > NEAREST) {
    const least = Math.min(...meant.map((one) => width(one.getBoundingClientRect())));
    go_near(place_of(event), least / (3 * TOUCH));
    return null;
  }
  if (units.size === 1 && !options_below(event).length) return [...units.values()][0];
  return event.target;
}

function go_near(at, share) {
  const width = Math.max(NEAREST, view[2] * Math.min(0.5, share));
  const depth = width * view[3] / view[2];
  look_at(inside([at[0] - width / 2, at[1] - depth / 2, width, depth]));
  $("measure").textContent = "Zoomed in: several units were under your finger.";
}

// A finger is imprecise and hides its target, so the first tap only shows the option and its odds.
let armed = "";

function arm(numbers) {
  armed = numbers.join();
  light(numbers);
  $("measure").textContent = numbers.length > 1 ? "Tap again to choose." : "Tap again: " + phrase_of(numbers[0]);
}

// The first tap on a suggested place shows its movement cost; the second tap goes there.
function arm_place(number) {
  const [x, y] = now.place.suggestions[number];
  armed = String(number);
  think_of([x, now.place.depth - y]);
  $("measure").textContent = "Tap again to go there.";
}

// If a unit is on a cell that is an option, the cell is meant.
function options_below(event) {
  for (const one of document.elementsFromPoint(event.clientX, event.clientY)) {
    const numbers = options_at(one);
    if (numbers.length) return numbers;
  }
  return [];
}

// A long touch or a right click shows the card of a unit, even if the unit is an option.
table.addEventListener("contextmenu", (event) => {
  const unit = unit_at(event.target);
  if (!unit) return;
  event.preventDefault();
  fingers.clear();
  open_card(unit);
});

function unit_at(target) {
  const on = target.closest("[data-unit], [data-piece]");
  return on ? on.dataset.unit || on.dataset.piece : "";
}

function open_card(unit) {
  if (unit) open_told("/unit?piece=" + encodeURIComponent(unit));
}

// --- a place ---------------------------------------------------------------------------------------------------------

async function show_where() {
  $("lawful").setAttribute("d", "");
  if (!now.place) return;
  try {
    const told = await ask("/where?version=" + now.version);
    if (now.place) $("lawful").setAttribute("d", told.path);
  } catch (error) { refuse(error.message); }
}

let ruling = { refused: "", cost: "" };    // the ruling on the point under consideration
let checking = false;

function think_of(point) {
  mark = point;
  if (picking) { draw_marks(); return; }
  const { scale, depth } = now.place;
  const form = document.querySelector("[data-form=place]");
  form.x.value = (point[0] / scale).toFixed(1);
  form.y.value = ((depth - point[1]) / scale).toFixed(1);
  draw_marks();
  check();
}

// Request a ruling on the latest point, one request at a time, also during dragging.
async function check() {
  if (checking) return;
  checking = true;
  try {
    let about = null;
    while (mark && now.place && about !== mark) {
      about = mark;
      const form = document.querySelector("[data-form=place]"), asks = now.asks;
      const told = await ask(`/check?x=${form.x.value}&y=${form.y.value}`);
      if (asks === now.asks) show_ruling(told);
    }
  } catch (error) { refuse(error.message); }
  checking = false;
}

function show_ruling(told) {
  ruling = told;
  const said = $("ruling");
  said.textContent = [told.cost, told.refused || "allowed; press Enter or the button to go there"].filter(Boolean).join("; ");
  said.className = told.refused ? "refusal" : "allowed";
  draw_marks();
}

function middle_of(piece) {
  const found = piece && table.querySelector(`.piece[data-unit="${CSS.escape(piece)}"], .piece[data-piece="${CSS.escape(piece)}"]`);
  if (!found) return null;
  const box = found.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

function node(kind, attributes, words) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (words) made.textContent = words;
  return made;
}

function line_with_length(a, b) {
  const scale = now.place ? now.place.scale : 1;
  const unit = now.place && now.place.unit !== "inches" ? " " + now.place.unit : '"';
  const length = Math.hypot(a[0] - b[0], a[1] - b[1]) / scale;
  return [
    node("path", { class: "tape", d: `M${a[0]} ${a[1]}L${b[0]} ${b[1]}` }),
    node("text", { class: "tape-length", x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 - 0.4, "font-size": view[2] / 40 }, [length.toFixed(1) + unit, ruling.cost].filter(Boolean).join(", ")),
  ];
}

function draw_marks(end) {
  const marks = $("marks");
  marks.replaceChildren();
  if (ruler && ruler !== true && end) marks.append(node("path", { class: "tape", d: `M${ruler[0]} ${ruler[1]}L${end[0]} ${end[1]}` }));
  if (now.mine && !replaying && !picking) draw_costs(marks);
  if (picking && mark) marks.append(node("circle", { class: "candidate", cx: mark[0], cy: mark[1], r: whole[2] / 80 }));
  if (!now.place || replaying || picking) return;
  now.place.suggestions.forEach(([x, y], number) => {
    const spot = node("g", { class: "suggestion can", role: "button", tabindex: "0", "aria-label": "go to place " + (number + 1), "data-option": number, transform: `translate(${x} ${now.place.depth - y})` });
    const size = letters ? 1.7 : 1;    // on a phone as large as the tags
    spot.append(node("circle", { r: size * view[2] / 75 }), node("text", { y: size * view[2] / 190, "font-size": size * view[2] / 70 }, String(number + 1)));
    marks.append(spot);
  });
  if (!mark) return;
  const from = middle_of(now.acting);
  if (from) marks.append(...line_with_length(from, mark));
  marks.append(node("circle", { class: ruling.refused ? "candidate refused" : "candidate", cx: mark[0], cy: mark[1], r: view[2] / (letters ? 40 : 80) }));
}

// Show the movement cost at the bottom of each cell.
function draw_costs(marks) {
  const told = new Set();
  for (const aim_ of now.aims) {
    const cell = aim_.cost && !told.has(aim_.cell) && table.querySelector(`.cell[data-cell="${aim_.cell}"]`);
    if (!cell) continue;
    told.add(aim_.cell);
    const box = cell.getBBox();
    marks.append(node("text", { class: "tape-length", x: box.x + box.width / 2, y: box.y + box.height * 0.96, "font-size": box.height / 8 }, aim_.cost));
  }
}

// --- the ruler --------------------------------------------------------------------------------------------------------

function set_ruler(on) {
  ruler = on ? true : null;
  document.querySelector("[data-tool=ruler]").setAttribute("aria-pressed", String(on));
  document.body.classList.toggle("measuring", on);
  $("measure").textContent = on ? "Click one end, then the other." : "";
  draw_marks();
}

let ruler_from = "";

async function measure(point, piece) {
  if (ruler === true) { ruler = point; ruler_from = piece; return; }
  const from = ruler;
  ruler = true;
  const depth = now.depth;
  try {
    const told = await ask(`/ruler?ax=${from[0]}&ay=${depth - from[1]}&bx=${point[0]}&by=${depth - point[1]}&a=${encodeURIComponent(ruler_from)}&b=${encodeURIComponent(piece)}`);
    $("measure").textContent = told.words.join("; ");
    draw_marks();
    $("marks").append(node("path", { class: "tape", d: `M${from[0]} ${from[1]}L${point[0]} ${point[1]}` }));
  } catch (error) { refuse(error.message); }
}

// --- zones of fire, danger and command ----------------------------------------------------------------------------------

let zone = { kind: "", piece: "" };

async function show_zone(kind, piece = "") {
  zone = { kind, piece };
  for (const button of document.querySelectorAll(".tools [data-zone]")) button.setAttribute("aria-pressed", String(button.dataset.zone === kind));
  $("zones").innerHTML = "";
  if (piece) $("sheet").close();
  $("measure").textContent = "";
  if (!kind) return;
  try {
    const told = await ask(`/reach?kind=${kind}&piece=${encodeURIComponent(piece)}`);
    if (zone.kind !== kind || zone.piece !== piece) return;
    $("zones").innerHTML = told.svg;
    $("measure").textContent = told.words;
  } catch (error) { refuse(error.message); }
}

// --- a place for an order or an umpire ---------------------------------------------------------------------------------

function pick(what, unit, said, reason) {
  set_ruler(false);
  picking = { what, unit, reason };
  mark = null;
  $("sheet").close();
  $("pick-said").textContent = said + "…";
  look_at(whole);
  $("pick").hidden = false;
  document.body.classList.add("picking");
  table.focus({ preventScroll: true });
  table.scrollIntoView({ block: "nearest" });
  if (middle_of(unit)) think_of(middle_of(unit));
}

function stop_picking() {
  picking = null;
  mark = null;
  $("pick").hidden = true;
  document.body.classList.remove("picking");
  draw_marks();
}

async function picked(point) {
  const { what, unit, reason } = picking;
  const at = { x: point[0].toFixed(2), y: (now.depth - point[1]).toFixed(2) };
  const fields = what === "order" ? { unit, kind: "go", ...at } : { act: "move", of: unit, reason, ...at };
  if (await act(what, fields)) stop_picking();
}
