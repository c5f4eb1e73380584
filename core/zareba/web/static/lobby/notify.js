// Tells a person whose turn it is: title, icon, sound, vibration and notifications.
import { byId, first } from "../common/dom.js";
import { isOn, listenForSettings } from "./settings.js";

const NOTES = [[660, 0], [880, 0.14]];    // frequency in hertz, and start in seconds
const plainTitle = document.title;
/** @type {AudioContext | null} */
let audio = null;
/** True if it was this person's turn at the last page state; null before the first. @type {boolean | null} */
let wasAsked = null;

/**
 * Show whose turn it is, and draw attention when it becomes this person's turn.
 * @param {{ is_asked: boolean, over: boolean }} page
 */
export function noteTurn({ is_asked: isAsked, over }) {
  document.title = isAsked ? "● Your turn: " + plainTitle : over ? "Over: " + plainTitle : plainTitle;
  const icon = first("link[rel=icon]"), address = isAsked ? "/static/icon-turn.svg" : "/static/icon.svg";
  if (icon?.getAttribute("href") !== address) icon?.setAttribute("href", address);    // a browser would load the same icon again
  if (isAsked && wasAsked === false) alertPerson("Your turn", plainTitle);
  wasAsked = isAsked;
}

/**
 * Draw attention in the ways that the person has chosen.
 * @param {string} title
 * @param {string} words
 */
export function alertPerson(title, words) {
  if (isOn("sound")) playTones();
  if (!document.hidden) return;
  if (isOn("vibration")) navigator.vibrate?.([120, 60, 120]);
  if (isOn("notifications") && "Notification" in window && Notification.permission === "granted") notify(title, words);
}

/**
 * @param {string} title
 * @param {string} words
 */
function notify(title, words) {
  try {
    const shown = new Notification(title, { body: words, tag: location.pathname, icon: "/static/icon-turn.svg" });
    shown.onclick = () => { window.focus(); shown.close(); };
  } catch {
    // Chrome on Android shows notifications only for installed pages
  }
}

function playTones() {
  audio ??= new AudioContext();
  audio.resume();    // phones suspend the sound of a page in the background
  for (const [frequency, start] of NOTES) {
    const at = audio.currentTime + start;
    const tone = audio.createOscillator(), loudness = audio.createGain();
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.15, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
    tone.connect(loudness).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.32);
  }
}

/** Offer the settings, and let a person hear the sound once it is switched on. */
export function listenForNotifications() {
  listenForSettings(async (name) => {
    if (name === "sound") playTones();
    if (name !== "notifications") return true;
    const allowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
    byId("settings-said").textContent = allowed ? "" : isSecureContext
      ? "The browser does not allow notifications from this page. Allow them in its settings."
      : "Browsers allow notifications only on this computer or over https.";
    return allowed;
  });
  // browsers start sound only after a first click or key
  document.addEventListener("pointerdown", () => { if (isOn("sound")) audio ??= new AudioContext(); }, { once: true });
}
