// A server that is installed already.

import { versionOf } from "./version.ts";
import type { Provider } from "./find-server.ts";

/** Any of the programs will do, best first. */
export function onPath(programs: string[]): Provider {
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
