// Copies the address of a link.
import { byId, closest, first } from "../common/dom.js";

/**
 * Copy the address of a link.
 * @param {Element & HTMLOrSVGElement} button
 */
async function copyLink(button) {
  const link = first("a", button.closest("li, main") ?? document);
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? "");
    byId("copied").textContent = "The link is copied.";
  } catch {    // browsers allow this only on secure pages; otherwise select the text, so that the user can copy it
    if (link) getSelection()?.selectAllChildren(link);
    byId("copied").textContent = document.execCommand("copy") ? "The link is copied." : "Press Ctrl-C to copy the link.";
  }
}

document.addEventListener("click", (event) => {
  const button = closest(event.target, "[data-copy]");
  if (button) copyLink(button);
});
