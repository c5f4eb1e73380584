// Input of the player: answers, forms, replay and keys; and updates when the game has changed.
"use strict";

// --- answers --------------------------------------------------------------------------------------------------------

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

// Two quick clicks on one place are meant for one question. The second must not answer the next, unread question.
const QUICK = 300;        // milliseconds after a new question appears
const SAME_PLACE = 12;    // pixels
const ANSWERS = "[data-option], #table, #question [type=submit]";
let pressed = 0;          // the question at the time of the last pointerdown
let clicked = { asks: 0, x: 0, y: 0 };
let freshness = 0;

// While a question is fresh, a click at the place of the last answer is ignored.
function freshen() {
  document.body.classList.add("fresh");
  clearTimeout(freshness);
  freshness = setTimeout(() => document.body.classList.remove("fresh"), QUICK);
}

document.addEventListener("pointerdown", () => { pressed = now.asks; }, true);

document.addEventListener("click", (event) => {
  if (!event.detail || !event.target.closest(ANSWERS)) return;    // a click by keyboard has detail 0
  const here = Math.hypot(event.clientX - clicked.x, event.clientY - clicked.y) < SAME_PLACE;
  const quick = document.body.classList.contains("fresh") || (event.detail > 1 && event.pointerType === "mouse");
  if (pressed !== now.asks || (here && quick && clicked.asks !== now.asks)) event.stopImmediatePropagation();
  else clicked = { asks: now.asks, x: event.clientX, y: event.clientY };
}, true);

document.addEventListener("keydown", (event) => {
  if (event.repeat && (event.key === "Enter" || event.key === " ") && event.target.closest(ANSWERS)) event.preventDefault();
}, true);

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let found;
  if ((found = on(".suggestion")) && event.pointerType === "touch" && found.dataset.option !== armed) arm_place(Number(found.dataset.option));
  else if ((found = on("[data-option]"))) take(Number(found.dataset.option));
  else if ((found = on("[data-act]"))) act(found.dataset.act, { side: found.dataset.side || "", player: found.dataset.player || "" });
  else if (on("[data-set-up]")) act("delegate", { scope: "phase", player: "doctrine" });
  else if ((found = on("[data-pick]"))) pick(found.dataset.pick, found.dataset.unit, found.dataset.said, reason_given());
  else if ((found = on("[data-order]"))) act_and_close("order", { unit: found.dataset.unit, kind: found.dataset.order });
  else if ((found = on("[data-umpire]"))) act_and_close("umpire", { act: found.dataset.umpire, of: found.dataset.of, what: found.dataset.what || "", reason: reason_given() });
  else if (on("[data-hush]")) { $("odds").innerHTML = ""; odds_shown = ""; }
  else if (on("[data-stop-picking]")) stop_picking();
  else if ((found = on("[data-open]"))) open_told("/" + found.dataset.open);
  else if ((found = on("[data-rule]"))) open_told("/rule?id=" + encodeURIComponent(found.dataset.rule));
  else if ((found = on("[data-step]"))) { open_told("/act?step=" + found.dataset.step); light_words(found.textContent); }
  else if ((found = on("[data-moment]"))) { $("sheet").close(); replay(Number(found.dataset.moment)); }
  else if (on("[data-now]")) stop_replay();
  else if ((found = on("[data-whole]"))) odds_of(Number(found.dataset.whole), true);
  else if ((found = on("[data-card]"))) { find(found.dataset.card); open_card(found.dataset.card); }
  else if ((found = on("[data-find]"))) { $("sheet").close(); find(found.dataset.find); }
  else if ((found = on("[data-zoom]"))) zoom(found.dataset.zoom);
  else if ((found = on("[data-zone]"))) show_zone(found.getAttribute("aria-pressed") === "true" ? "" : found.dataset.zone, found.dataset.of || "");
  else if ((found = on("[data-tool=ruler]"))) set_ruler(ruler === null);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.form) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  const kind = form.dataset.form;
  if (kind === "open-card") open_card(fields.piece);
  else if (kind === "umpire" || kind === "hand_over") act_and_close(kind, { ...fields, reason: reason_given() });
  else act(kind === "delegate" ? "delegate" : "answer", fields);
});

