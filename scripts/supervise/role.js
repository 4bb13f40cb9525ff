// One process of a role: API, worker or dashboard. The IPC channel says nothing: it is there to break when the
// supervisor is killed, which is when the role drains and exits by itself.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../paths.js";
import { watchChild } from "../system/watch-child.js";
import { nodeOptions } from "./node-options.js";

/**
 * @param {{ role: "api" | "worker" | "dashboard", node: string, env: Record<string, string | undefined> }} options
 * @returns {import("../system/watch-child.js").Running}
 */
export function startRole({ role, node, env }) {
  const child = spawn(node, [...nodeOptions, join(root, "apps", role, "main.ts")], {
    cwd: root,
    env,
    detached: true, // a terminal's Ctrl-C reaches the supervisor alone, which then stops things in order
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return watchChild(child);
}
