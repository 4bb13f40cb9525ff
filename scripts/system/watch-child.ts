// The interface of a started program: its pid, its end, and a function to stop it.

import { stopProcess } from "./processes.js";
import type { ChildProcess } from "node:child_process";

export type Running = {
  pid: number;
  /** The reason of its end. */
  exited: Promise<string>;
  stop: (graceMs: number) => Promise<void>;
};

export function watchChild(child: ChildProcess): Running {
  const { pid } = child;
  const exited: Promise<string> = new Promise((resolve) => {
    child.once("error", (error) => {
      resolve(error.message);
    });
    child.once("exit", (code, signal) => {
      resolve(signal ? `killed by ${signal}` : `exit code ${code}`);
    });
  });
  return {
    pid: pid ?? 0,
    exited,
    async stop(graceMs) {
      if (pid !== undefined) await stopProcess(pid, graceMs);
      await exited;
    },
  };
}
