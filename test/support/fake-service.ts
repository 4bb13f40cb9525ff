// A service of somebody else on real HTTP: it notes each request, limits how many it accepts, and gives the odd
// responses that a test asks for.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: any;
  atMs: number;
};
/** `body`: text as it is, everything else as JSON. `hangs`: no response at all. */
export type Reply = { status: number; headers?: Record<string, string>; body?: unknown; hangs?: boolean };

export type FakeService = {
  url: string;
  seen: Seen[];
  /** Requests like this one get these responses, one each, before any others. */
  odd: { matches: (seen: Seen) => boolean; replies: Reply[] }[];
  /** Requests that are accepted in a window. */
  limit: { requests: number; windowMs: number };
  close(): Promise<void>;
};

export async function startFakeService(options: {
  respond: (seen: Seen) => Reply;
  limited: (leftMs: number) => Reply;
  /** Headers of the limit. */
  limitHeaders?: (left: number, resetS: number) => Record<string, string>;
}): Promise<FakeService> {
  const { respond, limited, limitHeaders = robloxHeaders } = options;
  const [seen, odd]: [Seen[], FakeService["odd"]] = [[], []];
  const limit = { requests: Infinity, windowMs: 60_000 };
  let window = { beganAtMs: -Infinity, count: 0 };

  function replyTo(request: Seen): Reply {
    const scripted = odd.find(({ matches, replies }) => replies.length > 0 && matches(request))?.replies.shift();
    if (scripted) return scripted;
    if (request.atMs - window.beganAtMs >= limit.windowMs) window = { beganAtMs: request.atMs, count: 0 };
    window.count += 1;
    const leftMs = window.beganAtMs + limit.windowMs - request.atMs;
    const reply = window.count > limit.requests ? limited(leftMs) : respond(request);
    if (limit.requests === Infinity) return reply;
    const left = Math.max(0, limit.requests - window.count);
    const retry = reply.status === 429 ? { "retry-after": `${Math.ceil(leftMs / 1_000)}` } : {};
    return { ...reply, headers: { ...limitHeaders(left, leftMs / 1_000), ...retry, ...reply.headers } };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const url = new URL(request.url ?? "", "http://service");
      const { method = "", headers } = request;
      const body = text === "" ? undefined : JSON.parse(text);
      const facts = { method, path: decodeURIComponent(url.pathname), query: url.searchParams, headers, body };
      const asked: Seen = { ...facts, atMs: performance.now() };
      seen.push(asked);
      const reply = replyTo(asked);
      if (reply.hangs) return;
      const isText = typeof reply.body === "string";
      response.writeHead(reply.status, {
        "content-type": isText ? "text/html" : "application/json",
        ...reply.headers,
      });
      response.end(reply.status === 204 ? undefined : isText ? reply.body : JSON.stringify(reply.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    odd,
    limit,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function robloxHeaders(left: number, resetS: number): Record<string, string> {
  return { "x-ratelimit-remaining": `${left}`, "x-ratelimit-reset": `${Math.ceil(resetS)}` };
}
