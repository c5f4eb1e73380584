// The games that this browser has opened: whose turn it is in each, with those that wait for this person first.
import { byId } from "../common/dom.js";
import { recall, remember } from "./settings.js";

/** @typedef {{ base: string, title: string }} KnownTable */
/** @typedef {{ title: string, seat: string, asked: string, mine: boolean, over: boolean, players: string }} Summary */

const REFRESH_EVERY = 10_000;    // milliseconds
const list = byId("tables");

/** @returns {KnownTable[]} */
function knownTables() {
  try {
    const entries = JSON.parse(recall("zareba.tables") || "[]");
    return Array.isArray(entries) ? entries.filter((table) => typeof table?.base === "string" && table.base.startsWith("/game/")) : [];
  } catch {
    return [];
  }
}

/**
 * Return the summary of a game; null if its link is no longer valid, "away" if the server does not answer.
 * @param {KnownTable} table
 * @returns {Promise<Summary | null | "away">}
 */
async function summaryOf(table) {
  try {
    const response = await fetch(table.base + "/summary", { headers: { Accept: "application/json" } });
    return response.ok ? await response.json() : response.status === 404 ? null : "away";
  } catch {
    return "away";
  }
}

async function refresh() {
  const tables = knownTables(), entries = [];
  for (const table of tables) entries.push({ table, summary: await summaryOf(table) });    // one after another: few connections
  const gone = entries.filter(({ summary }) => summary === null).map(({ table }) => table.base);
  if (gone.length) remember("zareba.tables", JSON.stringify(tables.filter((table) => !gone.includes(table.base))));
  const shown = entries.filter(({ summary }) => summary !== null);
  shown.sort((a, b) => rank(a.summary) - rank(b.summary));
  list.replaceChildren(...shown.map(({ table, summary }) => line(table, summary)));
  byId("none").hidden = shown.length > 0;
}

/** @param {Summary | null | "away"} summary */
function rank(summary) {
  if (!summary || summary === "away") return 2;
  return summary.mine ? 0 : summary.over ? 3 : 1;
}

/**
 * @param {KnownTable} table
 * @param {Summary | null | "away"} summary
 */
function line(table, summary) {
  const item = document.createElement("li"), link = document.createElement("a");
  link.href = table.base;
  link.textContent = summary && summary !== "away" ? summary.title : table.title;
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

setInterval(() => { if (!document.hidden) refresh(); }, REFRESH_EVERY);
refresh();
