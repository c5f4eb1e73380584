// The event stream shared by all tabs of a browser: notifies each tab when its game has changed.
"use strict";

const MOST = 40;            // largest number of games in one stream
const tabs = new Map();     // port of a tab -> link of its game
let stream = null;
let timer = 0;

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = (message) => {
    tabs.delete(port);
    if (message.data.follow) tabs.set(port, message.data.follow);
    open_soon(20);
  };
};

function open_soon(delay) {
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

function open() {
  const links = [...new Set(tabs.values())].slice(-MOST);
  const wanted = links.map((link) => "of=" + encodeURIComponent(link)).join("&");
  if (stream) stream.close();
  stream = null;
  if (!links.length) return;
  const opened = stream = new EventSource("/events?" + wanted);
  opened.onmessage = (event) => {
    const versions = JSON.parse(event.data);
    for (const [port, link] of tabs) if (link in versions) port.postMessage(versions[link]);
  };
  opened.onerror = () => {
    if (stream !== opened) return;
    for (const port of tabs.keys()) port.postMessage("lost");
    if (opened.readyState === EventSource.CLOSED) open_soon(3000);    // the server refused, and the browser does not retry
  };
}
