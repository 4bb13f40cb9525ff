// Real processes of each role, with everything they write kept. Each ends with its test file.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../../scripts/paths.js";
import { until } from "./until.ts";

const Listening = z.object({ opsPort: z.number(), url: z.string().optional() });

export type RealProcess = {
  pid: number;
  /** Standard output and standard error, so far. */
  output(): string;
  /** Resolves once it has said so, or has ended; the test's own timeout bounds it. */
  loggedOrExited(text: string): Promise<void>;
  /** The ports that it noted when it started. */
  ports(): Promise<{ port: number; opsPort: number }>;
  /** The same, once its /readyz says that it serves. */
  ready(): Promise<{ port: number; opsPort: number }>;
  /** Resolves with the exit code (null: a signal's end) once it has ended by itself and all that it said is read. */
  ended(): Promise<number | null>;
  /** SIGTERM; resolves as `ended` does. */
  stop(): Promise<number | null>;
};

/** `node`: options of Node itself. The environment is `env` alone; the compile cache saves time and changes nothing. */
export function startProcess(
  role: "api" | "worker" | "notifier" | "dashboard",
  env: Record<string, string>,
  node: readonly string[] = [],
  cwd: string = root,
): RealProcess {
  const child = spawn(process.execPath, [...node, join(root, "apps", role, "main.ts")], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      PORT: "0",
      OPS_PORT: "0",
      DASHBOARD_PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => (text += more));
  const started = `${role}.${role === "api" || role === "dashboard" ? "listening" : "started"}`;

  const state = { hasEnded: false };
  let wake = Promise.withResolvers<void>();
  function notify(): void {
    wake.resolve();
    wake = Promise.withResolvers();
  }
  child.stdout.on("data", notify);
  // Not "exit": what it wrote last may be read after that.
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      state.hasEnded = true;
      notify();
      resolve(code);
    });
  });

  async function loggedOrExited(requested: string): Promise<void> {
    while (!text.includes(requested) && !state.hasEnded) await wake.promise;
  }

  async function ports(): Promise<{ port: number; opsPort: number }> {
    await loggedOrExited(started);
    const line = text.split("\n").find((one) => one.includes(started));
    if (line === undefined) throw new Error(`the ${role} did not start:\n${text}`);
    const { url, opsPort } = Listening.parse(JSON.parse(line));
    return { port: Number(new URL(url ?? "http://x").port), opsPort };
  }
  return {
    pid: child.pid ?? 0,
    output: () => text,
    loggedOrExited,
    ended: () => ended,
    ports,
    async ready() {
      const listening = await ports();
      await until(async () => (await fetch(`http://127.0.0.1:${listening.opsPort}/readyz`)).ok);
      return listening;
    },
    stop() {
      // False, and without effect, once it has ended.
      child.kill("SIGTERM");
      return ended;
    },
  };
}
