// The replay: the map at an earlier step of the game, by the slider, by the buttons of the playback, or by a link.
import { byId, byIdAs, messageOf } from "../common/dom.js";
import { mapBefore } from "./acts.js";
import { clearOverlay, slideTo } from "./animation.js";
import { hideCaption, showHeadline } from "./caption.js";
import { showRefusal, showRemark } from "./messages.js";
import { drawPieces } from "./pieces.js";
import { isPlaying, playAgain, playFrom, showControls, skip, stepForward, stop, togglePause } from "./playback.js";
import { state } from "./state.js";

const slider = byIdAs("moment", HTMLInputElement);
const NEAR = 1;             // steps; the pieces slide to a map that is so near
const SLIDE = 350;          // milliseconds
let wanted = 0;             // the number of the last request
let requesting = false;     // one request at a time; steps in between are skipped while the slider moves
let shown = 0;              // the step whose map is shown

/** Give the slider the number of steps of the game. */
export function updateSlider() {
  slider.max = String(state.page.steps);
  if (!state.replaying) slider.value = slider.max;
}

/**
 * Show the map before a step.
 * @param {number} step
 */
export async function showMoment(step) {
  const turn = ++wanted;
  if (step >= state.page.steps) { stopReplay(); return; }
  const isNear = state.replaying && Math.abs(step - shown) === NEAR;
  enterReplay(step);
  while (requesting) await new Promise((done) => setTimeout(done, 10));
  if (turn !== wanted) return;
  requesting = true;
  try {
    const moment = await mapBefore(step);
    if (turn !== wanted) return;
    shown = step;
    slideTo(moment.pieces, isNear ? SLIDE : 0);
    showHeadline(moment.headline, moment.said);
    offerLink(moment.share);
    keepLink(step);
  } catch (error) {
    showRefusal(messageOf(error));
  } finally {
    requesting = false;
  }
}

/** @param {number} step */
function enterReplay(step) {
  stop();
  clearOverlay();
  state.replaying = true;
  document.body.classList.add("replaying");
  if (Number(slider.value) !== step) slider.value = String(step);
  showControls();
}

/** Show the map as it is now. */
export function stopReplay() {
  wanted++;
  stop();
  state.replaying = false;
  document.body.classList.remove("replaying");
  hideCaption();
  slider.value = String(state.page.steps);
  drawPieces(state.page.pieces);
  if (location.hash) history.replaceState(null, "", location.pathname);
  showControls();
}

/** Play from the moment that the slider shows, pause, or go on. */
export function playOrPause() {
  if (isPlaying()) { togglePause(); return; }
  if (state.replaying) playReplay(shown);
  else playAgain();
}

/**
 * Play the game from a step.
 * @param {number} step
 */
export async function playReplay(step) {
  await showMoment(step);
  if (state.replaying) playFrom(step, reach, stopReplay);
}

/** @param {number} step */
function reach(step) {
  shown = step;
  slider.value = String(step);
  keepLink(step);
}

/** Go one act on: the next beat of a playback, or the next step of the replay. */
export function forward() {
  if (isPlaying()) stepForward();
  else if (state.replaying) showMoment(Number(slider.value) + 1);
}

/** Go one step back, from the step that was requested last: its map may still be on its way. */
export function back() {
  showMoment(Math.max(0, (state.replaying ? Number(slider.value) : state.page.steps) - 1));
}

/** Go to the present. */
export function toPresent() {
  if (state.replaying) stopReplay();
  else skip();
}

/** Play the last acts again. */
export function again() {
  if (state.replaying) stopReplay();
  playAgain();
}

// --- links to a moment -----------------------------------------------------------------------------------------------------

/**
 * Put the moment into the address of the page.
 * @param {number} step
 */
function keepLink(step) {
  if (location.hash !== "#moment=" + step) history.replaceState(null, "", "#moment=" + step);
}

/**
 * Offer a link to the moment for spectators. The address of this page would let others play this seat.
 * @param {string} path "" if the game has no link for spectators
 */
function offerLink(path) {
  byId("share").hidden = !path;
  byId("share").dataset.share = path;
  if (path) byId("caption").classList.add("cut");    // on a phone a tap on the caption shows the button
}

/**
 * Copy the link of a moment for spectators.
 * @param {string} path
 */
export async function shareMoment(path) {
  const link = new URL(path, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    showRemark("The link is copied. Whoever opens it watches the game from this moment.");
  } catch {    // browsers allow this only on secure pages
    showRemark("Link for spectators: " + link);
  }
}

/** Show the moment in the address of the page, if it has one. */
export function openLink() {
  const found = /^#moment=(\d+)$/.exec(location.hash);
  if (found) showMoment(Number(found[1]));
  else if (state.page.over && location.hash === "#replay") playReplay(0);
}

/** Replay the game while the slider is dragged, and follow links. */
export function listenForReplay() {
  slider.addEventListener("input", () => showMoment(Number(slider.value)));
  addEventListener("hashchange", openLink);
}

