// The editor: sends every drawing to the server, which writes the file and reports its problems.
"use strict";

const main = document.getElementById("main");
const base = main.dataset.base;
const table = document.getElementById("table");
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let size = [60, 48];
let box = [0, 0, 60, 48];
let drawing = null;   // the current drawing: its form fields or target field, its points, the fewest and most points
let pointing = "";    // the field of the open form that waits for a choice on the map
let cursor = null;    // the position of the keyboard cursor
let seen = "";        // the ruleset of the preview, "" for the plain map
let unkept = false;   // true if the open form has unsaved changes
let checks = 0;       // number of the last check that was requested
let soon = 0;         // timer of the next check
const touched = new Set();

async function ask(path, options = {}) {
  const answer = await fetch(base + path, { headers: { Accept: "application/json" }, ...options });
  const told = await answer.json().catch(() => ({ refused: "the server sent no readable answer" }));
  if (!answer.ok) throw new Error(told.refused || "this is not possible");
  return told;
}

async function send(fields) {
  $("refusal").textContent = "";
  const told = await ask("/do", { method: "POST", body: new URLSearchParams(fields) });
  if (told.gone) { location.href = "/make"; return told; }
  show(told);
  if (seen) preview(seen);
  return told;
}

async function change(fields) {
  try {
    const told = await send(fields), form = open_form(), asked = new URLSearchParams(fields);
    if (told.gone) return;
    if (form && asked.get("section") === form.elements.section.value && (asked.get("key") || "") === form.elements.key.value) unkept = false;
    if (told.added) await open_thing(asked.get("section"), told.added, "", asked.has("drawn") ? "map" : "form");
    else if (form && form.dataset.tool === "set") {
      const [section, key] = [form.elements.section.value, form.elements.key.value];
      if (asked.get("what") === "undo" || asked.get("what") === "redo") unkept = false;
      if (listed(section, key)) await open_thing(section, key); else close_form();
    }
  } catch (error) { $("refusal").textContent = error.message; }
}

const open_form = () => document.querySelector("#form-of form");
const listed = (section, key) => document.querySelector(`#list [data-section="${section}"][data-key="${CSS.escape(key)}"]`);

function close_form() {
  unkept = false;
  $("form-of").replaceChildren();
}

// Save the changes of the open form before another one opens; undo takes them back.
async function leave() {
  const form = open_form();
  if (!form || !unkept) return true;
  if (form.dataset.tool === "add" && !form.checkValidity()) return confirm("This form is incomplete, so nothing is added yet. Discard it?");
  unkept = false;
  await send([["what", form.dataset.tool], ...said_in(form)]);
  return true;
}

// Return the values of a form without empty fields.
const said_in = (form, by) => [...new FormData(form, by)].filter(([name, value]) => value !== "" || name === "key");

function show(told) {
  if (told.under) { box = told.box; size = [told.width, told.depth]; table.setAttribute("viewBox", box.join(" ")); $("ground").innerHTML = told.under; $("pieces").innerHTML = told.pieces; }
  $("list").innerHTML = told.list;
  const area = document.querySelector("[name=text]");
  if (document.activeElement !== area) area.value = told.text;
  document.querySelector("[data-do=undo]").disabled = !told.undo;
  document.querySelector("[data-do=redo]").disabled = !told.redo;
  const faults = $("problems");
  faults.replaceChildren();
  $("play").hidden = !told.sound;
  if (!told.sound) { const head = document.createElement("p"); head.textContent = told.problems.length === 1 ? "1 problem to fix before it can be played:" : `${told.problems.length} problems to fix before it can be played:`; faults.append(head); }
  if (told.sound) { const fine = document.createElement("p"); fine.className = "allowed"; fine.textContent = "No problems: ready to play."; faults.append(fine); }
  for (const one of told.problems) { const line = document.createElement("p"); line.className = "refusal"; 
    const words = one.section ? document.createElement("button") : document.createElement("span");
    words.textContent = one.words;
    if (one.section) Object.assign(words.dataset, { section: one.section, key: one.key });
    const place = document.createElement("span");
    place.className = "how";
    place.textContent = ` line ${one.line} of the file`;
    line.append(words, place);
    faults.append(line);
  }
  const list = document.querySelector("[name=new]"), wanted = list.value;
  list.replaceChildren(...told.offers.flatMap(({ group, choices }) => {
    const options = choices.map(([value, words]) => new Option(words, value));
    if (!group) return options;
    const under = document.createElement("optgroup");
    under.label = group;
    under.append(...options);
    return [under];
  }));
  if ([...list.options].some((one) => one.value === wanted)) list.value = wanted;
  const sides = [...document.querySelectorAll("#list [data-section=sides]")].map((one) => [one.firstChild.textContent.trim(), one.dataset.key]);
  for (const list of document.querySelectorAll("[data-sides]")) {
    const kept = list.value;
    list.replaceChildren(...sides.map(([words, side]) => new Option(words, side)));
    if (sides.some(([, side]) => side === kept)) list.value = kept;
  }
  draw_marks();
}

