// Writes a response, and ensures that it arrives even if the request's body was not read completely.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpResponse, HeaderList } from "./response.ts";

const everyResponse: HeaderList = ["x-content-type-options", "nosniff"];
const NOT_STORED: HeaderList = ["cache-control", "no-store"];
const COMPARED: HeaderList = ["cache-control", "no-cache"];
const IMMUTABLE: HeaderList = ["cache-control", "public, max-age=31536000, immutable"];

const NOTHING_LOADED = "default-src 'none'; frame-ancestors 'none'";

/**
 * How much of a rejected body is still read and discarded: closing immediately would reset the connection and lose the
 * response. Many clients do not read the response before they have sent the whole body.
 */
const DRAIN_BYTES_MAX = 64 * 1024 * 1024;
const DRAIN_MS_MAX = 2_000;

type Outgoing = { req: IncomingMessage; res: ServerResponse; response: HttpResponse; more: HeaderList };
export type Send = (outgoing: Outgoing) => void;

/**
 * Responses of one turn of the event loop are written together at its end. Waking the reading process costs more than
 * the rest of a write, and consecutive writes wake it only once: a request takes a third less CPU (measured).
 */
export function makeSend(): Send {
  let ready: Outgoing[] = [];

  function writeReady(): void {
    const responses = ready;
    ready = [];
    // Each on its own: if one of them fails, the others are still written.
    for (const response of responses) process.nextTick(write, response);
  }

  return (outgoing) => {
    if (ready.push(outgoing) === 1) setImmediate(writeReady);
  };
}

function write({ req, res, response, more }: Outgoing): void {
  // The caller has disconnected.
  if (res.writableEnded || res.destroyed) return;
  const given = response.body;
  const body = typeof given === "string" || Buffer.isBuffer(given) ? given : JSON.stringify(given);
  const { status, contentType = "application/json", headers = [] } = response;
  const length = String(Buffer.byteLength(body));
  const policy = ["content-security-policy", response.policy ?? NOTHING_LOADED];
  res.writeHead(status, [
    "content-type",
    contentType,
    "content-length",
    length,
    ...policy,
    ...cachingOf(response),
    ...everyResponse,
    ...headers,
    ...more,
  ]);
  res.end(body);
  if (!req.complete) drain(req, res);
}

function cachingOf({ isImmutable, etag }: HttpResponse): HeaderList {
  if (etag === undefined) return isImmutable ? IMMUTABLE : NOT_STORED;
  return [...(isImmutable ? IMMUTABLE : COMPARED), "etag", etag];
}

function drain(req: IncomingMessage, res: ServerResponse): void {
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const closeSocket = (): void => void req.socket.destroy();
  // A pipelined request is answered after those before it, which may still be applied.
  res.once("finish", () => {
    if (!req.complete) timer = setTimeout(closeSocket, DRAIN_MS_MAX);
  });
  req.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAIN_BYTES_MAX) closeSocket();
  });
  req.on("close", () => clearTimeout(timer));
  req.on("end", () => clearTimeout(timer));
  req.resume();
}
