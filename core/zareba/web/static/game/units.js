// The list of units. It is long and seldom read, so the page loads it when a person opens it, and keeps it up to date then.
import { updateChildren } from "../common/children.js";
import { byId, byIdAs, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { showRefusal } from "./messages.js";
import { isPlaying } from "./playback.js";
import { state } from "./state.js";

const list = byIdAs("who", HTMLDetailsElement);
let shown = "";            // the digest of the list on the page
let requesting = false;    // one request at a time

/** Show the units as they are now, if the list is open. A list that is shown already waits for the end of the playback. */
export async function showUnits() {
  if (requesting) return;
  requesting = true;
  try {
    while (list.open && shown !== state.page.units && !(shown && isPlaying() && !state.replaying)) {
      const wanted = state.page.units;
      updateChildren(byId("units"), (await requestJson("/units")).html, "ul");
      shown = wanted;
    }
  } catch (error) {
    showRefusal(messageOf(error));
  } finally {
    requesting = false;
  }
}

/** Load the list when a person opens it. */
export function listenForUnits() {
  list.addEventListener("toggle", showUnits);
}
