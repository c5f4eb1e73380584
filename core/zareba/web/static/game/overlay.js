// The layer above the pieces, where the playback draws.
import { byId, svgElement } from "../common/dom.js";

export const overlay = svgElement("g", { id: "playback", "aria-hidden": "true" });
byId("pieces").after(overlay);

/** Return true if the person prefers that nothing moves. */
export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
