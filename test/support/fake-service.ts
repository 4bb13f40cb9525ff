// A service of somebody else on real HTTP: it notes each request, limits how many it accepts, and gives the odd
// responses that a test asks for.
import type { IncomingHttpHeaders } from "node:http";
import { startReceiver, type Answer, type Misbehavior } from "./receiver.ts";

/** A timer may end this early, which on the way to a service is made up for: here there is none. */
export const EARLY_MS_MAX = 3;

export type Seen = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: any;
  atMs: number;
};
/** `body`: text as it is, everything else as JSON. */
export type Reply = { status: number; headers?: Record<string, string>; body?: unknown };

export type FakeService = {
  url: string;
  seen: Seen[];
  /** Those that were given, apart from misbehavior. */
  replies: Reply[];
  /** Requests like this one get these responses, one each, before any others. */
  odd: { matches: (seen: Seen) => boolean; replies: (Reply | Misbehavior)[] }[];
  /** Requests that are accepted in a window. */
  limit: { requests: number; windowMs: number };
  close(): Promise<void>;
};

export async function startFakeService(options: {
  respond: (seen: Seen) => Reply;
  limited: (leftMs: number) => Reply;
  limitHeaders: (left: number, leftMs: number) => Record<string, string>;
}): Promise<FakeService> {
  const { respond, limited, limitHeaders } = options;
  const [seen, replies, odd]: [Seen[], Reply[], FakeService["odd"]] = [[], [], []];
  const limit = { requests: Infinity, windowMs: 60_000 };
  let window = { beganAtMs: -Infinity, count: 0 };

  function replyTo(request: Seen): Reply | Misbehavior {
    const scripted = odd.find((one) => one.replies.length > 0 && one.matches(request))?.replies.shift();
    if (scripted) return scripted;
    if (limit.requests === Infinity) return respond(request);
    if (request.atMs - window.beganAtMs >= limit.windowMs - EARLY_MS_MAX)
      window = { beganAtMs: request.atMs, count: 0 };
    window.count += 1;
    const leftMs = window.beganAtMs + limit.windowMs - request.atMs;
    const left = Math.max(0, limit.requests - window.count);
    const isOver = window.count > limit.requests;
    const reply = isOver ? limited(leftMs) : respond(request);
    const retry = isOver ? { "retry-after": `${Math.ceil(leftMs / 1_000)}` } : {};
    return { ...reply, headers: { ...limitHeaders(left, leftMs), ...retry, ...reply.headers } };
  }

  const receiver = await startReceiver();
  receiver.answer(({ method, path, headers, body }) => {
    const url = new URL(path, "http://service");
    const facts = { method, path: decodeURIComponent(url.pathname), query: url.searchParams, headers };
    const asked: Seen = { ...facts, body: body === "" ? undefined : JSON.parse(body), atMs: performance.now() };
    seen.push(asked);
    const reply = replyTo(asked);
    if (typeof reply === "string") return reply;
    replies.push(reply);
    return answerOf(reply);
  });
  return { url: receiver.url, seen, replies, odd, limit, close: receiver.close };
}

function answerOf({ status, headers = {}, body }: Reply): Answer {
  if (body === undefined) return { status, headers };
  const isText = typeof body === "string";
  const type = { "content-type": isText ? "text/html" : "application/json" };
  return { status, headers: { ...type, ...headers }, body: isText ? body : JSON.stringify(body) };
}
