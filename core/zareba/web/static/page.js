// The script of the page: it shows what the server tells, and sends what a person does. It knows no rules.
"use strict";

const main = document.getElementById("main");
const base = main.dataset.base;
const table = document.getElementById("table");
const SVG = "http://www.w3.org/2000/svg";
const $ = (id) => document.getElementById(id);
let now = { version: 0, ground: "", aims: [] };
let whole = [0, 0, 60, 48];
let view = [0, 0, 60, 48];
let busy = false;
let announced = 0;    // the version that the stream told last, and the last one that was looked for
let looked = 0;
let mark = null;      // the point that is being thought of for a place
let ruler = null;     // the first end of the ruler, true while none is set
let replaying = false;

// --- asking the server ----------------------------------------------------------------------------------------------

async function ask(path, options = {}) {
  const answer = await fetch(base + path, { headers: { Accept: "application/json" }, ...options });
  const told = await answer.json().catch(() => ({ refused: "the server does not answer in words" }));
  if (!answer.ok) throw new Error(told.refused || "this cannot be done");
  return told;
}

async function act(what, fields = {}) {
  if (document.body.classList.contains("busy")) return;
  document.body.classList.add("busy");
  while (busy) await new Promise((done) => setTimeout(done, 5));
  busy = true;
  refuse("");
  try {
    const body = new URLSearchParams({ version: now.version, ground: now.ground, ...fields });
    show(await ask("/do/" + what, { method: "POST", body }));
    focusOnQuestion();
  } catch (error) {
    refuse(error.message);
    looked = 0;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
  look_again();
}

// One look at a time; what is announced meanwhile is looked at afterwards.
async function look() {
  if (busy) return;
  busy = true;
  try {
    const told = await ask("/parts?ground=" + encodeURIComponent(now.ground));
    if (told.version !== now.version) show(told);
  } catch (error) {
    refuse(error.message);
  } finally {
    busy = false;
  }
  look_again();
}

function look_again() {
  if (announced !== now.version && announced !== looked) { looked = announced; look(); }
}

function refuse(words) {
  $("refusal").textContent = words;
}

// --- showing --------------------------------------------------------------------------------------------------------

function show(told) {
  const spoken = now.said !== told.said ? told.said : "";
  if (told.under !== undefined) {
    $("ground").innerHTML = told.under;
    whole = told.box;
    if (now.version === 0) look_at(whole);
  }
  now = told;
  main.dataset.version = told.version;
  mark = null;
  for (const part of ["status", "question", "log", "units"]) $(part).innerHTML = told[part];
  $("odds").innerHTML = "";
  $("said").textContent = spoken;
  $("log").scrollTop = $("log").scrollHeight;
  document.body.classList.toggle("mine", told.mine);
  document.body.classList.toggle("thinking", told.thinking);
  document.body.classList.toggle("placing", Boolean(told.place));
  for (const line of document.querySelectorAll("#status meter")) line.classList.toggle("low", line.value < 50);
  if (!replaying) draw_pieces(told.pieces);
  wait_for_replay();
}

function draw_pieces(drawn) {
  const lit = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : null;
  $("pieces").innerHTML = drawn;
  aim();
  draw_marks();
  if (lit) { const again = table.querySelector(`[data-key="${CSS.escape(lit)}"]`); if (again) again.focus(); }
}

function matching(aim_) {
  const found = [];
  for (const piece of aim_.pieces) {
    const name = CSS.escape(piece);
    found.push(...table.querySelectorAll(`[data-piece="${name}"], [data-unit="${name}"]`));
  }
  if (aim_.cell !== null && aim_.cell !== undefined) found.push(...table.querySelectorAll(`[data-cell="${aim_.cell}"]`));
  return found;
}

// What can be pointed at gets a light, a role, a name and the numbers of its options.
function aim() {
  for (const old of table.querySelectorAll(".can")) {
    old.classList.remove("can", "lit");
    for (const name of ["role", "tabindex", "aria-label", "data-options", "data-key"]) old.removeAttribute(name);
  }
  for (const old of table.querySelectorAll(".acting")) old.classList.remove("acting");
  if (now.acting) for (const one of matching({ pieces: [now.acting] })) one.classList.add("acting");
  for (const aim_ of now.aims || []) {
    const phrase = phrase_of(aim_.n);
    for (const one of matching(aim_)) {
      one.classList.add("can");
      one.dataset.options = [one.dataset.options, aim_.n].filter((n) => n !== undefined).join(" ");
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", one.hasAttribute("aria-label") ? one.getAttribute("aria-label") + "; or " + phrase : phrase);
      const head = one.classList.contains("tag") || one.classList.contains("cell") || one.classList.contains("block");
      if (head) { one.setAttribute("tabindex", "0"); one.dataset.key = (one.dataset.piece || "cell " + one.dataset.cell); }
    }
  }
}

function phrase_of(number) {
  const option = document.querySelector(`[data-option="${number}"] .phrase`);
  return option ? option.textContent : "option " + (number + 1);
}

function focusOnQuestion() {
  const asks = $("asks");
  if (asks && document.activeElement === document.body) asks.focus({ preventScroll: true });
}

// --- answering ------------------------------------------------------------------------------------------------------

function take(number) {
  $("sheet").close();
  act("answer", { option: number });
}

function choose_among(numbers, where) {
  if (numbers.length === 1) { take(numbers[0]); return; }
  const list = document.createElement("ol");
  list.className = "options";
  for (const number of numbers) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "option";
    button.dataset.option = number;
    button.textContent = phrase_of(number);
    item.append(button);
    list.append(item);
  }
  open_sheet(list);
}

