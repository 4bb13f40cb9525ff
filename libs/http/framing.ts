// Rejects requests whose end or host two servers could interpret differently. Those that Node accepts are rejected here
// as malformed HTTP, and no later request on the same connection is served. So nothing can be smuggled past a proxy.
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { headerValues } from "#http/header-values.ts";

function isAmbiguous(req: IncomingMessage): boolean {
  const coding = req.headers["transfer-encoding"];
  // HTTP/1.0 has no transfer codings (RFC 9112 6.1); of the others only this one is supported.
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || req.httpVersion === "1.0")) return true;
  const hosts = headerValues(req, "host").length;
  return hosts > 1 || (hosts === 0 && req.httpVersion === "1.1");
}

/** `app` receives the requests that can be read in one way only. */
export function unambiguously(app: RequestListener, server: Server): RequestListener {
  const broken = new WeakSet<Socket>();
  return (req, res) => {
    // It was sent together with the ambiguous request and may be a part of it.
    if (broken.has(req.socket)) return;
    if (!isAmbiguous(req)) return app(req, res);
    broken.add(req.socket);
    server.emit("clientError", new Error("ambiguous framing"), req.socket);
  };
}
