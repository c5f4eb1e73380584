// A shared worker: the event stream of all tabs of a browser. It notifies each tab when its game has changed.

const MOST = 40;            // largest number of games in one stream
const SILENCE = 40_000;     // milliseconds without a word after which a stream is dead; the server repeats the versions every 15 s
/** The link of the game of each tab, by the port of the tab. @type {Map<MessagePort, string>} */
const tabs = new Map();
/** @type {EventSource | null} */
let stream = null;
let timer = 0;
let watch = 0;

self.addEventListener("connect", (event) => {
  const port = /** @type {MessageEvent} */ (event).ports[0];
  port.onmessage = (message) => {
    tabs.delete(port);
    if (message.data.follow) tabs.set(port, message.data.follow);
    openSoon(20);
  };
});

/** @param {number} delay in milliseconds */
function openSoon(delay) {
  clearTimeout(timer);
  timer = setTimeout(openStream, delay);
}

function openStream() {
  const links = [...new Set(tabs.values())].slice(-MOST);
  const wanted = links.map((link) => "of=" + encodeURIComponent(link)).join("&");
  if (stream) stream.close();
  stream = null;
  if (!links.length) return;
  const opened = stream = new EventSource("/events?" + wanted);
  watchForSilence();
  opened.onmessage = (event) => {
    watchForSilence();
    const versions = JSON.parse(event.data);    // of the game and of the people at the table, by link
    for (const [port, link] of tabs) if (link in versions) port.postMessage(versions[link]);
  };
  opened.onerror = () => {
    if (stream !== opened) return;
    for (const port of tabs.keys()) port.postMessage("lost");
    if (opened.readyState === EventSource.CLOSED) openSoon(3000);    // the server refused, and the browser does not retry
  };
}

/** Open the stream again after a silence: a connection that broke while the computer slept reports no error. */
function watchForSilence() {
  clearTimeout(watch);
  watch = setTimeout(openStream, SILENCE);
}

export {};