function open_sheet(content) {
  const body = $("sheet-body");
  if (typeof content === "string") body.innerHTML = content;
  else body.replaceChildren(content);
  if (!$("sheet").open) $("sheet").showModal();
}

async function open_told(path) {
  try { open_sheet((await ask(path)).html); } catch (error) { refuse(error.message); }
}

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let found;
  if ((found = on("[data-option]"))) take(Number(found.dataset.option));
  else if ((found = on("[data-act]"))) act(found.dataset.act);
  else if ((found = on("[data-open]"))) open_told("/" + found.dataset.open);
  else if ((found = on("[data-rule]"))) open_told("/rule?id=" + encodeURIComponent(found.dataset.rule));
  else if ((found = on("[data-step]"))) { open_told("/act?step=" + found.dataset.step); light_words(found.textContent); }
  else if ((found = on("[data-moment]"))) { $("sheet").close(); replay(Number(found.dataset.moment)); }
  else if (on("[data-now]")) stop_replay();
  else if ((found = on("[data-whole]"))) odds_of(Number(found.dataset.whole), true);
  else if ((found = on("[data-find]"))) find(found.dataset.find);
  else if ((found = on("[data-zoom]"))) zoom(found.dataset.zoom);
  else if ((found = on("[data-tool=ruler]"))) set_ruler(ruler === null);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.form) return;
  event.preventDefault();
  act(form.dataset.form === "delegate" ? "delegate" : "answer", Object.fromEntries(new FormData(form)));
});

// --- odds of what is pointed at -------------------------------------------------------------------------------------

let odds_wanted = 0;
let odds_shown = "";

function odds_of(number, all = false) {
  const key = now.version + "/" + number + "/" + all;
  if (key === odds_shown) return;
  const wanted = ++odds_wanted;
  setTimeout(async () => {
    if (wanted !== odds_wanted) return;
    try {
      const told = await ask(`/odds?n=${number}&whole=${all ? 1 : 0}&version=${now.version}`);
      if (wanted === odds_wanted && told.html) { $("odds").innerHTML = `<h2></h2>` + told.html; $("odds").firstChild.textContent = phrase_of(number); odds_shown = key; }
    } catch (error) {
      if (wanted === odds_wanted) $("odds").textContent = "";
    }
  }, all ? 0 : 60);
}

