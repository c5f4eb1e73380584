// Keys.
import { all, closest, first } from "../common/dom.js";
import { act, answerWith, letAiFinish } from "./actions.js";
import { showAdvice } from "./advice.js";
import { chooseAmong } from "./choices.js";
import { middleOf, scroll, shownBox, wholeBox, zoom } from "./map.js";
import { showAllOdds } from "./odds.js";
import { sayHeld } from "./messages.js";
import { optionsAt, unitAt } from "./options.js";
import { pickPlace, stopPicking } from "./picking.js";
import { placeForm, setMark } from "./places.js";
import { again, back, forward, playOrPause, toPresent } from "./replay.js";
import { setRuler } from "./ruler.js";
import { isSheetOpen, openCard, openPage } from "./sheet.js";
import { isAsked, state, table } from "./state.js";
import { showZone, shownZone } from "./zones.js";

let typedDigits = "";    // the digits typed so far
let timer = 0;

/** @type {Record<string, string>} */
const ZONES = { f: "fire", d: "danger", c: "command" };

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Record<string, () => void>} */
const KEYS = {
  u: () => act("undo"),
  r: () => act("redo"),
  w: () => openPage("/why"),
  m: () => setRuler(state.ruler === null),
  o: showOddsOfFocused,
  a: () => showAdvice(true),
  e: () => { if (isAsked()) letAiFinish(first("[data-set-up]") ? "set_up" : "phase"); },
  n: () => { if (isAsked() && first("[data-rest=unit]")) letAiFinish("unit"); },
  "+": () => zoom("in"),
  "-": () => zoom("out"),
  0: () => zoom("all"),
  i: () => openCard(unitAt(document.activeElement) || state.page.acting),
  p: playOrPause,
  ",": back,
  ".": forward,
  s: toPresent,
  g: again,
  Escape: () => { if (state.picking) stopPicking(); else setRuler(false); },
};

/** Carry out what keys say. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isSheetOpen()) return;
    if (event.repeat && !/^[-+]$|^Arrow/.test(event.key)) return;    // a key held down answers only one question
    if (closest(event.target, "input, select, textarea")) return;
    const { key } = event;
    if (/^[0-9]$/.test(key) && (typedDigits || key !== "0")) typeDigit(key);
    else if (key in KEYS) KEYS[key]();
    else if (key in ZONES) showZone(shownZone() === ZONES[key] ? "" : ZONES[key]);
    else if ((key === "Enter" || key === " ") && confirmAt(event.target)) event.preventDefault();
    else if (key in ARROWS && event.target instanceof Node && table.contains(event.target)) { moveBy(ARROWS[key]); event.preventDefault(); }
  });
}

/**
 * Choose an option by its number, which may have several digits.
 * @param {string} digit
 */
function typeDigit(digit) {
  if (state.isHeld) { sayHeld(); return; }
  typedDigits += digit;
  clearTimeout(timer);
  const count = all("#question .options [data-option]").length;
  const number = Number(typedDigits);
  timer = setTimeout(() => { typedDigits = ""; if (number >= 1 && number <= count) takeIfShown(number - 1); }, number * 10 > count ? 0 : 600);
}

/**
 * Choose an option. If it is folded away under "More", only show and focus it, because nobody chooses what they have not
 * seen; the number again, or Enter, chooses it.
 * @param {number} option
 */
function takeIfShown(option) {
  const button = first(`#question [data-option="${option}"]`), folded = closest(button, "details:not([open])");
  if (!(folded instanceof HTMLDetailsElement)) { answerWith(option); return; }
  folded.open = true;
  button?.focus();
}

function showOddsOfFocused() {
  const focused = document.activeElement;
  const option = focused instanceof HTMLElement || focused instanceof SVGElement ? focused.dataset.option : undefined;
  const numbers = option === undefined ? optionsAt(focused) : [Number(option)];
  if (numbers.length) showAllOdds(numbers[0]);
}

/**
 * Choose what has the focus; return false if it cannot be chosen.
 * @param {EventTarget | null} target
 */
function confirmAt(target) {
  if (state.isHeld) return false;
  const suggestion = closest(target, "#marks [data-option]");
  const numbers = optionsAt(target);
  if (state.picking && state.mark) pickPlace(state.mark);
  else if (suggestion) answerWith(Number(suggestion.dataset.option));
  else if (numbers.length) chooseAmong(numbers);
  else if (state.mark && target === table) placeForm().requestSubmit();
  else return false;
  return true;
}

/**
 * Move the marker, or scroll the map.
 * @param {[number, number]} step
 */
function moveBy(step) {
  if ((state.page.place && !state.isHeld) || state.picking) {
    const whole = wholeBox();
    const start = state.mark || middleOf(state.page.acting) || [whole[0] + whole[2] / 2, whole[1] + whole[3] / 2];
    setMark([start[0] + step[0] * 0.5, start[1] + step[1] * 0.5]);
  } else {
    const width = shownBox()[2];
    scroll(step[0] * width / 12, step[1] * width / 12);
  }
}
