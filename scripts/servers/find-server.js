// Walks the list of providers and answers the first server that is here, or names every way that was tried.
// Two rounds: what is on this machine already wins over what would have to be fetched, so only the first start waits.

import { join } from "node:path";
import { withLock } from "../system/lock.js";

/**
 * @typedef {object} Server a program that can be started
 * @property {string} command
 * @property {Record<string, string> | undefined} [env]
 * @property {string} version
 * @property {string} from how a person would say where it comes from
 * @property {string} [note] what a person should know who is given this one
 * @property {string} [image] it runs inside a container of this image, and `command` is the name in there
 *
 * @typedef {{ found: Server } | { reason: string }} Answer
 *
 * @typedef {object} Context
 * @property {string} cacheDir
 * @property {string} node Node 24
 * @property {boolean} mayFetch false: only what is on this machine already
 * @property {(line: string) => void} log
 *
 * @typedef {{ title: string, find: (context: Context) => Promise<Answer> }} Provider
 * @typedef {Server & { why: string }} ChosenServer
 */

/**
 * @param {import("./list.js").Wanted} wanted
 * @param {{ cacheDir: string, node: string, log: (line: string) => void, preferred?: string | undefined }} options
 *   preferred: the origin of the server that wrote the data, since another version may not read it
 * @returns {Promise<ChosenServer>}
 */
export async function findServer({ program, providers, waysOut }, { cacheDir, node, log, preferred }) {
  return withLock(join(cacheDir, `${program}.lock`), log, async () => {
    /** @type {Map<string, string>} */
    const reasons = new Map();
    for (const mayFetch of [false, true]) {
      /** @type {ChosenServer[]} */
      const found = [];
      for (const { title, find } of providers) {
        const answer = await find({ cacheDir, node, mayFetch, log });
        if ("reason" in answer) {
          reasons.set(title, answer.reason);
          continue;
        }
        const server = { ...answer.found, why: whyNotEarlier(title, providers, reasons) };
        if (!preferred || server.from === preferred) return server;
        found.push(server);
      }
      if (found[0]) return found[0];
    }
    throw new Error(nothingLeft(program, reasons, waysOut));
  });
}

/**
 * @param {string} chosen
 * @param {Provider[]} providers
 * @param {Map<string, string>} reasons
 */
function whyNotEarlier(chosen, providers, reasons) {
  const earlier = providers.slice(
    0,
    providers.findIndex(({ title }) => title === chosen),
  );
  if (earlier.length === 0) return "first in the order";
  return earlier.map(({ title }) => `${title}: ${reasons.get(title) ?? "not what wrote this data"}`).join("; ");
}

/**
 * @param {string} program
 * @param {Map<string, string>} reasons
 * @param {string[]} waysOut
 */
function nothingLeft(program, reasons, waysOut) {
  return [
    `No ${program} could be found or fetched. Tried, in this order:`,
    ...[...reasons].map(([title, reason]) => `  ${title}: ${reason}`),
    "Ways out:",
    ...waysOut.map((way, index) => `  ${index + 1}. ${way}`),
  ].join("\n");
}
