// The page of links: copies an address. It sets its own address, so that a reload does not start a second game.
import { byId, closest, first } from "../common/dom.js";

history.replaceState(null, "", byId("main").dataset.here);

/**
 * Copy the address of a link.
 * @param {Element & HTMLOrSVGElement} button
 */
async function copyLink(button) {
  const line = /** @type {Element} */ (button.parentElement);
  const copied = `The link for ${first("b", line)?.textContent} is copied.`;
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? "");
    byId("copied").textContent = copied;
  } catch {    // browsers allow this only on secure pages; otherwise select the text, so that the user can copy it
    const link = first("a", line);
    if (link) getSelection()?.selectAllChildren(link);
    byId("copied").textContent = document.execCommand("copy") ? copied : "Press Ctrl-C to copy the link.";
  }
}

document.addEventListener("click", (event) => {
  const button = closest(event.target, "[data-copy]");
  if (button) copyLink(button);
});
