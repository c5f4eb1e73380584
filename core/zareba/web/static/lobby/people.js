// The people at the table: who is online, names, chat, clocks, and ends by agreement.
import { all, byId, byIdAs, closest, fieldsOf, first, messageOf } from "../common/dom.js";
import { base, requestJson } from "../common/requests.js";
import { showRefusal } from "../game/messages.js";
import { alertPerson } from "./notify.js";
import { recall, remember } from "./settings.js";

/** A seat, as the server describes it.
 * @typedef {object} Seat
 * @property {string} id
 * @property {string} name the name that its person has chosen, "" for none
 * @property {string} player its player in words
 * @property {boolean} person
 * @property {boolean} mine
 * @property {boolean} online
 * @property {boolean} asked true if it must answer
 * @property {number} waited seconds since its turn began
 * @property {number | null} left seconds left on its clock; null without a clock
 * @property {boolean} runs true while its clock runs */

/** The people at the table, as the server describes them.
 * @typedef {object} People
 * @property {number} people their version
 * @property {Seat[]} seats
 * @property {boolean} company true if there is somebody to talk to
 * @property {string} html
 * @property {string} chat HTML
 * @property {number} heard the time of the last line of chat, 0 without one
 * @property {{ name: string, text: string } | null} last the last line of chat */

const NAME = "zareba.name";
const TABLES = "zareba.tables";
const MOST_TABLES = 60;
const heardKey = "zareba.heard." + base;

/** @type {People | null} */
let people = null;
let received = 0;       // when the people were received, in milliseconds of performance.now()
let announced = 0;      // the last version that the event stream announced
let asking = false;

/** Show the people at the table, and listen for what the person does among them. */
export function followPeople() {
  rememberTable();
  document.addEventListener("click", (event) => {
    const button = closest(event.target, "[data-people]");
    if (button && (!button.dataset.sure || confirm(button.dataset.sure))) doAmongPeople(button.dataset.people ?? "", { side: button.dataset.side ?? "" });
    else if (closest(event.target, "[data-chat]")) openChat();
  });
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.id !== "say" && form.id !== "name") return;
    event.preventDefault();
    if (form.id === "say") say(form);
    else takeName(fieldsOf(form).name ?? "");
  });
  document.addEventListener("visibilitychange", readChat);
  document.addEventListener("scroll", readChat, { capture: true, passive: true });
  setInterval(showTimes, 1000);
  requestPeople();
}

/**
 * Hear from the server that the people at the table have a new version.
 * @param {number} version
 */
export function notePeopleVersion(version) {
  announced = version;
  if (people?.people !== version) requestPeople();
}

async function requestPeople() {
  if (asking) return;
  asking = true;
  try {
    showPeople(await requestJson("/people"));
  } catch (error) {
    announced = 0;
    showRefusal(messageOf(error));
  } finally {
    asking = false;
  }
  if (announced && people && announced !== people.people) setTimeout(requestPeople, 200);
}

/**
 * @param {string} what
 * @param {Record<string, string>} fields
 */
async function doAmongPeople(what, fields) {
  showRefusal("");
  try {
    showPeople(await requestJson("/people/" + what, { method: "POST", body: new URLSearchParams(fields) }));
    return true;
  } catch (error) {
    showRefusal(messageOf(error));
    return false;
  }
}

/** @param {People} newPeople */
function showPeople(newPeople) {
  const before = people;
  people = newPeople;
  received = performance.now();
  if (newPeople.html !== before?.html) {
    const open = Boolean(first("#people .ends[open]"));
    byId("people").innerHTML = newPeople.html;
    if (open) first("#people .ends")?.setAttribute("open", "");
  }
  if (newPeople.chat !== before?.chat) {
    byId("chat").innerHTML = newPeople.chat;
    byId("chat-box").scrollTop = byId("chat-box").scrollHeight;
    for (const time of all("#chat time")) time.textContent = timeOfDay(Number(time.dataset.at));
  }
  document.body.classList.toggle("company", newPeople.company);
  if (before && newPeople.last && newPeople.heard > before.heard && !isOwn(newPeople.last.name)) alertPerson(newPeople.last.name, newPeople.last.text);
  if (!before) offerName();
  decorateStatus();
  readChat();
}

/** @param {string} name */
function isOwn(name) {
  return Boolean(people?.seats.some((seat) => seat.mine && (seat.name === name)));
}

// --- names and presence in the status ---------------------------------------------------------------------------------

