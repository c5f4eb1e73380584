// Keeps the list of games on the first page up to date.
import { byId } from "../common/dom.js";

const EVERY = 5000;    // milliseconds
const list = byId("games");
let shown = "";

async function refresh() {
  const open = Boolean(document.querySelector("#finished[open]"));
  try {
    const response = await fetch("/games" + (list.dataset.all ? "?all=1" : ""), { headers: { Accept: "application/json" } });
    const { html } = await response.json();
    if (html !== shown && shown && !list.contains(document.activeElement)) {
      list.innerHTML = html;
      if (open) document.querySelector("#finished")?.setAttribute("open", "");
    }
    shown = html;
  } catch {
    // no answer from the server: try again
  }
}

setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
refresh();
