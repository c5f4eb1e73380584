// The list of units. It is long and seldom read, so the page loads it when a person opens it, and keeps it up to date then.
// It also loads it when a person searches the page: browsers search closed lists, and open the one that has the words.
import { updateChildren } from "../common/children.js";
import { byId, byIdAs, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { showRefusal } from "./messages.js";
import { isPlaying } from "./playback.js";
import { state } from "./state.js";

const list = byIdAs("who", HTMLDetailsElement);
let shown = "";            // the digest of the list on the page
let requesting = false;    // one request at a time

/**
 * Show the units as they are now, if the list is open. A list that is shown already waits for the end of the playback.
 * @param {boolean} isSearch true if a closed list is needed as well
 */
export async function showUnits(isSearch = false) {
  if (requesting) return;
  requesting = true;
  try {
    while ((list.open || isSearch) && shown !== state.page.units && !(shown && isPlaying() && !state.replaying)) {
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

/** Load the list when a person opens it, or begins a search of the page. */
export function listenForUnits() {
  list.addEventListener("toggle", () => showUnits());
  document.addEventListener("keydown", (event) => {
    if (event.key === "F3" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f")) showUnits(true);
  });
}
