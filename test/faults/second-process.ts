// `npm run api` or `npm run worker`, configured by its environment alone: nobody starts it again, so its unexpected end
// fails the test, which says how it ended and what it said last. Found by DATA_DIR when all is removed.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { root } from "../../scripts/paths.js";
import { freePort } from "../../scripts/services/ports.ts";
import { until } from "../support/until.ts";
import type { Proxies } from "../support/proxies.ts";

/** The kind of a process. */
export type Role = "api" | "worker";

/** Of what it says: its last errors. */
const OUTPUT_CHARS_MAX = 4_000;

export type SecondProcess = {
  port: number;
  /** How it ended by itself and what it said last; null while it runs. */
  ended(): string | null;
  /** Rejects immediately if it has exited. */
  ready(): Promise<void>;
  /** Ends by SIGTERM; resolves when its successor is ready. */
  restart(): Promise<void>;
  /** The same where it runs with other variables than these beside its usual ones. */
  use(env: Readonly<Record<string, string>>): Promise<void>;
};

type Running = { child: ChildProcess; ended: () => string | null };

export async function startSecond({
  role,
  dataDir,
  proxies,
}: {
  role: Role;
  dataDir: string;
  proxies: Proxies;
}): Promise<SecondProcess> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const usual = {
    PORT: String(port),
    OPS_PORT: String(opsPort),
    MONGO_URL: proxies.config.mongoUrl,
    REDIS_URL: proxies.config.redisUrl,
  };
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  let beside: Readonly<Record<string, string>> = {};
  let running = start();

  function start(): Running {
    const env = { ...process.env, ...beside, ...usual, LOG_LEVEL: "error", DATA_DIR: dataDir };
    const child = spawn("npm", ["run", "--silent", role], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let ended: string | null = null;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output = (output + text).slice(-OUTPUT_CHARS_MAX)));
    }
    child.once(
      "close",
      (code, signal) =>
        (ended = `The second ${role} ended by itself: ${signal ?? `exit code ${code}`}. It said last:\n${output}`),
    );
    return { child, ended: () => ended };
  }

  async function ready(): Promise<void> {
    await untilReady(opsUrl, () => {
      const ended = running.ended();
      if (ended !== null) throw new Error(ended);
    });
  }

  async function restart(): Promise<void> {
    const { child } = running;
    if (running.ended() === null) {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    }
    running = start();
    await ready();
  }

  await ready();
  return {
    port,
    ended: () => running.ended(),
    ready,
    restart,
    async use(env) {
      if (JSON.stringify(env) === JSON.stringify(beside)) return;
      beside = env;
      await restart();
    },
  };
}

/** `check` throws where it makes no sense to wait any longer. */
export async function untilReady(opsUrl: string, check = (): void => {}): Promise<void> {
  await until(() => {
    check();
    return fetch(`${opsUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
}