// Open a form and scroll to `to`. On a small screen the map stays in view after drawing.
async function open_thing(section, key, kind = "", to = "form") {
  try {
    if (!await leave()) return;
    const html = (await ask("/form?" + new URLSearchParams({ section, key, kind }))).html;
    $("form-of").innerHTML = html;
    touched.clear();
    const head = document.querySelector("#form-of h2");
    if (to === "map" && matchMedia("(max-width: 800px)").matches) $("status").scrollIntoView();
    else { $("form-of").scrollIntoView({ block: "nearest" }); head.scrollIntoView({ block: "nearest" }); }
    head.focus({ preventScroll: true });
    if (key || section === "battle") await check(open_form());
    if (to === "fault") to_fault();
  } catch (error) { $("refusal").textContent = error.message; }
}

// Show the open form as an objective of another kind; fields that both kinds have keep their values.
async function of_kind(form) {
  const written = [...new FormData(form)];
  unkept = false;
  await open_thing("objectives", form.elements.key.value, form.elements["it.kind"].value);
  for (const field of document.querySelectorAll("#form-of form :is(input, select, textarea)")) {
    const values = written.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "checkbox") field.checked = values.includes(field.value);
    else if (values.length) field.value = values[0];
  }
  unkept = true;
  document.querySelector('#form-of [name="it.kind"]').focus();
}

// --- checks during typing ----------------------------------------------------------------------------------------------

async function check(form) {
  const turn = ++checks;
  try {
    const { faults } = await ask("/check", { method: "POST", body: new URLSearchParams(said_in(form)) });
    if (turn === checks && form.isConnected) tell_faults(form, Object.entries(faults));
  } catch (error) { if (form.isConnected) $("form-says").textContent = error.message; }
}

// Show each fault at its field. A new element shows faults only at edited fields.
function tell_faults(form, faults) {
  const fresh = form.dataset.tool === "add", fields = [...form.querySelectorAll("[data-field]")];
  for (const old of form.querySelectorAll(".fault")) old.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) { field.removeAttribute("aria-invalid"); field.removeAttribute("aria-describedby"); }
  let told = 0;
  for (const [name, words] of faults) {
    if (fresh && !touched.has(name)) continue;
    const at = fields.findLast((one) => one.dataset.field === name), line = document.createElement("span");
    line.className = "fault refusal";
    line.id = `fault-${++told}`;
    line.textContent = words;
    if (at) at.append(line); else form.prepend(line);
    for (let part = at?.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) { field.setAttribute("aria-invalid", "true"); field.setAttribute("aria-describedby", line.id); }
  }
  if (told) { const show = document.createElement("button"); show.type = "button"; show.dataset.fault = ""; show.textContent = told === 1 ? "1 problem here: show it" : `${told} problems here: show them`; $("form-says").replaceChildren(show); }
  else $("form-says").textContent = fresh ? "" : unkept ? "No problems here; not saved yet." : "No problems here.";
}

// Focus the first field with a fault in the open form.
function to_fault() {
  const fault = document.querySelector("#form-of .fault"), field = document.querySelector("#form-of [aria-invalid]");
  if (field && fault?.parentElement.contains(field)) field.focus({ preventScroll: true });
  fault?.scrollIntoView({ block: "center" });
}

