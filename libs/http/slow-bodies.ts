// Ends requests whose bodies arrive too slowly: each of them takes capacity from the requests in progress.
import type { IncomingMessage, Server } from "node:http";
import type { ConnectionCap } from "#http/connection-cap.ts";

/**
 * The average speed at which a body must arrive after the grace period. Slow connections reach it; bodies that are sent
 * slowly on purpose do not.
 */
const BODY_BYTES_PER_S_MIN = 8 * 1024;
/** A small body arrives with its headers or directly after them; this allows for three lost packets. */
const BODY_GRACE_MS = 3_000;

/** `waitedMs`: how long bytes could have arrived. */
type Pace = { waitedMs: number; bytesBefore: number };

/** `checkEveryMs`: how often the speeds are checked. Returns a function that stops it. */
export function endSlowBodies(
  server: Server,
  connections: Pick<ConnectionCap, "inProgress">,
  checkEveryMs: number,
): () => void {
  /** The state of the bodies that were arriving at the last check. */
  let paces = new Map<IncomingMessage, Pace>();
  const checking = setInterval(() => {
    const before = paces;
    paces = new Map();
    for (const { req } of connections.inProgress()) {
      // While the process does not read from it, or from its connection, the caller is not the reason for the delay.
      if (req.complete || !req.readableFlowing || req.socket.isPaused()) continue;
      const pace = before.get(req);
      if (!pace) paces.set(req, { waitedMs: 0, bytesBefore: req.socket.bytesRead });
      else if (!isTooSlow(req, pace, checkEveryMs)) paces.set(req, pace);
      else {
        server.emit(
          "clientError",
          Object.assign(new Error("the body is too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
          req.socket,
        );
      }
    }
  }, checkEveryMs);
  return () => clearInterval(checking);
}

/**
 * Counts checks instead of using the clock: a process that was paused has read nothing meanwhile, whatever was sent.
 */
function isTooSlow({ socket }: IncomingMessage, pace: Pace, checkEveryMs: number): boolean {
  pace.waitedMs += checkEveryMs;
  const owedMs = pace.waitedMs - BODY_GRACE_MS;
  return owedMs > 0 && socket.bytesRead - pace.bytesBefore < (owedMs / 1_000) * BODY_BYTES_PER_S_MIN;
}
