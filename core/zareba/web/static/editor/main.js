// The script of the editor: sends every drawing to the server, which writes the file and reports its problems.
import { byIdAs } from "../common/dom.js";
import { listenForTyping } from "./checks.js";
import { listenForClicks, listenForForms } from "./clicks.js";
import { listenForDrawing } from "./drawing.js";
import { listenForDragging } from "./dragging.js";
import { saveBeforeLeaving } from "./forms.js";
import { listenForSize } from "./labels.js";
import { listenForFocus } from "./marks.js";
import { showError } from "./messages.js";
import { requestBattle } from "./show.js";
import { state } from "./state.js";

listenForTyping();
listenForFocus();
listenForDragging();
listenForDrawing();
listenForSize();
listenForForms();
listenForClicks();

window.addEventListener("beforeunload", (event) => { if (state.unsaved) event.preventDefault(); });

// Save the changes of the open form before play starts.
const play = byIdAs("play", HTMLAnchorElement);
play.addEventListener("click", async (event) => {
  if (!state.unsaved) return;
  event.preventDefault();
  try {
    if (await saveBeforeLeaving() && !play.hidden) location.href = play.href;
  } catch (error) {
    showError(error);
  }
});

requestBattle();
