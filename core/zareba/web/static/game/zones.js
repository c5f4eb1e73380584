// The zones of fire, danger and command on the map.
import { all, byId, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { showRefusal, showRemark } from "./messages.js";
import { closeSheet } from "./sheet.js";

let zone = { kind: "", piece: "" };

/** Return the kind of zone that is shown; "" if there is none. */
export const shownZone = () => zone.kind;

/**
 * Show a zone; "" shows none.
 * @param {string} kind "fire", "danger", "command" or ""
 * @param {string} piece a unit, or "" for the whole side
 */
export async function showZone(kind, piece = "") {
  zone = { kind, piece };
  for (const button of all(".tools [data-zone]")) button.setAttribute("aria-pressed", String(button.dataset.zone === kind));
  byId("zones").innerHTML = "";
  if (piece) closeSheet();
  showRemark("");
  if (!kind) return;
  try {
    const { svg, words } = await requestJson(`/reach?kind=${kind}&piece=${encodeURIComponent(piece)}`);
    if (zone.kind !== kind || zone.piece !== piece) return;
    byId("zones").innerHTML = svg;
    showRemark(words);
  } catch (error) {
    showRefusal(messageOf(error));
  }
}

/** Draw the zone again, after the pieces have changed. */
export function refreshZone() {
  if (zone.kind) showZone(zone.kind, zone.piece);
}
