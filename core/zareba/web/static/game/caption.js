// The caption of the playback: what happens now, with its dice and cards, over the lower edge of the map.
import { byId } from "../common/dom.js";
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
  byId("caption").hidden = false;
  markCut(byId("caption"));
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
