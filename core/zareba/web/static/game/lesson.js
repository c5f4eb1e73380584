// The lessons of the tutorial, beside the question. The page remembers which ones are done.
import { messageOf } from "../common/dom.js";
import { base, requestJson } from "../common/requests.js";

const PATIENCE = 3;    // number of questions for which a lesson is offered before the next one replaces it
const panel = document.getElementById("lesson");
const kept = "zareba lessons " + base;
/** The keys of the lessons that are done or skipped. @type {string[]} */
let learnt = (sessionStorage.getItem(kept) || "").split(",").filter(Boolean);
let current = { key: "", act: "" };
let offered = 0;

/** Show the lesson that fits a new question. */
export async function startLesson() {
  if (!panel) return;
  if (current.act === "answer" || ++offered > PATIENCE) finish();
  await refresh("");
}

/**
 * Note what the player has done; the lesson that asks for it is then learnt.
 * @param {string} act
 */
export function noteAct(act) {
  if (!panel || act === "answer" || act !== current.act) return;    // an answer brings a new question, and a new lesson
  finish();
  refresh("Well done. ");
}

/** Skip the present lesson. */
export function skipLesson() {
  finish();
  refresh("");
}

function finish() {
  if (current.key) learnt.push(current.key);
  sessionStorage.setItem(kept, learnt.join());
  current = { key: "", act: "" };
  offered = 0;
}

/** @param {string} praise */
async function refresh(praise) {
  if (!panel) return;
  try {
    const { html, key, act } = await requestJson("/lesson?learnt=" + encodeURIComponent(learnt.join()));
    if (key !== current.key) offered = 1;
    current = { key, act };
    panel.innerHTML = html;
    if (praise && html) panel.insertAdjacentText("afterbegin", praise);
  } catch (error) {
    panel.textContent = messageOf(error);
  }
}
