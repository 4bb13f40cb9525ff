// Children that are restarted when they exit, and stopped together. After a stop, no child can be added.

import { keepAlive, type SupervisedProcess } from "./keep-alive.ts";

export type Group = ReturnType<typeof makeGroup>;

export function makeGroup(log: (line: string) => void) {
  const members: SupervisedProcess[] = [];
  let stopped = false;
  return {
    /** Resolves when the child is ready. */
    async add(child: Omit<Parameters<typeof keepAlive>[0], "log">) {
      if (stopped) throw new Error("stopped while starting");
      const supervised = keepAlive({ ...child, log });
      members.push(supervised);
      await supervised.started;
    },
    async stop(graceMs: number) {
      stopped = true;
      await Promise.all(members.map((member) => member.stop(graceMs)));
    },
  };
}
