// The page of the companion: sends what people tap, keeps up with other phones, and keeps the screen awake.
import { all, byId, closest, messageOf } from "../common/dom.js";
import { base, requestJson } from "../common/requests.js";

const EVERY = 3_000;    // milliseconds between questions whether another phone has changed the book
const book = byId("book"), refusal = byId("refusal");

/** @returns {string} the version of the book on this page */
function version() {
  return book.querySelector("[data-version]")?.getAttribute("data-version") ?? "";
}

/** @param {string} html */
function show(html) {
  const open = all("details[open][id]", book).map((one) => one.id);
  book.innerHTML = html;    // rendered and escaped by the server
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
}

/**
 * Send a form of the page and show the new book, or the reason of a refusal.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button] the button that was tapped; its value counts if it has a name, such as "All"
 */
async function send(form, button = null) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  if (button instanceof HTMLButtonElement && button.name) fields.append(button.name, button.value);
  fields.set("version", version());
  refusal.textContent = "";
  const isAnswer = closest(form, ".asked") !== null;    // else a correction or a note below the question
  try {
    const data = await requestJson("/do", { method: "POST", body: fields });
    show(data.html);
    book.querySelector(isAnswer ? "h1" : ".told")?.scrollIntoView({ block: "nearest" });
  } catch (error) {
    refusal.textContent = messageOf(error);
    refusal.scrollIntoView({ block: "nearest" });
    await keepUp();
  }
}

/** Show the book again if it has changed; what people have typed stays otherwise. */
async function keepUp() {
  try {
    const data = await requestJson("/version");
    if (String(data.version) !== version()) await refresh();
  } catch {
    // the server is away for a moment; the next tap says so
  }
}

async function refresh() {
  try {
    show((await requestJson("/book")).html);
  } catch (error) {
    refusal.textContent = messageOf(error);
  }
}

document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.method === "get") return;    // "get": another page
  event.preventDefault();
  send(event.target, event.submitter);
});

/**
 * Show how many dice have been tapped, and the last of them: a volley has more faces than the field is wide.
 * @param {HTMLFormElement} form
 * @param {string[]} faces
 */
function showFaces(form, faces) {
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("faces"));
  const count = form.querySelector("[data-count]");
  input.value = faces.join(" ");
  input.scrollLeft = input.scrollWidth;
  if (count) count.textContent = faces.length ? `${faces.length} of ${form.dataset.dice}` : "";
}

document.addEventListener("click", (event) => {
  const face = closest(event.target, "[data-face]"), form = closest(event.target, "form.throw");
  const erases = closest(event.target, "[data-erase]") !== null;
  if (!(face || erases) || !(form instanceof HTMLFormElement)) return;
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem("faces"));
  const tapped = input.value.split(" ").filter(Boolean);
  showFaces(form, face ? [...tapped, face.getAttribute("data-face") ?? ""] : tapped.slice(0, -1));
  if (face && tapped.length + 1 === Number(form.dataset.dice)) send(form);
});

document.addEventListener("focusin", (event) => {
  if (closest(event.target, "input[name=distance]") && event.target instanceof HTMLInputElement) event.target.select();
});

setInterval(() => {
  if (!document.hidden && !(document.activeElement instanceof HTMLInputElement)) keepUp();
}, EVERY);

/** Keep the screen awake, where the browser allows it. */
async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // the battery is low, or the page is hidden
  }
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) stayAwake(); });
stayAwake();
document.getElementById(location.hash.slice(1))?.setAttribute("open", "");
if (!base) refusal.textContent = "This page has lost its address; open the link again.";
