// A server of a test on a free port of this machine.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Resolves with the port, on which it listens then. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
