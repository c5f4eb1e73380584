// Requests to the server.
import { byId } from "./dom.js";

/** The address under which the server answers for this game or this battle. */
export const base = byId("main").dataset.base ?? "";

/** The server does not answer. */
export class ServerLost extends Error {}

/**
 * Return the JSON at an address below `base`. Throws an Error that says why there is none: the server refuses, or does not
 * answer.
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
export async function requestJson(path, options = {}) {
  const response = await fetch(base + path, { headers: { Accept: "application/json" }, ...options })
    .catch((error) => { throw error.name === "TimeoutError" ? new Error("the server takes too long to answer") : new ServerLost("the server does not answer"); });
  const data = await response.json().catch(() => ({ refused: "the server sent no readable answer" }));
  if (!response.ok) throw new Error(data.refused || "this is not possible");
  return data;
}
