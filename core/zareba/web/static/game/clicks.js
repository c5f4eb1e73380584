// Clicks on buttons, and submitted forms.
import { byId, byIdAs, closest, fieldsOf } from "../common/dom.js";
import { act, actAndClose, answerWith, letAiFinish } from "./actions.js";
import { showAdvice } from "./advice.js";
import { skipLesson } from "./lesson.js";
import { openStep } from "./log.js";
import { showPiece, zoom } from "./map.js";
import { closeOdds, showAllOdds } from "./odds.js";
import { startPicking, stopPicking } from "./picking.js";
import { nextSpeed } from "./playback.js";
import { revealFold } from "./question.js";
import { again, back, forward, playOrPause, playReplay, shareMoment, showMoment, stopReplay, toPresent } from "./replay.js";
import { setRuler } from "./ruler.js";
import { closeSheet, openCard, openPage } from "./sheet.js";
import { state } from "./state.js";
import { tapPlace } from "./touch.js";
import { showZone } from "./zones.js";

/** Carry out what buttons and forms say. */
export function listenForClicks() {
  document.addEventListener("click", carryOut);
  document.addEventListener("submit", submit);
  byId("question").addEventListener("toggle", reveal, true);    // `toggle` does not bubble
}

/** The action of each button, by the data attribute that the button has; the first that matches is carried out.
 * @type {[string, (data: DOMStringMap, button: Element) => void][]} */
const BUTTONS = [
  ["[data-option]", (data) => answerWith(Number(data.option))],
  ["[data-advice]", () => showAdvice()],
  ["[data-skip-lesson]", () => skipLesson()],
  ["[data-act]", (data) => act(data.act ?? "", { side: data.side || "", player: data.player || "" })],
  ["[data-set-up]", () => letAiFinish("set_up")],
  ["[data-rest]", (data) => letAiFinish(data.rest === "unit" ? "unit" : "phase")],
  ["[data-pick]", (data) => startPicking(data.pick ?? "", data.unit ?? "", data.said ?? "", reasonGiven())],
  ["[data-order]", (data) => actAndClose("order", { unit: data.unit ?? "", kind: data.order ?? "" })],
  ["[data-umpire]", (data) => actAndClose("umpire", { act: data.umpire ?? "", of: data.of ?? "", what: data.what || "", reason: reasonGiven() })],
  ["[data-hush]", () => closeOdds()],
  ["[data-stop-picking]", () => stopPicking()],
  ["[data-open]", (data) => openPage("/" + data.open)],
  ["[data-rule]", (data) => openPage("/rule?id=" + encodeURIComponent(data.rule ?? ""))],
  ["[data-step]", (data) => openStep(Number(data.step), data)],
  ["[data-moment]", (data) => { closeSheet(); showMoment(Number(data.moment)); }],
  ["[data-share]", (data) => shareMoment(data.share ?? "")],
  ["[data-now]", () => stopReplay()],
  ["[data-play]", (data) => PLAYBACK[data.play ?? ""]?.()],
  ["[data-play-from]", (data) => { closeSheet(); playReplay(Number(data.playFrom)); }],
  ["[data-whole]", (data) => showAllOdds(Number(data.whole))],
  ["[data-card]", (data) => { showPiece(data.card ?? ""); openCard(data.card ?? ""); }],
  ["[data-find]", (data) => { closeSheet(); showPiece(data.find ?? ""); }],
  ["[data-zoom]", (data) => zoom(data.zoom ?? "")],
  ["[data-zone]", (data, button) => showZone(button.getAttribute("aria-pressed") === "true" ? "" : data.zone ?? "", data.of || "")],
  ["[data-tool=ruler]", () => setRuler(state.ruler === null)],
];

/** The buttons of the playback. @type {Record<string, () => void>} */
const PLAYBACK = { back, toggle: playOrPause, forward, skip: toPresent, again, speed: nextSpeed };

/** @param {MouseEvent} event */
function carryOut(event) {
  const suggestion = closest(event.target, ".suggestion");
  if (suggestion && /** @type {PointerEvent} */ (event).pointerType === "touch" && suggestion.dataset.option !== state.tapped) {
    tapPlace(Number(suggestion.dataset.option));
    return;
  }
  for (const [selector, action] of BUTTONS) {
    const button = closest(event.target, selector);
    if (button) { action(button.dataset, button); return; }
  }
}

/**
 * Bring a fold of the question into view that the player has opened; one that a script opens again stays where it is.
 * @param {Event} event
 */
function reveal(event) {
  const fold = event.target;
  if (fold instanceof HTMLDetailsElement && fold.open && fold.contains(document.activeElement)) revealFold(fold);
}

/** @param {SubmitEvent} event */
function submit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.dataset.form) return;
  event.preventDefault();
  const fields = fieldsOf(form), kind = form.dataset.form;
  if (kind === "open-card") openCard(fields.piece);
  else if (kind === "umpire" || kind === "hand_over") actAndClose(kind, { ...fields, reason: reasonGiven() });
  else act(kind === "delegate" ? "delegate" : "answer", fields);
}

/** Return the reason that the umpire gives; "" if the dialog has no such field. */
function reasonGiven() {
  return document.getElementById("reason") ? byIdAs("reason", HTMLInputElement).value : "";
}
