// The page of links: copies an address. It sets its own address, so that a reload does not start a second game.
"use strict";

history.replaceState(null, "", document.getElementById("main").dataset.here);

async function copy(button) {
  const said = document.getElementById("copied");
  const whom = button.parentElement.querySelector("b").textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    said.textContent = `The link for ${whom} is copied.`;
  } catch {    // browsers allow this only on secure pages; otherwise select the text, so that the user can copy it
    getSelection().selectAllChildren(button.parentElement.querySelector("a"));
    said.textContent = document.execCommand("copy") ? `The link for ${whom} is copied.` : "Press Ctrl-C to copy the link.";
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
