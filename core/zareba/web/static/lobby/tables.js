// The games that this browser has opened: whose turn it is in each, with those that wait for this person first.
import { byId } from "../common/dom.js";
import { recall, remember } from "./settings.js";

/** @typedef {{ base: string, title: string }} Known */
/** @typedef {{ title: string, seat: string, asked: string, mine: boolean, over: boolean, players: string }} Summary */

const EVERY = 10_000;    // milliseconds
const list = byId("tables");

/** @returns {Known[]} */
function known() {
  try {
    const found = JSON.parse(recall("zareba.tables") || "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.base === "string" && one.base.startsWith("/game/")) : [];
  } catch {
    return [];
  }
}

/**
 * Return the summary of a game; null if its link is no longer valid, "away" if the server does not answer.
 * @param {Known} one
 * @returns {Promise<Summary | null | "away">}
 */
async function summaryOf(one) {
  try {
    const response = await fetch(one.base + "/summary", { headers: { Accept: "application/json" } });
    return response.ok ? await response.json() : response.status === 404 ? null : "away";
  } catch {
    return "away";
  }
}

async function refresh() {
  const tables = known(), found = [];
  for (const one of tables) found.push({ one, summary: await summaryOf(one) });    // one after another: few connections
  const gone = found.filter(({ summary }) => summary === null).map(({ one }) => one.base);
  if (gone.length) remember("zareba.tables", JSON.stringify(tables.filter((one) => !gone.includes(one.base))));
  const shown = found.filter(({ summary }) => summary !== null);
  shown.sort((a, b) => rank(a.summary) - rank(b.summary));
  list.replaceChildren(...shown.map(({ one, summary }) => line(one, summary)));
  byId("none").hidden = shown.length > 0;
}

/** @param {Summary | null | "away"} summary */
function rank(summary) {
  if (!summary || summary === "away") return 2;
  return summary.mine ? 0 : summary.over ? 3 : 1;
}

/**
 * @param {Known} one
 * @param {Summary | null | "away"} summary
 */
function line(one, summary) {
  const item = document.createElement("li"), link = document.createElement("a");
  link.href = one.base;
  link.textContent = summary && summary !== "away" ? summary.title : one.title;
  item.append(link);
  if (!summary || summary === "away") return item;
  item.classList.toggle("yours", summary.mine);
  const turn = document.createElement("strong"), players = document.createElement("span");
  turn.className = "turn";
  turn.textContent = summary.asked;
  players.textContent = summary.players;
  item.append(" ", turn, " ", players);
  return item;
}

setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
refresh();
