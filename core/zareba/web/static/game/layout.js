// Keeps the map in its place: what stands above and below it does not become lower from question to question.
import { byId } from "../common/dom.js";

/** Keep the header and the row of cards as high as they have been, as long as the window keeps its width. */
export function keepHeights() {
  for (const id of ["status", "cards"]) keepHeight(byId(id));
}

/** @param {HTMLElement} element */
function keepHeight(element) {
  let width = innerWidth, highest = 0;
  new ResizeObserver(() => {
    if (innerWidth !== width) {
      width = innerWidth;
      highest = 0;
      element.style.minHeight = "";
    }
    if (element.offsetHeight <= highest) return;
    highest = element.offsetHeight;
    element.style.minHeight = highest + "px";
  }).observe(element);
}
