// Replaces the children of an element, and keeps those that stay the same.

/** The markup from which each child was made; scripts may have changed the child since. @type {WeakMap<Element, string>} */
const sources = new WeakMap();

/**
 * Give an element the children that some markup describes. A child with the same markup as before stays where it is,
 * because the browser computes the style, the layout and the picture of every new element.
 * @param {Element} parent
 * @param {string} markup
 * @param {string} [groups] a selector; the children of a child that matches it are kept or replaced one by one
 */
export function updateChildren(parent, markup, groups = "") {
  const made = /** @type {Element} */ (parent.cloneNode(false));
  made.innerHTML = markup;
  takeChildren(parent, made, groups);
}

/**
 * Have a child made again at the next update, because a script has changed what it shows.
 * @param {Element} child
 */
export function forgetSource(child) {
  sources.delete(child);
}

/**
 * @param {Element} parent
 * @param {Element} made an element with the new children
 * @param {string} groups
 */
function takeChildren(parent, made, groups) {
  /** @type {Map<string, Element[]>} */
  const old = new Map();
  for (const child of parent.children) {
    const source = sources.get(child) ?? "";
    old.set(source, [...old.get(source) ?? [], child]);
  }
  const wanted = [...made.children].map((child) => {
    const isGroup = groups !== "" && child.matches(groups);
    const fresh = isGroup ? /** @type {Element} */ (child.cloneNode(false)) : child;
    const source = fresh.outerHTML, taken = old.get(source)?.shift() ?? fresh;
    sources.set(taken, source);
    if (isGroup) takeChildren(taken, child, groups);
    return taken;
  });
  const stays = new Set(wanted);
  for (const child of [...parent.childNodes]) if (!(child instanceof Element && stays.has(child))) child.remove();
  let next = parent.firstElementChild;
  for (const child of wanted) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}
