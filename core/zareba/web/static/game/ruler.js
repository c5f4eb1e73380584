// The ruler.
import { byId, first, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { noteAct } from "./lesson.js";
import { drawMarks, tape } from "./marks.js";
import { showRefusal, showRemark } from "./messages.js";
import { state } from "./state.js";

/** @import { Point } from "./state.js" */

let fromPiece = "";    // the piece at the first end

/**
 * Take the ruler or put it away.
 * @param {boolean} on
 */
export function setRuler(on) {
  state.ruler = on ? true : null;
  first("[data-tool=ruler]")?.setAttribute("aria-pressed", String(on));
  document.body.classList.toggle("measuring", on);
  showRemark(on ? "Click one end, then the other." : "");
  drawMarks();
}

/**
 * Set one end of the ruler; after the second end, show the distance.
 * @param {Point} point
 * @param {string} piece the piece at this end; "" if there is none
 */
export async function measure(point, piece) {
  if (state.ruler === true || !state.ruler) { state.ruler = point; fromPiece = piece; return; }
  const from = state.ruler, { depth } = state.page;
  state.ruler = true;
  try {
    const { words } = await requestJson(`/ruler?ax=${from[0]}&ay=${depth - from[1]}&bx=${point[0]}&by=${depth - point[1]}&a=${encodeURIComponent(fromPiece)}&b=${encodeURIComponent(piece)}`);
    showRemark(words.join("; "));
    noteAct("ruler");
    drawMarks();
    byId("marks").append(tape(from, point));
  } catch (error) {
    showRefusal(messageOf(error));
  }
}
