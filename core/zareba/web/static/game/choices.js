// The choice among several options at one place of the map.
import { answerWith } from "./actions.js";
import { phraseOf } from "./options.js";
import { openSheet } from "./sheet.js";

/**
 * Take the only option, or open a list of several.
 * @param {number[]} numbers
 */
export function chooseAmong(numbers) {
  if (numbers.length === 1) { answerWith(numbers[0]); return; }
  const list = document.createElement("ol");
  list.className = "options";
  for (const number of numbers) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "option";
    button.dataset.option = String(number);
    button.textContent = phraseOf(number);
    item.append(button);
    list.append(item);
  }
  openSheet(list);
}
