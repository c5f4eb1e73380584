// On a phone the remark and the caption take one line each, so that they do not cover the map; a tap shows the rest.

/**
 * Mark an element whose words do not fit into its lines, so that it shows that there is more.
 * @param {HTMLElement} element
 */
export function markCut(element) {
  element.classList.remove("open", "cut");
  const isCut = [element, ...element.querySelectorAll("*")].some((one) => one.scrollWidth > one.clientWidth + 1);
  element.classList.toggle("cut", isCut && element.clientWidth > 0);
}

/**
 * Show all words of an element after a tap, and one line after the next tap.
 * @param {HTMLElement} element
 */
export function expandOnTap(element) {
  element.addEventListener("click", () => { if (element.matches(".cut, .open")) { element.classList.toggle("cut"); element.classList.toggle("open"); } });
}
