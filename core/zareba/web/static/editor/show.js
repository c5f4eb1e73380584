// Shows what the server says about the battle, and its preview under a ruleset.
import { all, byId, first, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { readLabels } from "./labels.js";
import { drawMarks } from "./marks.js";
import { showError } from "./messages.js";
import { state, table } from "./state.js";

/** @import { BattleState } from "./state.js" */

/** @param {BattleState} told */
export function show(told) {
  if (told.ground_svg) {
    state.box = told.box;
    state.size = [told.width, told.depth];
    table.setAttribute("viewBox", told.box.join(" "));
    byId("ground").innerHTML = told.ground_svg;
    byId("pieces").innerHTML = told.pieces;
    readLabels();
  }
  byId("list").innerHTML = told.list;
  const text = /** @type {HTMLTextAreaElement} */ (first("[name=text]"));
  if (document.activeElement !== text) text.value = told.text;
  for (const [button, enabled] of /** @type {[string, boolean][]} */ ([["undo", told.undo], ["redo", told.redo]])) {
    /** @type {HTMLButtonElement} */ (first(`[data-do=${button}]`)).disabled = !enabled;
  }
  byId("play").hidden = !told.sound;
  showProblems(told);
  showOffers(told);
  showSides();
  drawMarks();
}

/** @param {BattleState} told */
function showProblems({ sound, problems }) {
  const head = document.createElement("p");
  if (sound) { head.className = "allowed"; head.textContent = "No problems: ready to play."; }
  else head.textContent = problems.length === 1 ? "1 problem to fix before it can be played:" : `${problems.length} problems to fix before it can be played:`;
  byId("problems").replaceChildren(head, ...problems.map((one) => {
    const line = document.createElement("p");
    line.className = "refusal";
    const words = document.createElement(one.section ? "button" : "span");
    words.textContent = one.words;
    if (one.section) Object.assign(words.dataset, { section: one.section, key: one.key });
    const place = document.createElement("span");
    place.className = "how";
    place.textContent = ` line ${one.line} of the file`;
    line.append(words, place);
    return line;
  }));
}

/** @param {BattleState} told */
function showOffers({ offers }) {
  const list = /** @type {HTMLSelectElement} */ (first("[name=new]")), wanted = list.value;
  list.replaceChildren(...offers.flatMap(({ group, choices }) => {
    const options = choices.map(([value, words]) => new Option(words, value));
    if (!group) return options;
    const under = document.createElement("optgroup");
    under.label = group;
    under.append(...options);
    return [under];
  }));
  if ([...list.options].some((one) => one.value === wanted)) list.value = wanted;
}

function showSides() {
  const sides = all("#list [data-section=sides]").map((one) => [one.firstChild?.textContent?.trim() ?? "", one.dataset.key ?? ""]);
  for (const list of /** @type {(HTMLSelectElement & Element)[]} */ (all("[data-sides]"))) {
    const kept = list.value;
    list.replaceChildren(...sides.map(([words, side]) => new Option(words, side)));
    if (sides.some(([, side]) => side === kept)) list.value = kept;
  }
}

/**
 * Show the battle under a ruleset.
 * @param {string} ruleset
 */
export async function preview(ruleset) {
  try {
    const told = await requestJson("/preview?ruleset=" + encodeURIComponent(ruleset));
    state.previewed = ruleset;
    byId("preview").innerHTML = told.html;
    table.setAttribute("viewBox", told.box.join(" "));
    byId("ground").innerHTML = told.ground_svg;
    byId("pieces").innerHTML = told.pieces;
    readLabels();
  } catch (error) {
    byId("preview").textContent = messageOf(error);
  }
  for (const button of all("[data-preview]")) button.setAttribute("aria-pressed", String(button.dataset.preview === state.previewed));
}

/** Show the plain map again. */
export function stopPreview() {
  state.previewed = "";
  byId("preview").replaceChildren();
  requestBattle();
}

/** Request the state of the battle. */
export async function requestBattle() {
  try {
    show(await requestJson("/parts"));
  } catch (error) {
    showError(error);
  }
}
