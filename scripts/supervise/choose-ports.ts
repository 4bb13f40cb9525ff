// Chooses the ports of all processes before anything starts: a port in use is reported immediately, and
// a restarted child gets the same port.
import { freePort, portFault } from "../services/ports.ts";
import type { Config } from "./config.ts";

export async function choosePorts({ host, port, opsHost = host, opsPort, dashboardPort }: Config) {
  const requested = [
    ["PORT", host, port],
    ["OPS_PORT", opsHost, opsPort ?? 0],
    ["DASHBOARD_PORT", host, dashboardPort ?? 0],
  ] as const;
  const found = await Promise.all(requested.map(([name, address, number]) => faultOf(name, address, number)));
  const faults = found.filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const taken = [port, opsPort, dashboardPort];
  // If no port is set: the usual one, unless it is in use or free ports are requested. The addresses are printed.
  const usualOr = async (set: number | undefined, usual: number) => {
    if (set) return set;
    const mayTakeUsual = set === undefined && port !== 0 && !taken.includes(usual);
    return freePort(mayTakeUsual ? usual : undefined);
  };
  return {
    port: port || (await freePort()),
    opsPort: await usualOr(opsPort, OPS_PORT_USUAL),
    workerOpsPort: await freePort(),
    notifierOpsPort: await freePort(),
    dashboardPort: await usualOr(dashboardPort, DASHBOARD_PORT_USUAL),
    dashboardOpsPort: await freePort(),
  };
}

const OPS_PORT_USUAL = 9090;
const DASHBOARD_PORT_USUAL = 8081;

async function faultOf(name: string, host: string, port: number) {
  const code = await portFault(host, port);
  if (code === undefined) return undefined;
  const elsewhere = `another port: ${name}=<port> npm start (0 picks a free one)`;
  if (code === "EADDRINUSE")
    return `${name} ${port} on ${host} is in use by another program. Stop that program, or choose ${elsewhere}`;
  if (code === "EACCES") return `${name} ${port} requires privileges that this user does not have. Choose ${elsewhere}`;
  return `${name === "OPS_PORT" ? "OPS_HOST" : "HOST"} ${host} cannot be listened on (${code}). It must be an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::`;
}
