// Ends requests whose bodies arrive too slowly: each of them takes capacity from the requests in progress.
import type { IncomingMessage, Server } from "node:http";
import { BODY_BYTES_PER_S_MIN, BODY_GRACE_MS } from "./bounds.ts";

/** `waitedMs`: how long bytes could have arrived. */
type Pace = { waitedMs: number; bytesBefore: number };

/** `checkEveryMs`: how often the speeds are checked. Returns a function that stops it. */
export function endSlowBodies(server: Server, checkEveryMs: number): () => void {
  const arriving = new Map<IncomingMessage, Pace | null>();
  server.on("request", (req, res) => {
    if (req.complete) return;
    arriving.set(req, null);
    const forget = (): void => void arriving.delete(req);
    req.once("end", forget);
    res.once("close", forget);
  });
  const checking = setInterval(() => {
    for (const [req, pace] of arriving) {
      // While the process does not read from it, or from its connection, the caller is not the reason for the delay.
      if (!req.readableFlowing || req.socket.isPaused()) arriving.set(req, null);
      else if (!pace) arriving.set(req, { waitedMs: 0, bytesBefore: req.socket.bytesRead });
      else if (isTooSlow(req, pace, checkEveryMs)) {
        arriving.delete(req);
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
