// The state of the editor that several modules share.
import { byIdAs } from "../common/dom.js";

/** A point on the map: x from the west edge, y from the north edge, in inches.
 * @typedef {[number, number]} Point */

/** The name and value of a field.
 * @typedef {[string, string]} Field */

/** Corners that the user draws.
 * @typedef {object} Drawing
 * @property {Field[] | null} fields the change to send with the corners; null when they are for a field of the open form
 * @property {number} least the fewest corners
 * @property {number} most
 * @property {Point[]} points
 * @property {string} [into] the field of the open form */

/** What the server says about the battle.
 * @typedef {object} BattleState
 * @property {string} [ground_svg] SVG of the ground, if the map has changed
 * @property {string} pieces SVG
 * @property {[number, number, number, number]} box the whole map
 * @property {number} width of the table in inches
 * @property {number} depth
 * @property {string} list HTML: the elements of the battle
 * @property {string} title
 * @property {string} text the file
 * @property {boolean} undo true if there is something to undo
 * @property {boolean} redo
 * @property {boolean} sound true if the battle has no problems
 * @property {{ words: string, section: string, key: string, line: number }[]} problems
 * @property {{ group: string, choices: [string, string][] }[]} offers the kinds of new elements
 * @property {string} [added] the key of a new element
 * @property {boolean} [gone] true if the battle was deleted */

export const table = byIdAs("table", SVGSVGElement);

export const state = {
  /** Width and depth of the table in inches. @type {[number, number]} */
  size: [60, 48],
  /** The whole map. @type {[number, number, number, number]} */
  box: [0, 0, 60, 48],
  /** @type {Drawing | null} */
  drawing: null,
  /** The field of the open form that waits for a choice on the map. */
  pointing: "",
  /** The position of the keyboard cursor. @type {Point | null} */
  cursor: null,
  /** The ruleset of the preview; "" for the plain map. */
  previewed: "",
  /** True if the open form has unsaved changes. */
  unsaved: false,
};
