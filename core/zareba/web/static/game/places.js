// The choice of a place: the legal places, the marker, and the server's ruling on it.
import { byId, first, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { drawMarks } from "./marks.js";
import { showRefusal } from "./messages.js";
import { state } from "./state.js";

/** @import { Point, Ruling } from "./state.js" */

let checking = false;

/** Show the legal places of the question. */
export async function showLegalPlaces() {
  byId("legal-places").setAttribute("d", "");
  const { place, version, question_version: question } = state.page;
  if (!place) return;
  try {
    const { path, hint } = await requestJson("/where?version=" + version);
    if (!state.page.place || state.page.question_version !== question) return;
    byId("legal-places").setAttribute("d", path);
    byId("reach-hint").textContent = hint;
  } catch (error) {
    showRefusal(messageOf(error));
  }
}

/** Return the form with the coordinates of the place. */
export function placeForm() {
  return /** @type {HTMLFormElement} */ (first("[data-form=place]"));
}

/**
 * Set the marker and check it.
 * @param {Point} point
 */
export function setMark(point) {
  state.mark = point;
  const { place } = state.page;
  if (state.picking || !place) { drawMarks(); return; }
  byId("question").classList.add("marked");
  const form = placeForm();
  form.x.value = (point[0] / place.scale).toFixed(1);
  form.y.value = ((place.depth - point[1]) / place.scale).toFixed(1);
  drawMarks();
  checkMark();
}

/** Request a ruling on the latest point, one request at a time, also during dragging. */
async function checkMark() {
  if (checking) return;
  checking = true;
  try {
    let about = null;
    while (state.mark && state.page.place && about !== state.mark) {
      about = state.mark;
      const form = placeForm(), question = state.page.question_version;
      const ruling = await requestJson(`/check?x=${form.x.value}&y=${form.y.value}`);
      if (question === state.page.question_version) showRuling(ruling);
    }
  } catch (error) {
    showRefusal(messageOf(error));
  }
  checking = false;
}

/** @param {Ruling} ruling */
function showRuling(ruling) {
  state.ruling = ruling;
  const said = byId("ruling");
  said.textContent = [ruling.cost, ruling.refused || "allowed; press Enter or the button to go there"].filter(Boolean).join("; ");
  said.className = ruling.refused ? "refusal" : "allowed";
  drawMarks();
}

/** Remove the marker. */
export function clearMark() {
  state.mark = null;
  byId("question").classList.remove("marked");
  state.ruling = { refused: "", cost: "" };
}