/** Write the name, the presence, the waiting time and the clock of each person into the status. */
export function decorateStatus() {
  for (const seat of people?.seats ?? []) {
    const line = first(`#status [data-seat="${CSS.escape(seat.id)}"]`);
    const who = line && first(".who", line);
    if (!who) continue;
    who.textContent = "(" + (seat.mine && seat.name ? `${seat.name}, you` : seat.player);
    if (seat.person && !seat.mine) who.append(" ", labelElement("presence " + (seat.online ? "online" : "away"), seat.online ? "online" : "away"));
    if (seat.asked && seat.person && !seat.mine) who.append(timeElement("waited", seat.id));
    if (seat.left !== null) who.append(timeElement("clock", seat.id));
    who.append(")");
  }
  showTimes();
}

/**
 * @param {string} kind
 * @param {string} words
 */
function labelElement(kind, words) {
  const element = document.createElement("span");
  element.className = kind;
  element.textContent = words;
  return element;
}

/**
 * @param {"waited" | "clock"} kind
 * @param {string} seat
 */
function timeElement(kind, seat) {
  const element = labelElement(kind, "");
  element.dataset[kind] = seat;
  return element;
}

function showTimes() {
  for (const seat of people?.seats ?? []) {
    const passed = (performance.now() - received) / 1000;
    const id = CSS.escape(seat.id);
    for (const one of all(`[data-waited="${id}"]`)) setText(one, seat.asked ? durationInWords(seat.waited + passed) : "");
    if (seat.left === null) continue;
    const left = seat.left - (seat.runs ? passed : 0);
    for (const one of all(`[data-clock="${id}"]`)) {
      setText(one, left > 0 ? clockFace(left) : "out of time");
      one.classList.toggle("late", left <= 0);
    }
    if (seat.runs && seat.left > 0 && left <= 0) requestPeople();    // the server then offers the claim
  }
}

/**
 * @param {Element} element
 * @param {string} words
 */
function setText(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** @param {number} seconds */
function durationInWords(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "";
  if (minutes < 60) return `for ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `for ${hours} h` : `for ${Math.floor(hours / 24)} days`;
}

/** @param {number} seconds */
function clockFace(seconds) {
  const whole = Math.ceil(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  const twoDigits = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}

/** @param {number} at seconds since the epoch */
function timeOfDay(at) {
  return new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

// --- chat -------------------------------------------------------------------------------------------------------------

/** @param {HTMLFormElement} form */
async function say(form) {
  const { text } = fieldsOf(form);
  if (text?.trim() && await doAmongPeople("say", { text })) form.reset();
}

function openChat() {
  byId("talk").scrollIntoView({ block: "nearest" });
  const field = document.querySelector("#say input");
  if (field instanceof HTMLInputElement) field.focus();
  readChat();
}

/** Count the lines that the person has not seen yet. */
function readChat() {
  if (!people?.company) return;    // there is no chat, and measuring its box would lay the page out
  const box = byId("talk").getBoundingClientRect();
  const seen = !document.hidden && box.height > 0 && box.top < innerHeight && box.bottom > 0 && isInside(box);
  if (seen && people?.heard) remember(heardKey, String(people.heard));
  const heard = Number(recall(heardKey));
  const unread = all("#chat time").filter((time) => Number(time.dataset.at) > heard).length;
  setText(byId("unread"), unread ? `${unread} new` : "");
}

/**
 * Return true if a box is in the visible part of the panel.
 * @param {DOMRect} box
 */
function isInside(box) {
  const panel = byId("side").getBoundingClientRect();
  return box.top < panel.bottom && box.bottom > panel.top;
}

// --- names ------------------------------------------------------------------------------------------------------------

/** Show the name of the person, and give it to this table if it has none yet. */
function offerName() {
  const own = people?.seats.find((seat) => seat.mine), field = document.querySelector("#name input");
  if (!own || !(field instanceof HTMLInputElement)) return;
  const remembered = recall(NAME);
  field.value = own.name || remembered;
  if (remembered && !own.name) doAmongPeople("name", { name: remembered });
}

/** @param {string} name */
async function takeName(name) {
  if (!await doAmongPeople("name", { name })) return;
  remember(NAME, name.trim());
  byIdAs("settings", HTMLElement).hidePopover();
}

// --- tables that this browser has opened --------------------------------------------------------------------------------

/** Remember this table for the list of tables of people who do not own the server. */
function rememberTable() {
  const title = document.title.replace(/ · zareba$/, "");
  const others = tables().filter((one) => one.base !== base);
  remember(TABLES, JSON.stringify([{ base, title }, ...others].slice(0, MOST_TABLES)));
}

/** @returns {{ base: string, title: string }[]} */
function tables() {
  try {
    const found = JSON.parse(recall(TABLES) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
