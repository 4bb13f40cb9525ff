// A server that is already installed.

import { versionOf } from "./version.ts";
import type { Provider } from "./find-server.ts";

/** The programs that can be used, in order of preference. */
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
