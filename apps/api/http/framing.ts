// Requests whose end, or whose host, two servers could read differently. What Node lets through of them is refused here
// as broken HTTP, and nothing behind it on the same connection is served: so nothing can be smuggled past a proxy in
// front.
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { headerValues } from "./header-values.ts";

export function isAmbiguous(req: IncomingMessage): boolean {
  const coding = req.headers["transfer-encoding"];
  // HTTP/1.0 knows no transfer codings (RFC 9112 6.1); of the others only this one is read.
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || req.httpVersion === "1.0")) return true;
  return headerValues(req, "host").length > 1;
}

/** `app` for requests that can be read in one way only. */
export function unambiguously(app: RequestListener, server: Server): RequestListener {
  const broken = new WeakSet<Socket>();
  return (req, res) => {
    // Sent at once with the ambiguous one: it may be a part of it.
    if (broken.has(req.socket)) return;
    if (!isAmbiguous(req)) return app(req, res);
    broken.add(req.socket);
    server.emit("clientError", new Error("ambiguous framing"), req.socket);
  };
}
