// The editor: what is drawn on the map is sent to the server, which writes the file and tells what is wrong with it.
"use strict";

const main = document.getElementById("main");
const base = main.dataset.base;
const table = document.getElementById("table");
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let depth = 48;
let box = [0, 0, 60, 48];
let drawing = null;   // what is being drawn: its fields, its points, how many it needs at most
let cursor = null;    // where the arrow keys have brought the next point
let seen = "";        // the system whose view is shown, "" for the scenario's own

async function ask(path, options = {}) {
  const answer = await fetch(base + path, { headers: { Accept: "application/json" }, ...options });
  const told = await answer.json().catch(() => ({ refused: "the server does not answer in words" }));
  if (!answer.ok) throw new Error(told.refused || "this cannot be done");
  return told;
}

async function change(fields) {
  $("refusal").textContent = "";
  try {
    const told = await ask("/do", { method: "POST", body: new URLSearchParams(fields) });
    if (told.gone) { location.href = "/make"; return; }
    show(told);
    if (seen) preview(seen);
  } catch (error) { $("refusal").textContent = error.message; }
}

function show(told) {
  if (told.under) { box = told.box; depth = told.depth; table.setAttribute("viewBox", box.join(" ")); $("ground").innerHTML = told.under; $("pieces").innerHTML = told.pieces; }
  $("list").innerHTML = told.list;
  const area = document.querySelector("[name=text]");
  if (document.activeElement !== area) area.value = told.text;
  document.querySelector("[data-do=undo]").disabled = !told.undo;
  document.querySelector("[data-do=redo]").disabled = !told.redo;
  const faults = $("problems");
  faults.replaceChildren();
  if (told.sound) { const fine = document.createElement("p"); fine.className = "allowed"; fine.textContent = "Sound: it can be played."; faults.append(fine); }
  for (const one of told.problems) { const line = document.createElement("p"); line.className = "refusal"; line.textContent = `line ${one.line}: ${one.words}`; faults.append(line); }
  const sides = [...document.querySelectorAll("#list [data-section=sides]")].map((one) => one.dataset.key);
  for (const list of document.querySelectorAll("[data-sides]")) {
    const kept = list.value;
    list.replaceChildren(...sides.map((side) => new Option(side, side)));
    if (sides.includes(kept)) list.value = kept;
  }
  draw_marks();
}

async function open_thing(section, key) {
  try { $("form-of").innerHTML = (await ask(`/form?section=${encodeURIComponent(section)}&key=${encodeURIComponent(key)}`)).html; $("form-of").scrollIntoView({ block: "nearest" }); } catch (error) { $("refusal").textContent = error.message; }
}

async function preview(ruleset) {
  try {
    const told = await ask("/preview?ruleset=" + encodeURIComponent(ruleset));
    seen = ruleset;
    $("preview").innerHTML = told.html;
    table.setAttribute("viewBox", told.box.join(" "));
    $("ground").innerHTML = told.under;
    $("pieces").innerHTML = told.pieces;
  } catch (error) { $("preview").textContent = error.message; }
  for (const button of document.querySelectorAll("[data-preview]")) button.setAttribute("aria-pressed", String(button.dataset.preview === seen));
}

// --- drawing ----------------------------------------------------------------------------------------------------------

function begin(fields, most, said) {
  drawing = { fields, most, points: [] };
  cursor = [box[0] + box[2] / 2, box[1] + box[3] / 2];
  $("pick-said").textContent = said;
  $("pick").hidden = false;
  document.body.classList.add("picking");
  table.focus({ preventScroll: true });
  table.scrollIntoView({ block: "nearest" });
  draw_marks();
}

function add_point(point) {
  drawing.points.push([Math.round(point[0] * 2) / 2, Math.round(point[1] * 2) / 2]);
  draw_marks();
  if (drawing.points.length >= drawing.most) finish();
}