function pointed(event) {
  const option = event.target.closest("[data-option]");
  const numbers = option ? [Number(option.dataset.option)] : options_at(event.target);
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (!numbers.length || !now.mine) return;
  for (const number of numbers) {
    for (const aim_ of now.aims || []) if (aim_.n === number) for (const one of matching(aim_)) one.classList.add("lit");
    const button = document.querySelector(`#question [data-option="${number}"]`);
    if (button) button.classList.add("lit");
  }
  if (!now.place) odds_of(numbers[0]);
}
document.addEventListener("pointerover", pointed);
document.addEventListener("focusin", pointed);

function options_at(target) {
  const found = target.closest && target.closest("[data-options]");
  return found ? found.dataset.options.split(" ").map(Number) : [];
}

// --- the view of the table ------------------------------------------------------------------------------------------

function look_at(box) {
  view = box.slice();
  table.setAttribute("viewBox", view.join(" "));
}

function zoom(how, at) {
  if (how === "all") { look_at(whole); return; }
  const by = how === "in" ? 0.75 : 1 / 0.75;
  const centre = at || [view[0] + view[2] / 2, view[1] + view[3] / 2];
  const width = Math.min(whole[2], Math.max(6, view[2] * by));
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

// The units that a sentence names are lit on the table.
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

const fingers = new Map();
let dragged = false;
let pinch = 0;

table.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  dragged = false;
  if (fingers.size === 2) pinch = spread();
});

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
  if (now.place && !replaying && !ruler && event.pointerType !== "touch") { think_of(place_of(event)); return; }
  const scale = view[2] / table.getBoundingClientRect().width;
  look_at(inside([view[0] - (here[0] - was[0]) * scale, view[1] - (here[1] - was[1]) * scale, view[2], view[3]]));
  fingers.set(event.pointerId, here);
});

for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, (event) => fingers.delete(event.pointerId));

table.addEventListener("click", (event) => {
  if (dragged) { dragged = false; return; }
  if (ruler !== null) { const on = event.target.closest("[data-piece]"); measure(place_of(event), on ? on.dataset.piece : ""); return; }
  if (replaying) return;
  if (now.place) { think_of(place_of(event)); return; }
  const numbers = options_at(event.target);
  if (numbers.length) choose_among(numbers);
});

// --- a place ---------------------------------------------------------------------------------------------------------

let checking = 0;

function think_of(point) {
  mark = point;
  const { scale, depth } = now.place;
  const form = document.querySelector("[data-form=place]");
  form.x.value = (point[0] / scale).toFixed(1);
  form.y.value = ((depth - point[1]) / scale).toFixed(1);
  draw_marks();
  const wanted = ++checking;
  setTimeout(async () => {
    if (wanted !== checking) return;
    try {
      const told = await ask(`/check?x=${form.x.value}&y=${form.y.value}`);
      if (wanted !== checking) return;
      $("ruling").textContent = told.refused ? `${told.refused} (${told.rule})` : "allowed; Enter or the button goes there";
      $("ruling").className = told.refused ? "refusal" : "allowed";
      const drawn = table.querySelector(".candidate");
      if (drawn) drawn.classList.toggle("refused", Boolean(told.refused));
    } catch (error) { refuse(error.message); }
  }, 40);
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
    node("text", { class: "tape-length", x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 - 0.4, "font-size": whole[2] / 55 }, length.toFixed(1) + unit),
  ];
}

function draw_marks(end) {
  const marks = $("marks");
  marks.replaceChildren();
  if (ruler && ruler !== true && end) marks.append(node("path", { class: "tape", d: `M${ruler[0]} ${ruler[1]}L${end[0]} ${end[1]}` }));
  if (!now.place || replaying) return;
  now.place.suggestions.forEach(([x, y], number) => {
    const spot = node("g", { class: "suggestion can", role: "button", tabindex: "0", "aria-label": "go to place " + (number + 1), "data-option": number, transform: `translate(${x} ${now.place.depth - y})` });
    spot.append(node("circle", { r: whole[2] / 75 }), node("text", { y: whole[2] / 190, "font-size": whole[2] / 70 }, String(number + 1)));
    marks.append(spot);
  });
  if (!mark) return;
  const from = middle_of(now.acting);
  if (from) marks.append(...line_with_length(from, mark));
  marks.append(node("circle", { class: "candidate", cx: mark[0], cy: mark[1], r: whole[2] / 80 }));
}

