// The playback: what happened, act by act, on the map. The question can be answered while it runs; an answer ends it.
import { all, byId, first, messageOf } from "../common/dom.js";
import { base } from "../common/requests.js";
import { isLater, forgetMaps, mapBefore, requestActs } from "./acts.js";
import { clearOverlay, drawFight, drawShot, drawTrail, endMotions, highlightActing, middleAmong, placeOf, placeOfCell, sameCellCheck, slideTo } from "./animation.js";
import { hideCaption, keepClearOf, showBeat } from "./caption.js";
import { markNewLines } from "./log.js";
import { drawLoss, keepLossesClear } from "./losses.js";
import { showRefusal } from "./messages.js";
import { drawPieces, lowerCount } from "./pieces.js";
import { changeSpeed, isPaused, isRunning, nudge, setPaused, showSpeed, speedNow, startClock, stopClock, wait } from "./player.js";
import { state } from "./state.js";
import { showStatusOf } from "./status.js";
import { recall, remember } from "../lobby/settings.js";

/** @import { Act, Beat, Moment, PageState, Point } from "./state.js" */

/** A unit when the playback began: where it was, its side, and its name ("" without a tag).
 * @typedef {{ at: Point, side: number | null, name: string }} Place */

const SLIDE = 650;         // milliseconds at normal speed
const LONGEST_ACT = 6000;  // an act with many beats is played faster
const LONGEST = 30_000;    // more acts than fit into this time are played faster, so that nobody waits long for a question
const MOST_HASTE = 4;
const SET_UP_HASTE = 10;   // units that are set up appear one soon after another
const MOST_HASTE_IN_REPLAY = 2.5;
const MOST_MARKS = 40;     // shots that stay marked
const MOST_ACTS = 60;      // acts that stay marked

/** The playback that runs, or the last one: where it began (`from`), and since when the acts stay marked: `since`, their
 * list `acts`, and the places of the units at that time. A later playback keeps the marks of an earlier one (`goesOn`) until
 * this player acts, because the acts of others come in several parts. */
let run = {
  number: 0, running: false, goesOn: false, wasSkipped: false, from: /** @type {Moment | null} */ (null), since: /** @type {Moment | null} */ (null),
  acts: /** @type {Act[]} */ ([]), places: /** @type {Map<string, Place>} */ (new Map()),
};
/** Called with the step that a playback in the replay has reached. @type {(step: number) => void} */
let whenReached = () => {};
/** Called when a playback in the replay has reached the present. */
let whenDone = () => {};
/** Called when the map shows the present, before it is drawn. */
let showPresent = () => {};

/** Return true while a playback runs or is paused. */
export const isPlaying = () => run.running;

/**
 * Follow the page state. Return true if a playback runs: one that plays what has happened since the state before, or, on
 * the first state of a page, what this browser has not shown yet. Otherwise the map shows the present.
 * @param {PageState} before
 * @param {PageState} told
 */
export function follow(before, told) {
  const isFirst = !before.moment || !told.moment || told.reader !== before.reader;
  if (isFirst) {
    forgetMaps();
    run.since = null;
    arrive(told);
  } else if (before.moment && told.moment && isLater(before.moment, told.moment)) {    // steps have been undone
    forgetMaps();
    run.since = null;
    if (!state.replaying) stop();
  } else if (!state.replaying && told.moment && before.moment && isLater(told.moment, before.moment) && !run.running) play(before.moment);
  if (!run.running) noteSeen();
  holdQuestion();
  showControls();
  return run.running && !state.replaying;
}

/**
 * Play what this browser has not shown yet. Without a note of what it has shown, play what happened since this seat's
 * last choice.
 * @param {PageState} told
 */
function arrive({ moment, reader }) {
  const isLink = location.hash.startsWith("#moment=") || location.hash === "#replay";
  if (run.running || state.replaying || isLink || !moment || !isLater(moment, [0, 0])) return;
  const seen = momentIn(recall(seenKey(reader)));
  if (!seen || isLater(moment, seen)) playFromItsMap(seen);
}

/**
 * Show the map at a moment, and play from there.
 * @param {Moment | null} wanted null for the last choice of this seat
 */
