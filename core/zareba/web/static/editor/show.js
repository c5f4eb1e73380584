// Shows what the server says about the battle, and its preview under a ruleset.
import { all, byId, first, messageOf } from "../common/dom.js";
import { requestJson } from "../common/requests.js";
import { readLabels } from "./labels.js";
import { drawMarks } from "./marks.js";
import { showError } from "./messages.js";
import { state, table } from "./state.js";

/** @import { BattleState } from "./state.js" */

/** @param {BattleState} battle */
export function show(battle) {
  if (battle.ground_svg) {
    state.box = battle.box;
    state.size = [battle.width, battle.depth];
    table.setAttribute("viewBox", battle.box.join(" "));
    byId("ground").innerHTML = battle.ground_svg;
    byId("pieces").innerHTML = battle.pieces;
    readLabels();
  }
  byId("title").textContent = battle.title;
  byId("list").innerHTML = battle.list;
  const text = /** @type {HTMLTextAreaElement} */ (first("[name=text]"));
  if (document.activeElement !== text) text.value = battle.text;
  for (const [button, enabled] of /** @type {[string, boolean][]} */ ([["undo", battle.undo], ["redo", battle.redo]])) {
    /** @type {HTMLButtonElement} */ (first(`[data-do=${button}]`)).disabled = !enabled;
  }
  byId("play").hidden = !battle.sound;
  showProblems(battle);
  showOffers(battle);
  showSides();
  drawMarks();
}

/** @param {BattleState} battle */
function showProblems({ sound, problems }) {
  const head = document.createElement("p");
  if (sound) { head.className = "allowed"; head.textContent = "No problems: ready to play."; }
  else head.textContent = problems.length === 1 ? "1 problem to fix before it can be played:" : `${problems.length} problems to fix before it can be played:`;
  byId("problems").replaceChildren(head, ...problems.map((problem) => {
    const line = document.createElement("p");
    line.className = "refusal";
    const words = document.createElement(problem.section ? "button" : "span");
    words.textContent = problem.words;
    if (problem.section) Object.assign(words.dataset, { section: problem.section, key: problem.key });
    const place = document.createElement("span");
    place.className = "how";
    place.textContent = ` line ${problem.line} of the file`;
    line.append(words, place);
    return line;
  }));
}

/** @param {BattleState} battle */
function showOffers({ offers }) {
  const list = /** @type {HTMLSelectElement} */ (first("[name=new]")), wanted = list.value;
  list.replaceChildren(...offers.flatMap(({ group, choices }) => {
    const options = choices.map(([value, words]) => new Option(words, value));
    if (!group) return options;
    const optgroup = document.createElement("optgroup");
    optgroup.label = group;
    optgroup.append(...options);
    return [optgroup];
  }));
  if ([...list.options].some((option) => option.value === wanted)) list.value = wanted;
}

function showSides() {
  const sides = all("#list [data-section=sides]").map((element) => [element.firstChild?.textContent?.trim() ?? "", element.dataset.key ?? ""]);
  for (const list of /** @type {(HTMLSelectElement & Element)[]} */ (all("[data-sides]"))) {
    const chosen = list.value;
    list.replaceChildren(...sides.map(([words, side]) => new Option(words, side)));
    if (sides.some(([, side]) => side === chosen)) list.value = chosen;
  }
}

/**
 * Show the battle under a ruleset.
 * @param {string} ruleset
 */
export async function preview(ruleset) {
  try {
    const battle = await requestJson("/preview?ruleset=" + encodeURIComponent(ruleset));
    state.previewed = ruleset;
    byId("preview").innerHTML = battle.html;
    table.setAttribute("viewBox", battle.box.join(" "));
    byId("ground").innerHTML = battle.ground_svg;
    byId("pieces").innerHTML = battle.pieces;
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
