// Free ports that stay free: a server that is started again must get its old one.

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the range from which systems take the local ports of outgoing connections (Linux from 32768, macOS from 49152):
// one of those could sit on the port, or connect to itself there, while the server is down.
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
const TRIES_MAX = 100;

/**
 * @param {number} [wanted] taken if it is free
 * @returns {Promise<number>}
 */
export async function freePort(wanted) {
  if (wanted && (await portFault("127.0.0.1", wanted)) === undefined) return wanted;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if ((await portFault("127.0.0.1", port)) === undefined) return port;
  }
  throw new Error(`No free port found between ${PORT_MIN} and ${PORT_MAX} in ${TRIES_MAX} tries.`);
}

/**
 * Why nobody could listen there now, as the system's code (EADDRINUSE, EACCES, EADDRNOTAVAIL); undefined: one could.
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | undefined>}
 */
export function portFault(host, port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