async function playFromItsMap(wanted) {
  const number = startClock();
  run = { ...run, number, running: true, goesOn: false, from: wanted, since: wanted, acts: [] };
  try {
    const since = wanted ?? (await requestActs()).since;
    const { pieces } = await mapBefore(since[0]);
    if (!isRunning(number)) return;
    drawPieces(pieces);
    play(since);
  } catch (error) {
    showRefusal(messageOf(error));
    if (isRunning(number)) finish();
  }
}

/** Hold the question back while the playback shows acts of others, or the way to the end; see `whenPresent`. */
function holdQuestion() {
  const { is_asked, over, others_acted: acted } = state.page;
  state.isHeld = run.running && !state.replaying && (over || (is_asked && acted !== null && (!run.from || isLater(acted, run.from))));
}

/**
 * Register what shows the parts of the page that were held back, once the map shows the present.
 * @param {() => void} action
 */
export function whenPresent(action) {
  showPresent = action;
}

// --- what this browser has shown ---------------------------------------------------------------------------------------------

/** @param {string} reader */
const seenKey = (reader) => `zareba.seen.${base}.${reader}`;

/** Note that this browser has shown everything up to the present. */
function noteSeen() {
  const { moment, reader } = state.page;
  if (moment && !state.replaying) remember(seenKey(reader), moment.join());
}

/**
 * Return the moment that was noted; null if there is none.
 * @param {string} noted
 * @returns {Moment | null}
 */
function momentIn(noted) {
  const [step, beat] = noted.split(",").map(Number);
  return Number.isInteger(step) && Number.isInteger(beat) ? [step, beat] : null;
}

// --- the playback -------------------------------------------------------------------------------------------------------------

/**
 * Play from a moment to the present.
 * @param {Moment} since
 */
export async function play(since) {
  const number = startClock();
  clearOverlay();
  const isNext = run.goesOn && run.since !== null && isLater(since, run.since) && run.acts.length < MOST_ACTS;
  run = isNext ? { ...run, number, running: true, from: since } : { number, running: true, goesOn: false, wasSkipped: false, from: since, since, acts: [], places: placesNow() };
  showControls();
  let from = since;
  try {
    while (isRunning(number) && state.page.moment && isLater(state.page.moment, from)) {
      const { acts, until } = await requestActs(from);
      const factor = haste(acts);
      for (let place = 0; place < acts.length && isRunning(number); place++) {
        await playAct(number, acts[place], acts[place + 1]?.step ?? until[0] + (until[1] ? 1 : 0), onlySetsUp(acts[place]) ? SET_UP_HASTE : factor);
      }
      if (!isLater(until, from)) break;
      from = until;
    }
  } catch (error) {
    showRefusal(messageOf(error));    // the map shows the present
  }
  if (isRunning(number)) finish();
}

/**
 * Return how much faster the acts are played, because many wait.
 * @param {Act[]} acts
 */
function haste(acts) {
  const whole = acts.reduce((sum, act) => sum + Math.min(LONGEST_ACT, lengthOf(act)) + SLIDE, 0);
  return Math.min(state.replaying ? MOST_HASTE_IN_REPLAY : MOST_HASTE, Math.max(1, whole / LONGEST));
}

/**
 * Return true if units only appear on the map in an act, before the battle begins.
 * @param {Act} act
 */
function onlySetsUp({ turn, beats }) {
  return turn <= 1 && beats.every(({ units, throws, cards, shot, lost }) => units.length && !throws.length && !cards.length && !shot && !lost && !units.some(placeOf));
}

/**
 * Return how long an act takes at normal speed, in milliseconds.
 * @param {Act} act
 */
function lengthOf(act) {
  return act.beats.reduce((sum, beat) => sum + timeOf(beat), 0);
}

/**
 * Play one act: its beats, and the slide to the map after it.
 * @param {number} number of the playback
 * @param {Act} act
 * @param {number} next the step whose map is shown after the act
 * @param {number} factor
 */
