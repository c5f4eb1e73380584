// The page of links: it copies an address, and has an address of its own, so that loading it again begins no second game.
"use strict";

history.replaceState(null, "", document.getElementById("main").dataset.here);

async function copy(button) {
  const said = document.getElementById("copied");
  const whom = button.parentElement.querySelector("b").textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    said.textContent = `The link for ${whom} is copied.`;
  } catch {    // browsers allow it only at safe addresses: then the text is selected, to be copied by hand
    getSelection().selectAllChildren(button.parentElement.querySelector("a"));
    said.textContent = document.execCommand("copy") ? `The link for ${whom} is copied.` : "Press Ctrl-C to copy the link.";
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
