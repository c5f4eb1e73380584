// The script of the game page: shows the server's data and sends the player's actions. It knows no rules.
import { look } from "./actions.js";
import { listenForClicks } from "./clicks.js";
import { ignoreDoubleClicks } from "./doubleClicks.js";
import { listenForPointing } from "./highlight.js";
import { listenForKeys } from "./keyboard.js";
import { listenForLog } from "./log.js";
import { listenForZoom } from "./map.js";
import { listenForPointer } from "./pointer.js";
import { listenForMoreOptions } from "./odds.js";
import { listenForReplay } from "./replay.js";
import { followGame } from "./updates.js";
import { listenForNotifications } from "../lobby/notify.js";
import { followPeople } from "../lobby/people.js";

listenForPointing();
listenForZoom();
listenForPointer();
ignoreDoubleClicks();
listenForClicks();
listenForReplay();
listenForLog();
listenForKeys();
listenForMoreOptions();
listenForNotifications();
followGame();
followPeople();
look();
