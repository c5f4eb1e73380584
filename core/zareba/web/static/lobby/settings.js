// Settings of the page that this browser remembers, and the popover in which they are set.
import { all } from "../common/dom.js";

const PREFIX = "zareba.setting.";

/**
 * Return a setting that is on or off; all are off at first.
 * @param {string} name
 */
export function isOn(name) {
  return recall(PREFIX + name) === "on";
}

/**
 * Return a remembered text; "" if there is none, or if the browser remembers nothing.
 * @param {string} key
 */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/**
 * Remember a text, if the browser allows it.
 * @param {string} key
 * @param {string} text
 */
export function remember(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // private windows may refuse: the page works without
  }
}

/**
 * Show the settings in their boxes, and keep what is changed. `changed` is called with the name of the setting, and may
 * return false to keep it off.
 * @param {(name: string) => Promise<boolean> | boolean} changed
 */
export function listenForSettings(changed) {
  for (const box of /** @type {HTMLInputElement[]} */ (all("[data-setting]"))) {
    const name = box.dataset.setting ?? "";
    box.checked = isOn(name);
    box.addEventListener("change", async () => {
      if (box.checked && !(await changed(name))) box.checked = false;
      remember(PREFIX + name, box.checked ? "on" : "off");
    });
  }
}
