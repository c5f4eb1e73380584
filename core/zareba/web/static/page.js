// The script of the game page: shows the server's data and sends the player's actions. It knows no rules.
"use strict";

const main = document.getElementById("main");
const base = main.dataset.base;
const table = document.getElementById("table");
const letters = matchMedia("(max-width: 800px)").matches ? "large" : "";
const SVG = "http://www.w3.org/2000/svg";
const $ = (id) => document.getElementById(id);
let now = { version: 0, ground: "", aims: [] };
let whole = [0, 0, 60, 48];
let view = [0, 0, 60, 48];
let busy = false;
let announced = 0;    // the last version announced by the stream, and the last one requested
let looked = 0;
let mark = null;      // the point under consideration for a place
let picking = null;   // the action that waits for a place: act, unit and reason
let ruler = null;     // the first end of the ruler, true before it is set
let replaying = false;

// --- requests to the server -----------------------------------------------------------------------------------------

async function ask(path, options = {}) {
  const answer = await fetch(base + path, { headers: { Accept: "application/json" }, ...options });
  const told = await answer.json().catch(() => ({ refused: "the server sent no readable answer" }));
  if (!answer.ok) throw new Error(told.refused || "this is not possible");
  return told;
}

// Carry out an action; return true if it succeeded.
async function act(what, fields = {}) {
  if (document.body.classList.contains("busy")) return false;
  let done = true;
  document.body.classList.add("busy");
  while (busy) await new Promise((done) => setTimeout(done, 5));
  busy = true;
  refuse("");
  try {
    const body = new URLSearchParams({ version: now.version, position: now.position || "", ground: now.ground, letters, ...fields });
    show(await ask("/do/" + what, { method: "POST", body }));
    focusOnQuestion();
  } catch (error) {
    refuse(error.message);
    looked = 0;
    done = false;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
  look_again();
  return done;
}

// One request at a time; later announcements are fetched afterwards.
async function look() {
  if (busy) return;
  busy = true;
  try {
    const told = await ask("/parts?letters=" + letters + "&ground=" + encodeURIComponent(now.ground));
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

// Show a refusal, also in the dialog if one is open.
function refuse(words) {
  $("refusal").textContent = words;
  $("sheet-refusal").textContent = $("sheet").open ? words : "";
}

// --- display --------------------------------------------------------------------------------------------------------

function show(told) {
  const spoken = now.said !== told.said ? told.said : "";
  if (told.under !== undefined) {
    $("ground").innerHTML = told.under;
    whole = told.box;
    if (now.version === 0) look_at(whole);
  }
  const before = now;
  const same = told.asks === before.asks;
  now = told;
  main.dataset.version = told.version;
  const typed = same ? typed_fields() : [];
  for (const part of ["status", "question", "log", "units"]) if (told[part] !== before[part]) $(part).innerHTML = told[part];
  if (!same) ask_anew();
  else if (told.question !== before.question) type_again(typed);
  $("said").textContent = spoken;
  $("log").scrollTop = $("log").scrollHeight;
  document.body.classList.toggle("mine", told.mine);
  document.body.classList.toggle("thinking", told.thinking);
  document.body.classList.toggle("placing", Boolean(told.place));
  for (const line of document.querySelectorAll("#status meter")) line.classList.toggle("low", line.value < 50);
  if (!replaying) draw_pieces(told.pieces);
  if (!same) show_where();
  if (zone.kind) show_zone(zone.kind, zone.piece);
  wait_for_replay();
  if (told.over && location.hash === "#replay") { history.replaceState(null, "", location.pathname); replay(0); }
}

function ask_anew() {
  freshen();
  mark = null;
  ruling = { refused: "", cost: "" };
  $("odds").innerHTML = "";
  if (armed) $("measure").textContent = "";
  armed = "";
}

// Form entries are kept when the same question is redrawn.
function typed_fields() {
  return [...$("question").querySelectorAll("input, select")].map((field) => [field.form.dataset.form, field.name, field.value]);
}

function type_again(typed) {
  for (const [form, name, value] of typed) {
    const field = $("question").querySelector(`[data-form="${form}"] [name="${name}"]`);
    if (field) field.value = value;
  }
  if (mark && now.place) think_of(mark);
}

function draw_pieces(drawn) {
  const lit = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : null;
  $("pieces").innerHTML = drawn;
  if (!replaying) aim();
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

// Highlight the pieces and cells of the options; one element of each gets a role, a name and keyboard focus.
function aim() {
  for (const old of table.querySelectorAll(".can")) {
    old.classList.remove("can", "lit");
    for (const name of ["role", "tabindex", "aria-label", "data-options", "data-key"]) old.removeAttribute(name);
  }
  for (const old of table.querySelectorAll(".acting")) old.classList.remove("acting");
  if (now.acting) for (const one of matching({ pieces: [now.acting] })) one.classList.add("acting");
  for (const aim_ of now.aims || []) {
    const phrase = phrase_of(aim_.n) + (aim_.cost ? ", costs " + aim_.cost : "");
    for (const one of matching(aim_)) {
      one.classList.add("can");
      one.dataset.options = [one.dataset.options, aim_.n].filter((n) => n !== undefined).join(" ");
      if (!one.matches(".block, .cell, .tag:not(.block .tag)")) continue;
      one.setAttribute("role", "button");
      one.setAttribute("aria-label", one.hasAttribute("aria-label") ? one.getAttribute("aria-label") + "; or " + phrase : phrase);
      one.setAttribute("tabindex", "0");
      one.dataset.key = one.dataset.piece || "cell " + one.dataset.cell;
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

// --- odds of the option under the pointer ---------------------------------------------------------------------------

let odds_wanted = 0;
let odds_shown = "";

function odds_of(number, all = false) {
  const key = now.asks + "/" + number + "/" + all;
  if (key === odds_shown) return;
  const wanted = ++odds_wanted;
  setTimeout(async () => {
    if (wanted !== odds_wanted) return;
    try {
      const told = await ask(`/odds?n=${number}&whole=${all ? 1 : 0}&version=${now.version}`);
      if (wanted === odds_wanted && told.html) { $("odds").innerHTML = `<button type="button" class="close" data-hush aria-label="close the odds">✕</button><h2></h2>` + told.html; $("odds").querySelector("h2").textContent = phrase_of(number); odds_shown = key; }
    } catch (error) {
      if (wanted === odds_wanted) $("odds").textContent = "";
    }
  }, all ? 0 : 60);
}

function pointed(event) {
  const option = event.target.closest("[data-option]");
  const numbers = option ? [Number(option.dataset.option)] : options_at(event.target);
  if (event.pointerType === "touch" && !option) return;
  light(numbers, !matchMedia("(hover: none)").matches);
}

// On a touch screen the odds would cover the question, so they appear only on request.
function light(numbers, tells = true) {
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (!numbers.length || !now.mine) return;
  for (const number of numbers) {
    for (const aim_ of now.aims || []) if (aim_.n === number) for (const one of matching(aim_)) one.classList.add("lit");
    const button = document.querySelector(`#question [data-option="${number}"]`);
    if (button) button.classList.add("lit");
  }
  if (tells && !now.place) odds_of(numbers[0]);
}
document.addEventListener("pointerover", pointed);
document.addEventListener("focusin", pointed);

function options_at(target) {
  const found = target.closest && target.closest("[data-options]");
  return found ? found.dataset.options.split(" ").map(Number) : [];
}
