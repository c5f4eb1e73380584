// Updates from the server when the game has changed.
import { base } from "../common/requests.js";
import { hear, lose } from "./actions.js";

/**
 * Follow the game. A browser opens few connections to one server, so all its tabs share one stream. If they cannot
 * share, each visible tab has its own.
 */
export function followGame() {
  if (window.SharedWorker) shareStream();
  else openOwnStream();
}

function shareStream() {
  const { port } = new SharedWorker("/static/common/eventStream.js", { type: "module" });
  const link = base.replace("/game/", "");
  port.onmessage = (event) => { if (event.data === "lost") lose(); else hear(event.data); };
  addEventListener("pageshow", () => port.postMessage({ follow: link }));
  addEventListener("pagehide", () => port.postMessage({ follow: "" }));
  port.postMessage({ follow: link });
}

function openOwnStream() {
  /** @type {EventSource | null} */
  let stream = null;
  const follow = () => {
    if (stream) stream.close();
    const opened = stream = document.hidden ? null : new EventSource(base + "/events");
    if (!opened) return;
    opened.onmessage = (event) => hear(Number(event.data));
    opened.onerror = () => { lose(); if (stream === opened && opened.readyState === EventSource.CLOSED) setTimeout(follow, 3000); };
  };
  document.addEventListener("visibilitychange", follow);
  follow();
}
