// The editor: what is drawn on the map is sent to the server, which writes the file and tells what is wrong with it.
"use strict";

const main = document.getElementById("main");
const base = main.dataset.base;
const table = document.getElementById("table");
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let depth = 48;
let box = [0, 0, 60, 48];
let drawing = null;   // what is being drawn: its fields in pairs, its points, how many it needs at most
let pointing = "";    // the field of the open form for which somebody is pointed at
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
    const form = document.querySelector("#form-of form"), of = (name) => form.elements[name].value;
    if (told.added) open_thing(new URLSearchParams(fields).get("section"), told.added);
    else if (form && form.dataset.tool === "set") { if (document.querySelector(`#list [data-section="${of("section")}"][data-key="${CSS.escape(of("key"))}"]`)) open_thing(of("section"), of("key")); else $("form-of").replaceChildren(); }
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

async function open_thing(section, key, kind = "") {
  const query = new URLSearchParams({ section, key, kind });
  try {
    $("form-of").innerHTML = (await ask("/form?" + query)).html;
    $("form-of").scrollIntoView({ block: "nearest" });
    const head = document.querySelector("#form-of h2");
    head.scrollIntoView({ block: "nearest" });
    head.focus({ preventScroll: true });
  } catch (error) { $("refusal").textContent = error.message; }
}

// The open form as that of an objective of another kind; what both kinds have keeps what is written there.
async function of_kind(form) {
  const written = [...new FormData(form)];
  await open_thing("objectives", form.elements.key.value, form.elements.kind.value);
  for (const field of document.querySelectorAll("#form-of form :is(input, select)")) {
    const values = written.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "checkbox") field.checked = values.includes(field.value);
    else if (values.length) field.value = values[0];
  }
  document.querySelector("#form-of [name=kind]").focus();
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

function pick(said) {
  $("pick-said").textContent = said;
  $("pick").hidden = false;
  document.body.classList.add("picking");
  table.focus({ preventScroll: true });
  table.scrollIntoView({ block: "nearest" });
  draw_marks();
}

function begin(fields, most, said) {
  stop();
  drawing = { fields, most, points: [] };
  cursor = [box[0] + box[2] / 2, box[1] + box[3] / 2];
  pick(said);
}

function point_for(field) {
  stop();
  pointing = field;
  pick(`${field.replaceAll("_", " ")}: who or what?`);
}

// Whoever lies under the finger and may be named in the field is named, or no longer.
function name_at(x, y) {
  const fields = [...document.querySelectorAll(`#form-of [name="${pointing}"]`)];
  for (const on of document.elementsFromPoint(x, y)) {
    const near = on.closest("[data-unit], [data-ground]");
    const key = near && (near.dataset.unit || near.dataset.ground);
    const box = fields.find((one) => one.type === "checkbox" && one.value === key);
    const list = fields.find((one) => one.options && [...one.options].some((option) => key && option.value === key));
    if (box) { box.checked = !box.checked; $("pick-said").textContent = `${key}: ${box.checked ? "named" : "no longer named"}`; return; }
    if (list) { list.value = key; stop(); list.focus(); return; }
  }
  $("pick-said").textContent = "nothing there can be named here";
}

function add_point(point) {
  drawing.points.push([Math.round(point[0] * 2) / 2, Math.round(point[1] * 2) / 2]);
  draw_marks();
  if (drawing.points.length >= drawing.most) finish();
}

function finish() {
  if (!drawing) { stop(); return; }
  const { fields, points } = drawing;
  stop();
  if (points.length) change([...fields, ["drawn", points.map(([x, y]) => `${x},${depth - y}`).join(" ")]]);
}

function stop() {
  if (pointing) document.querySelector(`#form-of [data-point="${pointing}"]`)?.focus();
  drawing = null;
  pointing = "";
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
  if (pointing) { name_at(event.clientX, event.clientY); return; }
  const on = event.target.closest("[data-unit], [data-ground], [data-aim]");
  if (!on) return;
  if (on.dataset.unit) open_thing(["leaders", "objects"].find((section) => document.querySelector(`#list [data-section=${section}][data-key="${CSS.escape(on.dataset.unit)}"]`)) || "units", on.dataset.unit);
  else if (on.dataset.aim) open_thing("objectives", on.dataset.aim);
  else open_thing("terrain", on.dataset.ground);
});

document.addEventListener("keydown", (event) => {
  if (pointing && event.key === "Escape") { stop(); return; }
  if (!(drawing || pointing) || event.target.closest("input, select, textarea, button")) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step && drawing) { cursor = cursor || [box[0] + box[2] / 2, box[1] + box[3] / 2]; cursor = [cursor[0] + step[0], cursor[1] + step[1]]; draw_marks(); }
  else if (event.key === " " && drawing && cursor) add_point(cursor);
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
  const data = [...new FormData(form, event.submitter)], fields = Object.fromEntries(data);
  if (tool === "text") change([["what", "text"], ...data]);
  else if (tool === "new") { const [section, kind] = fields.new.split("/"); open_thing(section, "", kind); }
  else if (tool === "set" || tool === "add") { if (fields.pointed) begin([["what", tool], ...data], 1, `${fields.name || fields.key}: where it is`); else change([["what", tool], ...data]); }
  else if (tool === "terrain") begin([["what", "add"], ["section", "terrain"], ...data], 100, `${fields.kind.replaceAll("_", " ")}: its corners`);
  else if (tool === "units" && fields.unplaced) change([["what", "add"], ["section", "units"], ...data]);
  else if (tool === "units") begin([["what", "add"], ["section", "units"], ...data], 1, `${fields.preset}: where it stands`);
  else if (tool === "zone") begin([["what", "zone"], ["section", "sides"], ...data], 100, "the zone: its corners");
});

document.addEventListener("change", (event) => {
  if (event.target.matches("#form-of [name=kind]") && event.target.form.elements.section.value === "objectives") of_kind(event.target.form);
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let found;
  if (on("[data-finish]")) finish();
  else if (on("[data-cancel]")) stop();
  else if ((found = on("[data-do]"))) { if (found.dataset.do !== "drop" || confirm("Throw this battle away?")) change({ what: found.dataset.do }); }
  else if ((found = on("[data-preview]"))) { if (seen === found.dataset.preview) { seen = ""; $("preview").replaceChildren(); found.setAttribute("aria-pressed", "false"); look(); } else preview(found.dataset.preview); }
  else if ((found = on("[data-point]"))) point_for(found.dataset.point);
  else if (on("[data-close]")) $("form-of").replaceChildren();
  else if ((found = on("[data-remove]"))) { change({ what: "remove", section: found.dataset.of, key: found.dataset.remove }); $("form-of").replaceChildren(); }
  else if ((found = on("[data-section]"))) open_thing(found.dataset.section, found.dataset.key);
});

async function look() {
  try { show(await ask("/parts")); } catch (error) { $("refusal").textContent = error.message; }
}
look();
