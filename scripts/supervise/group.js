// Children that are kept alive, and stopped, together. Once it is stopped nothing joins it any more.

import { keepAlive } from "./keep-alive.js";

/** @typedef {ReturnType<typeof makeGroup>} Group */

/** @param {(line: string) => void} log */
export function makeGroup(log) {
  /** @type {import("./keep-alive.js").Kept[]} */
  const members = [];
  let stopped = false;
  return {
    /**
     * Answers when the child serves.
     * @param {Omit<Parameters<typeof keepAlive>[0], "log">} child
     */
    async add(child) {
      if (stopped) throw new Error("stopped while starting");
      const kept = keepAlive({ ...child, log });
      members.push(kept);
      await kept.started;
    },
    /** @param {number} graceMs */
    async stop(graceMs) {
      stopped = true;
      await Promise.all(members.map((member) => member.stop(graceMs)));
    },
  };
}
