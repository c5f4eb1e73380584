// The script of the game page: shows the server's data and sends the player's actions. It knows no rules.
import { look } from "./actions.js";
import { listenForClicks } from "./clicks.js";
import { ignoreDoubleClicks } from "./doubleClicks.js";
import { listenForPointing } from "./highlight.js";
import { listenForKeys } from "./keyboard.js";
import { listenForSize } from "./labels.js";
import { listenForZoom } from "./map.js";
import { listenForPointer } from "./pointer.js";
import { listenForObjectives } from "./reasons.js";
import { listenForSlider } from "./replay.js";
import { followGame } from "./updates.js";

listenForPointing();
listenForZoom();
listenForSize();
listenForObjectives();
listenForPointer();
ignoreDoubleClicks();
listenForClicks();
listenForSlider();
listenForKeys();
followGame();
look();
