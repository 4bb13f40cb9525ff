// One process of a role: API, worker or dashboard. The IPC channel says nothing: it is there to break when the
// supervisor is killed, which is when the role drains and exits by itself.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../paths.js";
import { watchChild, type Running } from "../system/watch-child.ts";
import { nodeOptions } from "./node-options.ts";

export function startRole({
  role,
  env,
}: {
  role: "api" | "worker" | "dashboard";
  env: Record<string, string | undefined>;
}): Running {
  const child = spawn(process.execPath, [...nodeOptions, join(root, "apps", role, "main.ts")], {
    cwd: root,
    env,
    detached: true, // a terminal's Ctrl-C reaches the supervisor alone, which then stops things in order
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return watchChild(child);
}
