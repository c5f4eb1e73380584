// The replay: the map at an earlier step of the game.
import { byId, byIdAs, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { showRefusal } from "./messages.js";
import { drawPieces } from "./pieces.js";
import { letters, state } from "./state.js";

const slider = byIdAs("moment", HTMLInputElement);
let wanted = 0;             // the number of the last request
let requesting = false;     // one request at a time; steps in between are skipped while the slider moves

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
  state.replaying = true;
  document.body.classList.add("replaying");
  byId("replayed").hidden = false;
  if (Number(slider.value) !== step) slider.value = String(step);
  while (requesting) await new Promise((done) => setTimeout(done, 10));
  if (turn !== wanted) return;
  requesting = true;
  try {
    const moment = await requestJson("/at?step=" + step + "&letters=" + letters);
    if (turn !== wanted) return;
    drawPieces(moment.pieces);
    byId("moment-said").textContent = moment.headline + (moment.said ? ": " + moment.said : "");
  } catch (error) {
    showRefusal(messageOf(error));
  } finally {
    requesting = false;
  }
}

/** Show the map as it is now. */
export function stopReplay() {
  wanted++;
  state.replaying = false;
  document.body.classList.remove("replaying");
  byId("replayed").hidden = true;
  byId("moment-said").textContent = "";
  slider.value = String(state.page.steps);
  drawPieces(state.page.pieces);
}

/** Replay the game while the slider is dragged. */
export function listenForSlider() {
  slider.addEventListener("input", () => showMoment(Number(slider.value)));
}