async function playAct(number, act, next, factor) {
  const after = mapBefore(next);
  const times = act.beats.map(timeOf);
  const scale = Math.min(1, LONGEST_ACT / lengthOf(act)) / factor;
  const turning = slideAfter(act.beats);
  clearOverlay();
  if (state.replaying) whenReached(act.step); else showStatusOf(act);
  for (const [place, beat] of act.beats.entries()) {
    if (isWorthTelling(beat)) { showBeat(act, beat); keepClearOf(beat); } else hideCaption();
    highlightActing(beat);
    if (beat.shot) drawShot(beat.shot, times[place] * scale / speedNow());
    if (beat.fight) drawFight(beat.fight);
    if (beat.lost) {
      drawLoss(beat.lost, placeOf(beat.lost.piece), true);
      if (place < turning) lowerCount(unitOf(beat.lost.piece), beat.lost.count);    // the map after the act comes later
    }
    if (place === turning) { if (!await slide(number, act, await after, factor)) return; }
    if (!await wait(number, times[place] * scale)) return;
  }
  if (turning === act.beats.length && !await slide(number, act, await after, factor)) return;
  run.acts.push(act);
  if (state.replaying) whenReached(next);
}

/**
 * @param {number} number
 * @param {Act} act
 * @param {{ pieces: string }} after
 * @param {number} factor
 */
async function slide(number, act, after, factor) {
  if (!isRunning(number)) return false;
  const runners = runnersIn([act]), before = new Map([...runners].map((unit) => [unit, placeOf(unit)]));
  slideTo(after.pieces, SLIDE / factor / speedNow(), pathsOf(act), runners);
  const areInOneCell = sameCellCheck();
  for (const [unit, from] of before) {
    const to = placeOf(unit);
    if (from && to && !areInOneCell(from, to)) drawTrail(from, to, run.places.get(unit)?.side ?? null, true);
  }
  highlightActing(act.beats[act.beats.length - 1]);
  return wait(number, SLIDE / factor * 0.8);
}

/**
 * Return the units that run away in some acts.
 * @param {Act[]} acts
 */
function runnersIn(acts) {
  return new Set(acts.flatMap((act) => act.beats).filter((beat) => beat.runs).map((beat) => beat.runs));
}

/**
 * Return the number of the beat with which the pieces move: after the last dice or shot.
 * @param {Beat[]} beats
 */
function slideAfter(beats) {
  let last = -1;
  beats.forEach((beat, place) => { if (beat.shot || beat.throws.length || beat.cards.length) last = place; });
  return last + 1;
}

/**
 * Return true if a beat has words, dice or cards for the caption.
 * @param {Beat} beat
 */
function isWorthTelling(beat) {
  return Boolean(beat.said || beat.throws.length || beat.cards.length);
}

/**
 * Return how long a beat is shown, in milliseconds at normal speed.
 * @param {Beat} beat
 */
function timeOf(beat) {
  if (!beat.said && !beat.throws.length) return 250;
  const dice = beat.throws.reduce((count, one) => count + one.faces.length, 0);
  return Math.min(2200, 450 + 9 * beat.said.length + (dice ? 500 + 25 * Math.min(dice, 16) : 0) + 500 * beat.cards.length + (beat.shot ? 250 : 0));
}

/**
 * Return the cells that units pass in an act, as points.
 * @param {Act} act
 */
function pathsOf(act) {
  /** @type {Map<string, Point[]>} */
  const paths = new Map();
  for (const { units, cells, shot } of act.beats) {
    const at = units.length && cells.length && !shot ? placeOfCell(cells[cells.length - 1]) : null;
    if (at) paths.set(units[0], [...paths.get(units[0]) ?? [], at]);
  }
  for (const path of paths.values()) path.pop();    // the last one is where the unit stands now
  return paths;
}

// --- the end of a playback, and the marks that stay ------------------------------------------------------------------------

/** End the playback, because the player acts: the map shows the present. */
export function stop() {
  run.goesOn = run.wasSkipped = false;
  if (!run.running) { clearOverlay(); return; }
  end();
  if (!state.replaying) drawPieces(state.page.pieces);
}

/** Go to the present, and mark on the map what has happened. */
async function finish() {
  end();
  if (state.replaying) { whenDone(); return; }
  run.goesOn = state.page.seat !== "";    // a spectator never acts
  drawPieces(state.page.pieces);
  markLastActs();
  const { number, since } = run;
  if (!run.wasSkipped || !since) return;
  try {
    const { acts } = await requestActs(since);    // the marks are those of all acts, also of those that were skipped
    if (!run.running && run.number === number && run.wasSkipped) { run.acts = acts; clearOverlay(); markLastActs(); }
  } catch (error) {
    showRefusal(messageOf(error));
  }
}

