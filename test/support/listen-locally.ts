// A server of a test on a free port of this machine.
import type { Server } from "node:http";
import { listen } from "./listen.ts";

export async function listenLocally(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
