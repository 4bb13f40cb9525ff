// A server that is installed already.

import { versionOf } from "./version.js";

/**
 * @param {string[]} programs any of these will do, best first
 * @returns {import("./find-server.js").Provider}
 */
export function onPath(programs) {
  return {
    title: "PATH",
    async find() {
      const reasons = [];
      for (const command of programs) {
        const answer = await versionOf(command);
        if ("value" in answer) return { found: { command, version: answer.value, from: `${command} on PATH` } };
        reasons.push(answer.reason);
      }
      return { reason: reasons.join(", ") };
    },
  };
}