function end() {
  stopClock();
  run.running = false;
  endMotions();
  clearOverlay();
  hideCaption();
  highlightActing(null);
  noteSeen();
  holdQuestion();
  showPresent();
  if (run.since && !state.replaying) markNewLines(run.since);
  showControls();
}

/** Skip the rest of the playback. */
export async function skip() {
  if (!run.running) return;
  stopClock();
  run.wasSkipped = true;
  await finish();
}

/** Mark the last acts on the map: paths, shots and losses. They stay until the next answer. */
function markLastActs() {
  const runners = runnersIn(run.acts), areInOneCell = sameCellCheck();
  for (const [unit, { at, side }] of run.places) {
    const now = placeOf(unit);
    if (now && !areInOneCell(at, now)) drawTrail(at, now, side, runners.has(unit));
  }
  const beats = run.acts.flatMap((act) => act.beats);
  for (const { shot } of beats.slice(-MOST_MARKS)) if (shot) drawShot(shot, 0);
  /** @type {Map<string, number>} */
  const lost = new Map();
  for (const beat of beats) if (beat.lost) lost.set(unitOf(beat.lost.piece), (lost.get(unitOf(beat.lost.piece)) ?? 0) + beat.lost.count);
  for (const [piece, count] of lost) {
    const at = placeOf(piece), before = run.places.get(piece);
    if (at) drawLoss({ piece, count }, at, false);
    else if (before) drawLoss({ piece, count }, before.at, false, before.name);    // nothing else says who stood there
  }
  keepLossesClear();
}

/**
 * Return the unit of a figure that stood on the map when the playback began or stands there now; other pieces are returned
 * as they are.
 * @param {string} piece
 */
function unitOf(piece) {
  let name = piece;
  const isOnMap = () => run.places.has(name) || first(`.piece[data-unit="${CSS.escape(name)}"]`, byId("pieces"));
  while (name && !isOnMap()) name = name.replace(/[./][^./]*$|^[^./]*$/, "");
  return name || piece;
}

/** Return where each unit stands on the map that is shown. */
function placesNow() {
  /** @type {Map<string, Element[]>} */
  const units = new Map();
  for (const piece of all(".piece[data-unit]", byId("pieces"))) {
    const unit = piece.dataset.unit ?? "";
    units.set(unit, [...units.get(unit) ?? [], piece]);
  }
  /** @type {Map<string, Place>} */
  const found = new Map();
  for (const [unit, own] of units) {
    const at = middleAmong(own), side = /side-(\d)/.exec(own[0].getAttribute("class") ?? "");
    const name = first(`.tag[data-unit="${CSS.escape(unit)}"] .unit-name`, byId("pieces"))?.textContent ?? "";
    if (at) found.set(unit, { at, side: side ? Number(side[1]) : null, name });
  }
  return found;
}

// --- the controls ------------------------------------------------------------------------------------------------------------

/** Play the last acts again: those of the last playback, or those since this seat's last choice. */
export async function playAgain() {
  const { since } = run;
  stop();
  if (!state.replaying) await playFromItsMap(since);
}

/**
 * Play from the moment of the replay to the present.
 * @param {number} step
 * @param {(step: number) => void} reached called with each step that is reached
 * @param {() => void} done called at the present
 */
export function playFrom(step, reached, done) {
  whenReached = reached;
  whenDone = done;
  play([step, 0]);
}

/** Pause the playback, or go on with it. */
export function togglePause() {
  setPaused(!isPaused());
  showControls();
}

/** End the wait for the next beat, while the playback is paused or not. */
export function stepForward() {
  nudge();
}

/** Change the speed. */
export function nextSpeed() {
  changeSpeed();
}

/** Show the state of the playback on its buttons. */
export function showControls() {
  const isMoving = run.running && !isPaused();
  document.body.classList.toggle("playing", run.running);
  byId("play").setAttribute("aria-label", isMoving ? "pause" : "play");
  byId("play").classList.toggle("moving", isMoving);
  /** @type {HTMLButtonElement} */ (byId("skip")).disabled = !run.running && !state.replaying;
  showSpeed();
}
