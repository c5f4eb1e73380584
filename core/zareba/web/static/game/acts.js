// What happened: the acts of the log, and the map before each step.
import { requestJson } from "../common/requests.js";
import { state } from "./state.js";

/** @import { Act, Moment } from "./state.js" */

/** The map before a step: its pieces, where play stood, what the step before it said, and the path of its link for
 * spectators ("" for none).
 * @typedef {{ pieces: string, headline: string, said: string, share: string }} EarlierMap */

/** The acts from one moment to another.
 * @typedef {{ since: Moment, until: Moment, acts: Act[] }} ActsSince */

const MOST_KEPT = 80;
/** The maps before finished steps. @type {Map<number, Promise<EarlierMap>>} */
const maps = new Map();

/**
 * Return the acts since a moment, and the moment up to which they go; without a moment, the acts since this seat's last
 * choice.
 * @param {Moment} [since]
 * @returns {Promise<ActsSince>}
 */
export function requestActs(since) {
  return requestJson(since ? `/acts?step=${since[0]}&beat=${since[1]}` : "/acts");
}

/**
 * Return the map before a step; after the last step, the map as it is now.
 * @param {number} step
 * @returns {Promise<EarlierMap>}
 */
export function mapBefore(step) {
  if (step >= state.page.steps) return Promise.resolve({ pieces: state.page.pieces, headline: "", said: "", share: "" });
  const kept = maps.get(step);
  if (kept) return kept;
  const found = requestJson("/at?step=" + step);
  maps.set(step, found);
  found.catch(() => maps.delete(step));
  if (maps.size > MOST_KEPT) maps.delete(/** @type {number} */ (maps.keys().next().value));
  return found;
}

/** Forget the maps, because steps have been undone. */
export function forgetMaps() {
  maps.clear();
}

/**
 * Return true if a moment is later than another.
 * @param {Moment} moment
 * @param {Moment} other
 */
export function isLater(moment, other) {
  return moment[0] > other[0] || (moment[0] === other[0] && moment[1] > other[1]);
}
