// Which ports API and worker listen on. Decided before anything starts: a taken port is said at once, and a child that is
// started again gets the same one.

import { freePort, portFault } from "../services/ports.js";

/**
 * @param {import("./config.js").Config} config
 */
export async function choosePorts({ host, port, opsHost = host, opsPort }) {
  const faults = [await faultOf("PORT", host, port), await faultOf("OPS_PORT", opsHost, opsPort)].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return {
    port: port || (await freePort()),
    opsPort: opsPort || (await freePort()),
    workerOpsPort: await freePort(),
  };
}

/**
 * @param {string} name
 * @param {string} host
 * @param {number} port
 */
async function faultOf(name, host, port) {
  const code = await portFault(host, port);
  if (code === undefined) return undefined;
  const elsewhere = `another port: ${name}=<port> npm start (0 picks a free one)`;
  if (code === "EADDRINUSE") return `${name} ${port} on ${host} is taken by another program. Stop that one, or choose ${elsewhere}`;
  if (code === "EACCES") return `${name} ${port} may not be opened by this user. Choose ${elsewhere}`;
  return `${name === "PORT" ? "HOST" : "OPS_HOST"} ${host} cannot be listened on (${code}). It must be an address of this machine, such as 127.0.0.1 or 0.0.0.0`;
}
