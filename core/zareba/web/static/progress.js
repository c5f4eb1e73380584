// Update a comparison every second; reload the page when it has ended.
"use strict";

const progress = document.getElementById("progress");

async function look() {
  try {
    const answer = await fetch(progress.dataset.address, { headers: { Accept: "application/json" } });
    const told = await answer.json();
    if (told.state !== "under_way") { location.reload(); return; }
    progress.innerHTML = told.html;
  } catch (error) {
    // no answer from the server: try again
  }
  setTimeout(look, 1000);
}

if (progress.dataset.state === "under_way") setTimeout(look, 1000);
