// One process of a role: API, worker, notifier or dashboard. The IPC channel carries no messages: it breaks when the
// supervisor is killed, and the process then completes its requests and exits.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../paths.js";
import { watchChild, type Running } from "../system/watch-child.ts";
import { nodeOptions, type Role } from "./node-options.ts";

export function startRole({ role, env }: { role: Role; env: Record<string, string | undefined> }): Running {
  const child = spawn(process.execPath, [...nodeOptions[role], join(root, "apps", role, "main.ts")], {
    cwd: root,
    env,
    detached: true, // Ctrl-C in a terminal reaches only the supervisor, which then stops the processes in order
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return watchChild(child);
}
