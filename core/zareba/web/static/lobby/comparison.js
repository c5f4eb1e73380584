// Updates a comparison every second; reloads the page when it has ended.
import { byId } from "../common/dom.js";

const progress = byId("progress");

async function refresh() {
  try {
    const response = await fetch(progress.dataset.address ?? "", { headers: { Accept: "application/json" } });
    const { state, html } = await response.json();
    if (state !== "under_way") { location.reload(); return; }
    progress.innerHTML = html;
  } catch {
    // no answer from the server: try again
  }
  setTimeout(refresh, 1000);
}

if (progress.dataset.state === "under_way") setTimeout(refresh, 1000);
