// The state of the page that several modules share. A state that only one module needs is in that module.
import { byIdAs } from "../common/dom.js";

/** A point in the coordinates of the map: x from the west edge, y from the north edge, in inches.
 * @typedef {[number, number]} Point */

/** The left edge, top edge, width and height of a part of the map, in inches.
 * @typedef {[number, number, number, number]} Box */

/** The pieces and the cell that an option of the question refers to.
 * @typedef {object} OptionTarget
 * @property {number} n the number of the option, from 0
 * @property {string[]} pieces
 * @property {string | number | null} [cell]
 * @property {string} [cost] the movement cost, in words */

/** A question for a place.
 * @typedef {object} PlaceQuestion
 * @property {number} scale inches in one unit of length of the ruleset
 * @property {string} unit the name of that unit
 * @property {number} depth the depth of the table in inches
 * @property {[number, number][]} suggestions in inches, y from the south edge */

/** A moment of the log: the number of a step, and the number of its beats that have happened.
 * @typedef {[number, number]} Moment */

/** A shot: who fires, and the piece, cell or point that it is fired at.
 * @typedef {{ from: string, to: string, cell: number | null, point: Point | null }} Shot */

/** Dice thrown for one purpose: `counts` says for each face whether it counts, null if the rules do not say; `name` who
 * throws, if there are several.
 * @typedef {{ name: string, why: string, sides: number, faces: number[], counts: (boolean | null)[], said: string }} Throw */

/** One event, with the dice and cards that led to it.
 * @typedef {object} Beat
 * @property {string} said the sentence; "" for an event without one
 * @property {[string, number | null][]} parts the sentence in parts: names of pieces come with the number of their side
 * @property {number | null} side
 * @property {string[]} units
 * @property {number[]} cells
 * @property {Point[]} points
 * @property {Shot | null} shot
 * @property {[string, string] | null} fight pieces of two sides in close combat
 * @property {{ piece: string, count: number } | null} lost
 * @property {string} runs the unit that runs away; "" if none does
 * @property {Throw[]} throws
 * @property {{ name: string, said: string }[]} cards */

/** A step of the log.
 * @typedef {object} Act
 * @property {number} step
 * @property {number} turn
 * @property {string} phase
 * @property {number | null} side the side that acts
 * @property {string} unit the unit that acts; "" for none
 * @property {string} name the name of that unit
 * @property {Beat[]} beats */

/** What the server says about the page of this seat.
 * @typedef {object} PageState
 * @property {number} version grows when the page changes
 * @property {number} question_version the version in which the question appeared
 * @property {string} position the position of the game; stays the same after a restart of the server
 * @property {string} seat "" for a watcher
 * @property {boolean} is_asked true if this seat must answer the question
 * @property {boolean} over
 * @property {boolean} thinking true while AI players play
 * @property {string} ground the digest of the picture of the ground
 * @property {number} depth the depth of the table in inches
 * @property {number} steps the number of steps in the log
 * @property {string} reader the seat that the log is made for; "" if it is the same for all
 * @property {Moment | null} moment the present moment; null until the server has read the whole game
 * @property {Moment | null} others_acted the moment of the last act of another side; null if there is none
 * @property {string} pieces SVG
 * @property {number} side the number of this seat's side
 * @property {string} reaches SVG of where troops count for objectives
 * @property {{ id: string, words: string }[]} goals who holds each objective, and why
 * @property {string} cards HTML of the cards next to the map
 * @property {string} acting the unit that acts
 * @property {OptionTarget[]} targets
 * @property {PlaceQuestion | null} place
 * @property {string} status HTML
 * @property {string} question HTML
 * @property {string} log HTML
 * @property {string} units the digest of the list of units
 * @property {string} victory_line HTML: what decides the battle, in one line
 * @property {string} victory HTML: how the battle is won
 * @property {string} turn_text whose turn it is and what is asked, for people who do not see the page
 * @property {string} [ground_svg] SVG of the ground, if the page does not have it yet
 * @property {Box} [box] the whole map, with the ground */

/** The server's ruling on a point: why it is illegal, and its movement cost.
 * @typedef {{ refused: string, cost: string }} Ruling */

/** An action of the umpire, or an order, that waits for a place on the map.
 * @typedef {{ what: string, unit: string, reason: string }} Picking */

export const table = byIdAs("table", SVGSVGElement);

export const state = {
  /** @type {PageState} */
  page: {
    version: 0, question_version: -1, position: "", seat: "", is_asked: false, over: false, thinking: false, ground: "", depth: 0,
    steps: 0, reader: "", moment: null, others_acted: null, pieces: "", side: 0, reaches: "", goals: [], cards: "", acting: "", targets: [], place: null, status: "",
    question: "", log: "", units: "", victory_line: "", victory: "", turn_text: "",
  },
  /** The point under consideration for a place. @type {Point | null} */
  mark: null,
  /** @type {Ruling} */
  ruling: { refused: "", cost: "" },
  /** @type {Picking | null} */
  picking: null,
  /** The first end of the ruler; true before it is set, null while the ruler is away. @type {Point | true | null} */
  ruler: null,
  /** True while the map shows an earlier moment. */
  replaying: false,
  /** True while the question is held back, because the map still plays what happened before it. */
  isHeld: false,
  /** The number of the question on the panel: how many the page has shown. It goes on after a restart of the server. */
  questionNumber: 0,
  /** The version in which the question on the panel appeared; -1 before the first one. */
  questionVersion: -1,
  /** The position of the game at that question. */
  questionPosition: "",
  /** The options that a first tap has chosen, for a second tap; "" if there are none. */
  tapped: "",
};

/** Return true if this seat must answer the question, and the panel shows it. */
export const isAsked = () => state.page.is_asked && !state.isHeld;
