// Dice and cards, drawn as they lie on a table.

/** @import { Beat, Throw } from "./state.js" */

const MOST_DICE = 24;    // more dice are shown as a number

/**
 * Return the dice and cards of a beat, with their results.
 * @param {Beat} beat
 * @returns {HTMLElement[]}
 */
export function drawnResults(beat) {
  const cards = beat.cards.map((card) => {
    const drawn = element("span", "card-drawn", card.name);
    if (card.said) drawn.append(element("small", "", card.said));
    return drawn;
  });
  return [...beat.throws.map(drawnThrow), ...cards];
}

/** @param {Throw} thrown */
function drawnThrow(thrown) {
  const row = element("span", "throw-row");
  thrown.faces.slice(0, MOST_DICE).forEach((face, place) => row.append(drawnDie(face, thrown.sides, thrown.counts[place], place)));
  if (thrown.faces.length > MOST_DICE) row.append(element("span", "more-dice", "+" + (thrown.faces.length - MOST_DICE)));
  row.append(element("span", "result", [thrown.name, thrown.why, thrown.said].filter(Boolean).join(": ")));
  return row;
}

/**
 * @param {number} face
 * @param {number} sides
 * @param {boolean | null} counts
 * @param {number} place
 */
function drawnDie(face, sides, counts, place) {
  const die = element("i", ["die", sides <= 6 ? "pips" : "", counts ? "counts" : "", counts === false ? "misses" : ""].join(" "), String(face));
  die.dataset.face = String(face);
  die.style.setProperty("--place", String(place));
  return die;
}

/**
 * Return a new HTML element.
 * @param {string} kind
 * @param {string} classes
 * @param {string} [words]
 */
export function element(kind, classes, words) {
  const made = document.createElement(kind);
  if (classes) made.className = classes;
  if (words) made.textContent = words;
  return made;
}
