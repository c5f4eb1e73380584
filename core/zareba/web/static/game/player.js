// The clock of the playback: it waits, at the chosen speed, and can be paused, nudged and stopped.
import { byId } from "../common/dom.js";

const SPEEDS = [1, 2, 4, 0.5];
const SPEED_KEPT = "zareba playback speed";
const TICK = 40;    // milliseconds

let speed = Number(localStorage.getItem(SPEED_KEPT)) || 1;
let paused = false;
let nudges = 0;      // how many waits end at once
let shot = 0;        // the number of the playback that runs

/** Return true if the playback is paused. */
export const isPaused = () => paused;

/** Return the chosen speed: 1 is normal. */
export const speedNow = () => speed;

/** Start a playback; return its number. Any other playback ends. */
export function startClock() {
  paused = false;
  nudges = 0;
  return ++shot;
}

/** End the playback that runs. */
export function stopClock() {
  shot++;
  paused = false;
}

/**
 * Return true if this playback still runs.
 * @param {number} number
 */
export const isRunning = (number) => number === shot;

/** @param {boolean} wanted */
export function setPaused(wanted) {
  paused = wanted;
}

/** End the present wait, also while the playback is paused. */
export function nudge() {
  nudges = 1;
}

/** Take the next speed. */
export function changeSpeed() {
  speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
  localStorage.setItem(SPEED_KEPT, String(speed));
  showSpeed();
}

/** Show the speed on its button. */
export function showSpeed() {
  byId("speed").textContent = String(speed).replace("0.5", "½") + "×";
}

/**
 * Wait, but not while the playback is paused or the page is hidden. Return false if the playback has ended.
 * @param {number} number of the playback
 * @param {number} duration in milliseconds at normal speed
 */
export async function wait(number, duration) {
  let left = duration / speed;
  while (isRunning(number) && !nudges && (left > 0 || paused)) {
    const before = performance.now();
    await new Promise((done) => setTimeout(done, Math.min(TICK, Math.max(1, left))));
    if (!paused && !document.hidden) left -= performance.now() - before;
  }
  if (nudges) nudges--;
  return isRunning(number);
}