// --- the ruler --------------------------------------------------------------------------------------------------------

function set_ruler(on) {
  ruler = on ? true : null;
  document.querySelector("[data-tool=ruler]").setAttribute("aria-pressed", String(on));
  document.body.classList.toggle("measuring", on);
  $("measure").textContent = on ? "Point at one end, then at the other." : "";
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

// --- replay -----------------------------------------------------------------------------------------------------------

let replay_wanted = 0;

function wait_for_replay() {
  const slider = $("moment");
  slider.max = now.steps;
  if (!replaying) slider.value = now.steps;
}

async function replay(step) {
  const wanted = ++replay_wanted;
  if (step >= now.steps) { stop_replay(); return; }
  replaying = true;
  document.body.classList.add("replaying");
  document.querySelector("[data-now]").hidden = false;
  $("moment").value = step;
  try {
    const told = await ask("/at?step=" + step);
    if (wanted !== replay_wanted) return;
    draw_pieces(told.pieces);
    $("moment-said").textContent = told.headline;
  } catch (error) { refuse(error.message); }
}

function stop_replay() {
  replay_wanted++;
  replaying = false;
  document.body.classList.remove("replaying");
  document.querySelector("[data-now]").hidden = true;
  $("moment-said").textContent = "";
  $("moment").value = now.steps;
  draw_pieces(now.pieces);
}
$("moment").addEventListener("input", (event) => replay(Number(event.target.value)));

// --- keys -------------------------------------------------------------------------------------------------------------

let typed = "";
let typing = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("sheet").open) return;
  const field = event.target.closest("input, select, textarea");
  if (field) return;
  const key = event.key;
  if (/^[0-9]$/.test(key) && (typed || key !== "0")) {
    typed += key;
    clearTimeout(typing);
    const count = document.querySelectorAll("#question [data-option]").length;
    const number = Number(typed);
    typing = setTimeout(() => { typed = ""; if (number >= 1 && number <= count) take(number - 1); }, number * 10 > count ? 0 : 600);
  } else if (key === "u") act("undo");
  else if (key === "r") act("redo");
  else if (key === "w") open_told("/why");
  else if (key === "m") set_ruler(ruler === null);
  else if (key === "o") { const numbers = document.activeElement.dataset.option !== undefined ? [Number(document.activeElement.dataset.option)] : options_at(document.activeElement); if (numbers.length) odds_of(numbers[0], true); }
  else if (key === "+") zoom("in");
  else if (key === "-") zoom("out");
  else if (key === "0") zoom("all");
  else if (key === "Escape") set_ruler(false);
  else if (key === "Enter" || key === " ") {
    const suggestion = event.target.closest("#marks [data-option]");
    const numbers = options_at(event.target);
    if (suggestion) take(Number(suggestion.dataset.option));
    else if (numbers.length) choose_among(numbers);
    else if (mark && event.target === table) document.querySelector("[data-form=place]").requestSubmit();
    else return;
    event.preventDefault();
  } else if (key.startsWith("Arrow") && table.contains(event.target)) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (now.place) {
      const start = mark || middle_of(now.acting) || [whole[0] + whole[2] / 2, whole[1] + whole[3] / 2];
      think_of([start[0] + step[0] * 0.5, start[1] + step[1] * 0.5]);
    } else look_at(inside([view[0] + step[0] * view[2] / 12, view[1] + step[1] * view[2] / 12, view[2], view[3]]));
    event.preventDefault();
  }
});

// --- looking again when something has changed ---------------------------------------------------------------------------

const stream = new EventSource(base + "/events");
stream.onmessage = (event) => { document.body.classList.remove("lost"); announced = Number(event.data); if (!busy) look_again(); };
stream.onerror = () => { document.body.classList.add("lost"); looked = 0; };
look();
