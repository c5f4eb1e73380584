// Typed access to the elements of a page.

/** An HTML or SVG element; both have `dataset` and `focus`.
 * @typedef {Element & HTMLOrSVGElement} PageElement */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return the element with an id. The page must have it.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Return the element of a class with an id. The page must have it.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind the class, such as HTMLInputElement
 * @returns {T}
 */
export function byIdAs(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`#${id} is not a ${kind.name}`);
  return found;
}

/**
 * Return the first element that matches a selector; null if there is none.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {PageElement | null}
 */
export function first(selector, root = document) {
  return root.querySelector(selector);
}

/**
 * Return all elements that match a selector.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {PageElement[]}
 */
export function all(selector, root = document) {
  return [.../** @type {NodeListOf<PageElement>} */ (root.querySelectorAll(selector))];
}

/**
 * Return the nearest element around the target of an event that matches a selector; null if there is none.
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {PageElement | null}
 */
export function closest(target, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Return a new SVG element.
 * @param {string} kind the name of the tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [words] the text in it
 * @returns {SVGElement}
 */
export function svgElement(kind, attributes, words) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, kind));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (words) made.textContent = words;
  return made;
}

/** @type {WeakMap<Element, DOMRect>} */
const boxes = new WeakMap();

/**
 * Return the box of a drawing that never changes, such as a cell of the map. It is measured once, because measuring
 * lays the page out.
 * @param {SVGGraphicsElement} element
 */
export function fixedBox(element) {
  const box = boxes.get(element) ?? element.getBBox();
  if (box.width) boxes.set(element, box);    // an element that is not drawn has no box yet
  return box;
}

/**
 * Return the fields of a form by name. All fields of this page are text.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export function fieldsOf(form) {
  return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
}

/**
 * Return the message of an error.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
