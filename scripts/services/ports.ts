// Reserves free ports: a child that is restarted must get its old port, and two concurrent starts must not choose the
// same one.

import { randomInt } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { cacheDir } from "../paths.js";
import { tryLock } from "../system/lock.js";

// Below the range from which systems take the local ports of outgoing connections (Linux from 32768, macOS from 49152):
// one of those could sit on the port, or connect to itself there, while the server is down.
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const TRIES_MAX = 100;
const RESERVED = join(cacheDir, "ports");

/** A port on which no process listens, reserved for this process while it runs; the requested one if it is free. */
export async function freePort(preferred?: number): Promise<number> {
  removeStale();
  if (preferred && (await isReserved(preferred))) return preferred;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (await isReserved(port)) return port;
  }
  throw new Error(`No free port found between ${PORT_MIN} and ${PORT_MAX} in ${TRIES_MAX} tries.`);
}

async function isReserved(port: number) {
  const lock = tryLock(join(RESERVED, String(port)));
  if ("holderPid" in lock) return false;
  // A browser that opens http://localhost may ask ::1 first. There is no such address where IPv6 is off.
  const [fault, faultOfV6] = await Promise.all([portFault("127.0.0.1", port), portFault("::1", port)]);
  if (fault || faultOfV6 === "EADDRINUSE") {
    lock.release();
    return false;
  }
  process.once("exit", lock.release);
  return true;
}

/** Removes reservations of processes that were killed with -9. */
function removeStale() {
  mkdirSync(RESERVED, { recursive: true });
  for (const name of readdirSync(RESERVED).filter((file) => /^\d+$/.test(file))) {
    const lock = tryLock(join(RESERVED, name));
    if ("release" in lock) lock.release();
  }
}

/** The system's code if listening is not possible now (EADDRINUSE, EACCES, EADDRNOTAVAIL); otherwise undefined. */
export function portFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => {
      resolve((error as NodeJS.ErrnoException).code ?? error.message);
    });
    probe.listen({ host, port, exclusive: true }, () => {
      probe.close(() => resolve(undefined));
    });
  });
}
