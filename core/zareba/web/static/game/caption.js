// The caption of the playback: what happens now, with its dice and cards, over the lower edge of the map.
import { all, byId } from "../common/dom.js";
import { drawnResults, element } from "./dice.js";
import { expandOnTap, markCut } from "./oneLine.js";

/** @import { Act, Beat } from "./state.js" */

expandOnTap(byId("caption"));

/**
 * Show a beat of an act.
 * @param {Act} act
 * @param {Beat} beat
 */
export function showBeat(act, beat) {
  const where = element("span", "caption-where", [act.turn ? "Turn " + act.turn : "", act.phase].filter(Boolean).join(" · "));
  const said = element("p", "caption-said" + (beat.side === null ? "" : " side-" + beat.side));
  if (beat.runs) said.append(element("span", "runs", "Runs"), " ");
  for (const [words, side] of beat.parts) said.append(side === null ? words : element("b", "named side-" + side, words));
  const results = element("div", "caption-results");
  results.append(...drawnResults(beat));
  byId("caption-body").replaceChildren(where, said, ...(results.childElementCount ? [results] : []));
  byId("moment-said").textContent = "";
  byId("caption").hidden = false;
  markCut(byId("caption"));
}

/** The corners of the map for the caption, in order of preference: lower left, lower right, upper left, upper right. */
const CORNERS = [[], ["to-right"], ["to-top"], ["to-top", "to-right"]];

/**
 * Move the caption to the first corner of the map where it covers no unit of a beat. On a phone it is above the map.
 * @param {Beat} beat
 */
export function keepClearOf(beat) {
  const caption = byId("caption");
  const units = [...beat.units, beat.lost?.piece ?? ""].filter(Boolean).map((unit) => CSS.escape(unit));
  const boxes = units.flatMap((unit) => all(`[data-unit="${unit}"], [data-piece="${unit}"]`, byId("pieces"))).map((piece) => piece.getBoundingClientRect());
  for (const corner of [...CORNERS, []]) {
    caption.classList.remove("to-right", "to-top");
    caption.classList.add(...corner);
    const own = caption.getBoundingClientRect();
    if (!boxes.some((box) => box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top)) return;
  }
}

/**
 * Show where an earlier moment stands.
 * @param {string} headline
 * @param {string} said
 */
export function showHeadline(headline, said) {
  byId("caption-body").replaceChildren();
  byId("moment-said").textContent = headline + (said ? ": " + said : "");
  byId("caption").hidden = false;
  markCut(byId("caption"));
}

/** Remove the caption. */
export function hideCaption() {
  byId("caption-body").replaceChildren();
  byId("moment-said").textContent = "";
  byId("caption").hidden = true;
}