function finish() {
  if (!drawing) return;
  const { fields, points } = drawing;
  stop();
  if (points.length) change({ ...fields, points: points.map(([x, y]) => `${x},${depth - y}`).join(" ") });
}

function stop() {
  drawing = null;
  $("pick").hidden = true;
  document.body.classList.remove("picking");
  draw_marks();
}

function node(kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function draw_marks() {
  const marks = $("marks");
  marks.replaceChildren();
  if (!drawing) return;
  if (drawing.points.length) marks.append(node("path", { class: "tape", d: "M" + drawing.points.map((point) => point.join(" ")).join("L") }));
  for (const [x, y] of drawing.points) marks.append(node("circle", { class: "candidate", cx: x, cy: y, r: box[2] / 120 }));
  if (cursor) marks.append(node("circle", { class: "candidate cursor", cx: cursor[0], cy: cursor[1], r: box[2] / 80 }));
}

table.addEventListener("click", (event) => {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(table.getScreenCTM().inverse());
  if (drawing) { cursor = null; add_point([place.x, place.y]); return; }
  const on = event.target.closest("[data-unit], [data-ground], [data-aim]");
  if (!on) return;
  if (on.dataset.unit) open_thing(document.querySelector(`#list [data-section=leaders][data-key="${CSS.escape(on.dataset.unit)}"]`) ? "leaders" : "units", on.dataset.unit);
  else if (on.dataset.aim) open_thing("objectives", on.dataset.aim);
  else open_thing("terrain", on.dataset.ground);
});

document.addEventListener("keydown", (event) => {
  if (!drawing || event.target.closest("input, select, textarea, button")) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step) { cursor = cursor || [box[0] + box[2] / 2, box[1] + box[3] / 2]; cursor = [cursor[0] + step[0], cursor[1] + step[1]]; draw_marks(); }
  else if (event.key === " " && cursor) add_point(cursor);
  else if (event.key === "Enter") finish();
  else if (event.key === "Escape") stop();
  else return;
  event.preventDefault();
});

// --- forms and buttons -------------------------------------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  const form = event.target, tool = form.dataset.tool;
  if (!tool) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const fields = Object.fromEntries(data);
  if (tool === "text") change({ what: "text", ...fields });
  else if (tool === "set") change([["what", "set"], ...data]);
  else if (tool === "terrain") begin({ what: "add", section: "terrain", ...fields }, 100, `${fields.kind.replaceAll("_", " ")}: its corners`);
  else if (tool === "units" && fields.unplaced) change({ what: "add", section: "units", ...fields });
  else if (tool === "units") begin({ what: "add", section: "units", ...fields }, 1, `${fields.preset}: where it stands`);
  else if (tool === "zone") begin({ what: "zone", section: "sides", ...fields }, 100, "the zone: its corners");
  else if (tool === "objectives") begin({ what: "add", section: "objectives", ...fields }, 1, "the place to hold");
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let found;
  if (on("[data-finish]")) finish();
  else if (on("[data-cancel]")) stop();
  else if ((found = on("[data-do]"))) { if (found.dataset.do !== "drop" || confirm("Throw this battle away?")) change({ what: found.dataset.do }); }
  else if ((found = on("[data-preview]"))) { if (seen === found.dataset.preview) { seen = ""; $("preview").replaceChildren(); found.setAttribute("aria-pressed", "false"); look(); } else preview(found.dataset.preview); }
  else if ((found = on("[data-place]"))) begin({ what: "place", section: "units", key: found.dataset.place }, 1, "where it stands");
  else if ((found = on("[data-remove]"))) { change({ what: "remove", section: found.dataset.of, key: found.dataset.remove }); $("form-of").replaceChildren(); }
  else if ((found = on("[data-section]"))) open_thing(found.dataset.section, found.dataset.key);
});

async function look() {
  try { show(await ask("/parts")); } catch (error) { $("refusal").textContent = error.message; }
}
look();