function reason_given() {
  return $("reason") ? $("reason").value : "";
}

async function act_and_close(what, fields) {
  if (await act(what, fields)) $("sheet").close();
}

// --- replay -----------------------------------------------------------------------------------------------------------

let replay_wanted = 0;
let replay_asked = false;    // one request at a time; steps in between are skipped while the slider moves

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
  $("replayed").hidden = false;
  if (Number($("moment").value) !== step) $("moment").value = step;
  while (replay_asked) await new Promise((done) => setTimeout(done, 10));
  if (wanted !== replay_wanted) return;
  replay_asked = true;
  try {
    const told = await ask("/at?step=" + step + "&letters=" + letters);
    if (wanted !== replay_wanted) return;
    draw_pieces(told.pieces);
    $("moment-said").textContent = told.headline + (told.said ? ": " + told.said : "");
  } catch (error) { refuse(error.message); } finally { replay_asked = false; }
}

function stop_replay() {
  replay_wanted++;
  replaying = false;
  document.body.classList.remove("replaying");
  $("replayed").hidden = true;
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
  if (event.repeat && !/^[-+]$|^Arrow/.test(event.key)) return;    // a key held down answers only one question
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
  else if (key === "f" || key === "d" || key === "c") { const kind = { f: "fire", d: "danger", c: "command" }[key]; show_zone(zone.kind === kind ? "" : kind); }
  else if (key === "o") { const numbers = document.activeElement.dataset.option !== undefined ? [Number(document.activeElement.dataset.option)] : options_at(document.activeElement); if (numbers.length) odds_of(numbers[0], true); }
  else if (key === "+") zoom("in");
  else if (key === "-") zoom("out");
  else if (key === "0") zoom("all");
  else if (key === "i") open_card(unit_at(document.activeElement) || now.acting);
  else if (key === "Escape") { if (picking) stop_picking(); else set_ruler(false); }
  else if (key === "Enter" || key === " ") {
    const suggestion = event.target.closest("#marks [data-option]");
    const numbers = options_at(event.target);
    if (picking && mark) picked(mark);
    else if (suggestion) take(Number(suggestion.dataset.option));
    else if (numbers.length) choose_among(numbers);
    else if (mark && event.target === table) document.querySelector("[data-form=place]").requestSubmit();
    else return;
    event.preventDefault();
  } else if (key.startsWith("Arrow") && table.contains(event.target)) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (now.place || picking) {
      const start = mark || middle_of(now.acting) || [whole[0] + whole[2] / 2, whole[1] + whole[3] / 2];
      think_of([start[0] + step[0] * 0.5, start[1] + step[1] * 0.5]);
    } else look_at(inside([view[0] + step[0] * view[2] / 12, view[1] + step[1] * view[2] / 12, view[2], view[3]]));
    event.preventDefault();
  }
});

// --- updates from the server --------------------------------------------------------------------------------------------

function hear(version) {
  document.body.classList.remove("lost");
  announced = version;
  if (!busy) look_again();
}

function lose() {
  document.body.classList.add("lost");
  looked = 0;
}

// A browser opens few connections to one server, so all its tabs share one stream. If they cannot share, each visible
// tab has its own.
if (window.SharedWorker) {
  const { port } = new SharedWorker("/static/stream.js");
  const link = base.replace("/game/", "");
  port.onmessage = (event) => { if (event.data === "lost") lose(); else hear(event.data); };
  addEventListener("pageshow", () => port.postMessage({ follow: link }));
  addEventListener("pagehide", () => port.postMessage({ follow: "" }));
  port.postMessage({ follow: link });
} else {
  let stream = null;
  const follow = () => {
    if (stream) stream.close();
    stream = document.hidden ? null : new EventSource(base + "/events");
    if (!stream) return;
    stream.onmessage = (event) => hear(Number(event.data));
    stream.onerror = () => { lose(); if (stream && stream.readyState === EventSource.CLOSED) setTimeout(follow, 3000); };
  };
  document.addEventListener("visibilitychange", follow);
  follow();
}
look();
