// Ends requests whose bodies arrive too slowly: each of them holds a place among the requests in progress.
import type { IncomingMessage, Server } from "node:http";
import { BODY_BYTES_PER_S_MIN, BODY_GRACE_MS } from "./bounds.ts";

type Pace = { sinceMs: number; bytesBefore: number };

/** `checkEveryMs`: how often the speeds are looked at. Returns what stops it. */
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
    const nowMs = performance.now();
    for (const [req, pace] of arriving) {
      // While nothing is read of it, it is not the caller who makes it slow.
      if (!req.readableFlowing) arriving.set(req, null);
      else if (!pace) arriving.set(req, { sinceMs: nowMs, bytesBefore: req.socket.bytesRead });
      else if (isTooSlow(req, pace, nowMs)) {
        arriving.delete(req);
        server.emit("clientError", Object.assign(new Error("the body is too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), req.socket);
      }
    }
  }, checkEveryMs);
  return () => clearInterval(checking);
}

function isTooSlow({ socket }: IncomingMessage, { sinceMs, bytesBefore }: Pace, nowMs: number): boolean {
  const owedMs = nowMs - sinceMs - BODY_GRACE_MS;
  return owedMs > 0 && socket.bytesRead - bytesBefore < (owedMs / 1_000) * BODY_BYTES_PER_S_MIN;
}
