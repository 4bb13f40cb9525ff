// A private PostgreSQL for R9, where one is installed: a fresh cluster with its default durability (fsync and
// synchronous_commit on).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chmodSync, chownSync, constants, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { messageOf } from "../scripts/system/message-of.js";
import { freePort } from "../scripts/services/ports.ts";

const STARTS_WITHIN_MS = 30_000;
/** Debian keeps the programs of each version apart, off the PATH. */
const DEBIAN = "/usr/lib/postgresql";
const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "512MB",
};

export type Postgres = { url: string; pid: number; version: string; stop(): Promise<void> };

/** Null, and a line why, where there is none. */
export async function startPostgres({
  dataDir,
  log,
}: {
  dataDir: string;
  log: (line: string) => void;
}): Promise<Postgres | null> {
  try {
    const programs = findPrograms();
    if (!programs) throw new Error("it is not installed");
    return await start(programs, dataDir);
  } catch (error) {
    log(`R9 is skipped, PostgreSQL cannot be started: ${messageOf(error).trim()}`);
    return null;
  }
}

/** The folder that holds postgres and initdb. */
function findPrograms(): string | undefined {
  const onPath = (process.env["PATH"] ?? "").split(delimiter);
  const debian = exists(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : [];
  const found = [...onPath, ...debian.toReversed()].find(
    (dir) => exists(join(dir, "postgres")) && exists(join(dir, "initdb")),
  );
  return found && dirname(realpathSync(join(found, "postgres")));
}

function exists(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function start(programs: string, dataDir: string): Promise<Postgres> {
  // PostgreSQL does not run as root.
  const user = process.getuid?.() === 0 ? plainUser() : null;
  mkdirSync(dataDir, { mode: 0o700 });
  if (user) {
    chownSync(dataDir, user.uid, user.gid);
    // Passed through, not read.
    chmodSync(dirname(dataDir), 0o711);
  }
  const options = { cwd: dataDir, ...user, env: { PATH: process.env["PATH"], LC_ALL: "C" } };
  execFileSync(join(programs, "initdb"), ["-D", dataDir, "-U", "bench", "--auth=trust", "--encoding=UTF8"], {
    ...options,
    stdio: "pipe",
  });

  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const child = spawn(join(programs, "postgres"), ["-D", dataDir, ...settings], { ...options, stdio: "ignore" });
  process.once("exit", () => child.kill("SIGQUIT"));
  const url = `postgres://bench@127.0.0.1:${port}/postgres`;
  const version = await untilServing(url, () => child.exitCode);
  return {
    url,
    pid: child.pid ?? 0,
    version,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
  };
}

function plainUser(): { uid: number; gid: number } {
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function untilServing(url: string, exitCode: () => number | null): Promise<string> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
      return rows[0]?.server_version ?? "";
    } catch (error) {
      if (exitCode() !== null || performance.now() > deadline) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
