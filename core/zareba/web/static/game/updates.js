// Updates from the server when the game or the people at the table have changed.
import { base, requestJson } from "../common/requests.js";
import { notePeopleVersion } from "../lobby/people.js";
import { noteServerLost, noteVersion } from "./actions.js";

const VISIBLE = 3000;     // milliseconds between two requests for news of a page without a stream
const HIDDEN = 20_000;
const SILENCE = 50_000;   // milliseconds without a word from the stream after which a page asks for news itself
let watch = 0;

/**
 * Follow the game. A browser opens few connections to one server, so all its tabs share one stream. If they cannot
 * share, the tab in use has the stream, and the others ask for news now and then.
 */
export function followGame() {
  if (window.SharedWorker) shareStream();
  else takeTurnsWithStream();
  watchForSilence();
}

/** Ask for news after a silence: the shared worker may have ended, or the server may have refused this game a stream. */
function watchForSilence() {
  clearTimeout(watch);
  watch = setTimeout(askForNews, SILENCE);
}

async function askForNews() {
  try {
    noteVersions(await requestJson("/news"));
  } catch {
    noteServerLost();
  }
  watchForSilence();
}

/** @param {[number, number]} versions of the game, and of the people at the table */
function noteVersions([version, people]) {
  watchForSilence();
  noteVersion(version);
  notePeopleVersion(people);
}

function shareStream() {
  const { port } = new SharedWorker("/static/common/eventStream.js", { type: "module" });
  const link = base.replace("/game/", "");
  port.onmessage = (event) => { if (event.data === "lost") noteServerLost(); else noteVersions(event.data); };
  addEventListener("pageshow", () => port.postMessage({ follow: link }));
  addEventListener("pagehide", () => port.postMessage({ follow: "" }));
  port.postMessage({ follow: link });
}

function takeTurnsWithStream() {
  const channel = new BroadcastChannel("zareba stream");
  /** @type {EventSource | null} */
  let stream = null;
  let timer = 0;

  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => askForNews().then(wait), document.hidden ? HIDDEN : VISIBLE);
  };
  const giveUpStream = () => {
    stream?.close();
    stream = null;
    wait();
  };
  const takeStream = () => {
    if (document.hidden) { giveUpStream(); return; }
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    clearTimeout(timer);
    channel.postMessage("mine");
    const opened = stream = new EventSource(base + "/events");
    opened.onmessage = (event) => noteVersions(JSON.parse(event.data));
    opened.onerror = () => { noteServerLost(); if (stream === opened && opened.readyState === EventSource.CLOSED) giveUpStream(); };
  };
  channel.onmessage = giveUpStream;
  document.addEventListener("visibilitychange", takeStream);
  addEventListener("focus", takeStream);
  takeStream();
}