function written(event) {
  const form = event.target.form;
  if (!form || form !== open_form() || form.dataset.tool === undefined) return;
  unkept = true;
  touched.add(event.target.name);
  if (!form.querySelector(".fault")) $("form-says").textContent = "Not saved yet.";
  clearTimeout(soon);
  soon = setTimeout(() => { if (form.isConnected) check(form); }, 300);
}
document.addEventListener("input", written);
document.addEventListener("change", written);
window.addEventListener("beforeunload", (event) => { if (unkept) event.preventDefault(); });

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

function begin(fields, least, most, said) {
  stop();
  drawing = { fields, least, most, points: [] };
  cursor = [box[0] + box[2] / 2, box[1] + box[3] / 2];
  pick(said);
}

// Draw for a field of the open form.
function draw_for(name, least, most, words) {
  begin(null, least, most, `${words}: ${most > 1 ? "click its corners, one after the other" : "click its place"}`);
  drawing.into = name;
}

function point_for(field, words) {
  stop();
  pointing = field;
  pick(`${words}: click it on the map`);
}

// Select or deselect the element under the pointer, if the field may refer to it.
function name_at(x, y) {
  const fields = [...document.querySelectorAll(`#form-of [name="${pointing}"]`)];
  for (const on of document.elementsFromPoint(x, y)) {
    const near = on.closest("[data-unit], [data-ground]");
    const key = near && (near.dataset.unit || near.dataset.ground);
    const box = fields.find((one) => one.type === "checkbox" && one.value === key);
    const list = fields.find((one) => one.options && [...one.options].some((option) => key && option.value === key));
    if (box) { box.checked = !box.checked; said(box); $("pick-said").textContent = `${key}: ${box.checked ? "selected" : "deselected"}`; return; }
    if (list) { list.value = key; stop(); said(list); list.focus(); return; }
  }
  $("pick-said").textContent = "nothing there can be chosen for this field";
}

const said = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));

// Round to half an inch, and snap to a table edge nearby.
function on_table(place, length) {
  const near = Math.round(place * 2) / 2;
  return near < 1 ? 0 : near > length - 1 ? length : near;
}

function add_point(point) {
  drawing.points.push([on_table(point[0], size[0]), on_table(point[1], size[1])]);
  draw_marks();
  if (drawing.points.length >= drawing.most) finish();
}

function finish() {
  if (!drawing) { stop(); return; }
  const { fields, least, points, into } = drawing;
  if (points.length && points.length < least) { $("pick-said").textContent = `click at least ${least} points; there are ${points.length} so far`; return; }
  const places = points.map(([x, y]) => `${x},${size[1] - y}`).join(" ");
  stop();
  if (!points.length) return;
  if (!into) { change([...fields, ["drawn", places]]); return; }
  const field = document.querySelector(`#form-of [name="${into}"]`);
  if (field) { field.value = places; said(field); field.focus(); }
}

function stop() {
  const from = pointing ? `[data-point="${pointing}"]` : drawing?.into ? `[data-draw="${drawing.into}"]` : "";
  if (from) document.querySelector(`#form-of ${from}`)?.focus();
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
  if (!drawing) { mark_field(document.activeElement); return; }
  if (drawing.points.length) marks.append(node("path", { class: "tape", d: "M" + drawing.points.map((point) => point.join(" ")).join("L") }));
  for (const [x, y] of drawing.points) marks.append(node("circle", { class: "candidate", cx: x, cy: y, r: box[2] / 120 }));
  if (cursor) marks.append(node("circle", { class: "candidate cursor", cx: cursor[0], cy: cursor[1], r: box[2] / 80 }));
}

