// A place for an order or for the umpire, chosen on the map.
import { byId } from "../common/dom.js";
import { act } from "./actions.js";
import { middleOf, showAll } from "./map.js";
import { drawMarks } from "./marks.js";
import { setMark } from "./places.js";
import { setRuler } from "./ruler.js";
import { closeSheet } from "./sheet.js";
import { state, table } from "./state.js";

/** @import { Point } from "./state.js" */

/**
 * Ask for a place.
 * @param {string} what "order" or "umpire"
 * @param {string} unit
 * @param {string} said what the place is for
 * @param {string} reason of the umpire
 */
export function startPicking(what, unit, said, reason) {
  setRuler(false);
  state.picking = { what, unit, reason };
  state.mark = null;
  closeSheet();
  byId("pick-said").textContent = said + "…";
  showAll();
  byId("pick").hidden = false;
  document.body.classList.add("picking");
  table.focus({ preventScroll: true });
  table.scrollIntoView({ block: "nearest" });
  const middle = middleOf(unit);
  if (middle) setMark(middle);
}

/** Stop asking for a place. */
export function stopPicking() {
  state.picking = null;
  state.mark = null;
  byId("pick").hidden = true;
  document.body.classList.remove("picking");
  drawMarks();
}

/**
 * Carry out the action at a place.
 * @param {Point} point
 */
export async function pickPlace(point) {
  if (!state.picking) return;
  const { what, unit, reason } = state.picking;
  const at = { x: point[0].toFixed(2), y: (state.page.depth - point[1]).toFixed(2) };
  const fields = what === "order" ? { unit, kind: "go", ...at } : { act: "move", of: unit, reason, ...at };
  if (await act(what, fields)) stopPicking();
}
