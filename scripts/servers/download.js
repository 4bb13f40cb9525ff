// A server that a package client fetches into the cache, once. Landed whole and tried out, or fetched again.

import { join } from "node:path";
import { land, landed } from "../system/land.js";
import { withProgress } from "../system/progress.js";
import { versionOf } from "./version.js";

/**
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.from
 * @param {string} options.folder its place in the cache
 * @param {(dir: string) => string} options.program
 * @param {(dir: string) => Record<string, string>} [options.env] what the program needs to run
 * @param {string} [options.note] what a person should know who is given this one
 * @param {() => string | undefined} [options.unfit] why this machine cannot use it, if so
 * @param {(dir: string, context: import("./find-server.js").Context) => Promise<{ reason: string } | undefined>} options.fill
 * @returns {import("./find-server.js").Provider}
 */
export function download({ title, from, folder, program, env, note, unfit, fill }) {
  return {
    title,
    async find(context) {
      const reason = unfit?.();
      if (reason) return { reason };
      const landing = {
        dest: join(context.cacheDir, "servers", folder),
        program,
        tryOut: (/** @type {string} */ dir) => versionOf(program(dir), env?.(dir)),
        fill: (/** @type {string} */ dir) => withProgress(context.log, `fetching ${from}`, fill(dir, context)),
        log: context.log,
      };
      const answer = context.mayFetch ? await land(landing) : await landed(landing);
      if ("reason" in answer) return answer;
      const { dest } = landing;
      return {
        found: { command: program(dest), env: env?.(dest), version: answer.value, from, ...(note ? { note } : {}) },
      };
    },
  };
}