// Show the places of the focused field.
function mark_field(field) {
  if (!field?.closest("#form-of") || !document.querySelector(`#form-of [data-draw="${CSS.escape(field.name || "")}"]`)) return;
  const numbers = (field.value.match(/[0-9.]+/g) || []).map(Number), points = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) points.push([numbers[at], size[1] - numbers[at + 1]]);
  if (points.length > 1) $("marks").append(node("path", { class: "tape", d: "M" + points.map((point) => point.join(" ")).join("L") }));
  for (const [x, y] of points) $("marks").append(node("circle", { class: "candidate", cx: x, cy: y, r: box[2] / 120 }));
}
document.addEventListener("focusin", draw_marks);
document.addEventListener("input", draw_marks);

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
  const data = tool === "set" || tool === "add" ? said_in(form, event.submitter) : [...new FormData(form, event.submitter)], fields = Object.fromEntries(data);
  if (tool === "text") change([["what", "text"], ...data]);
  else if (tool === "new") { const [section, kind, key] = fields.new.split("/"); open_thing(section, key || "", kind); }
  else if (tool === "set" || tool === "add") { if (fields.pointed) begin([["what", tool], ...data], 1, 1, `${fields["it.name"] || fields.key || fields.section}: click its place`); else change([["what", tool], ...data]); }
  else if (tool === "terrain") begin([["what", "add"], ["section", "terrain"], ...data], form.elements.kind.selectedOptions[0].parentElement.label === "areas" && fields.kind !== "road" ? 3 : 2, 100, `${fields.kind.replaceAll("_", " ")}: click its corners`);
  else if (tool === "units" && fields.unplaced) change([["what", "add"], ["section", "units"], ...data]);
  else if (tool === "units") begin([["what", "add"], ["section", "units"], ...data], 1, 1, `${fields.preset}: click its place`);
  else if (tool === "zone") begin([["what", "zone"], ["section", "sides"], ...data], 3, 100, "deployment zone: click its corners");
});

document.addEventListener("change", (event) => {
  if (event.target.matches('#form-of [name="it.kind"]') && event.target.form.elements.section.value === "objectives") of_kind(event.target.form);
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let found;
  if (on("[data-finish]")) finish();
  else if (on("[data-cancel]")) stop();
  else if ((found = on("[data-do]"))) { if (found.dataset.do !== "drop" || confirm("Delete this battle?")) change({ what: found.dataset.do }); }
  else if ((found = on("[data-preview]"))) { if (seen === found.dataset.preview) { seen = ""; $("preview").replaceChildren(); found.setAttribute("aria-pressed", "false"); look(); } else preview(found.dataset.preview); }
  else if ((found = on("[data-point]"))) point_for(found.dataset.point, found.dataset.words);
  else if ((found = on("[data-draw]"))) draw_for(found.dataset.draw, Number(found.dataset.least), Number(found.dataset.most), found.dataset.words);
  else if ((found = on("[data-another]"))) another(found);
  else if ((found = on("[data-without]"))) { const rows = found.closest(".rows"); found.closest(".row").remove(); rows.querySelector("[data-another]").focus(); said(open_form().elements.section); }
  else if (on("[data-close]")) { if (!unkept || confirm("Your changes in this form are not saved. Close it anyway?")) close_form(); }
  else if ((found = on("[data-remove]"))) { close_form(); change({ what: "remove", section: found.dataset.of, key: found.dataset.remove }); }
  else if (on("[data-fault]")) to_fault();
  else if ((found = on("[data-section]"))) open_thing(found.dataset.section, found.dataset.key, "", found.closest("#problems") ? "fault" : "form");
});

// Add a row, copied from the empty one.
function another(button) {
  const rows = button.closest(".rows"), name = rows.dataset.field, row = document.createElement("template");
  const next = Number(rows.dataset.next || rows.querySelectorAll(":scope > .row").length);
  rows.dataset.next = next + 1;
  row.innerHTML = rows.querySelector(":scope > template").innerHTML.replaceAll(`${name}.NEW`, `${name}.${next}`);
  button.before(row.content);
  button.previousElementSibling.querySelector("input, select, textarea")?.focus();
}

// Save unsaved changes before play starts.
$("play").addEventListener("click", async (event) => {
  if (!unkept) return;
  event.preventDefault();
  try { if (await leave() && !$("play").hidden) location.href = $("play").href; } catch (error) { $("refusal").textContent = error.message; }
});

async function look() {
  try { show(await ask("/parts")); } catch (error) { $("refusal").textContent = error.message; }
}
look();
