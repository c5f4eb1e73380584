// On a phone the remark and the caption take few lines, so that they do not cover the map; a tap shows the rest.

export const isPhone = matchMedia("(max-width: 50rem)");
const LETTER_OVERHANG = 5;    // pixels by which letters may leave their line, much less than a line

/**
 * Mark an element whose words do not fit into its lines, so that it shows that there is more.
 * @param {HTMLElement} element
 */
export function markCut(element) {
  element.classList.remove("open", "cut");
  if (!isPhone.matches) return;    // elsewhere all words show; measuring them would lay the page out
  const isCut = [element, ...element.querySelectorAll("*")].some((one) => one.scrollWidth > one.clientWidth + 1 || (one.clientHeight > 0 && one.scrollHeight > one.clientHeight + LETTER_OVERHANG));
  element.classList.toggle("cut", isCut && element.clientWidth > 0);
}

/**
 * Show all words of an element after a tap, and few lines after the next tap.
 * @param {HTMLElement} element
 */
export function expandOnTap(element) {
  element.addEventListener("click", () => { if (element.matches(".cut, .open")) { element.classList.toggle("cut"); element.classList.toggle("open"); } });
}
