// One request over HTTP, with bounds on everything that the other side decides. Its route says where it goes.
import { request as httpRequest, type Agent, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { CONNECT_TIMEOUT_MS, INFORMATIONAL_MAX, RESPONSE_HEADER_BYTES_MAX } from "#delivery/couriers/bounds.ts";
import { OutboundError, outboundErrorOf } from "#delivery/couriers/outbound-error.ts";
import type { OutboundRequest, OutboundResult, SendOutbound } from "#delivery/ports.ts";

/** `lookup`: finds the addresses of the URL's host, unless it is a literal address. */
export type Route = { url: URL; agent: Agent; lookup: LookupFunction };

/** `routeTo` throws OutboundError if nothing may be sent to this URL. */
export function makeRequests(routeTo: (url: string) => Route): SendOutbound {
  return async (request): Promise<OutboundResult> => {
    const startedMs = performance.now();
    const ms = (): number => Math.round(performance.now() - startedMs);
    try {
      return { kind: "response", ...(await exchange(request, routeTo(request.url))), ms: ms() };
    } catch (error) {
      return { kind: "error", ...outboundErrorOf(error), ms: ms() };
    }
  };
}

type Response = { status: number; headers: Record<string, string>; body: string };

async function exchange(request: OutboundRequest, { url, agent, lookup }: Route): Promise<Response> {
  const { method, headers, body, timeoutMs, bodyBytesMax, bodyMsMax = timeoutMs } = request;
  const isTls = url.protocol === "https:";
  const sent = (isTls ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
    agent,
    lookup,
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
    // Also if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
  });
  const end = (ms: number, detail: string): NodeJS.Timeout =>
    setTimeout(() => sent.destroy(new OutboundError("timeout", detail)), ms);
  const deadline = end(timeoutMs, `No response arrived within ${timeoutMs / 1000} s.`);
  const connectDeadline = end(CONNECT_TIMEOUT_MS, `No connection was made within ${CONNECT_TIMEOUT_MS / 1000} s.`);
  sent.once("socket", (socket) => {
    if (sent.reusedSocket) clearTimeout(connectDeadline);
    else socket.once(isTls ? "secureConnect" : "connect", () => clearTimeout(connectDeadline));
  });
  let bodyDeadline: NodeJS.Timeout | undefined;
  try {
    const response = await headOf(sent, body);
    bodyDeadline = end(bodyMsMax, "The body took too long.");
    const text = await readBody(response, bodyBytesMax);
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: text };
  } finally {
    clearTimeout(deadline);
    clearTimeout(connectDeadline);
    clearTimeout(bodyDeadline);
    sent.destroy();
  }
}

/** Sends the request, and resolves once the headers of its response have arrived. */
function headOf(sent: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  const head = Promise.withResolvers<IncomingMessage>();
  let informational = 0;
  sent.on("information", () => {
    if (++informational > INFORMATIONAL_MAX)
      sent.destroy(new OutboundError("connection", "The receiver sends informational responses without end."));
  });
  sent.on("upgrade", (_response, socket) => {
    // The request has no part in this connection any more: an error would have no listener.
    socket.destroy();
    head.reject(new OutboundError("connection", "The receiver has switched to another protocol."));
  });
  sent.on("response", (response) => {
    // Also an error in the same packet as the headers has a listener.
    response.on("error", () => {});
    head.resolve(response);
  });
  // Stays after the response: what happens to the connection then changes nothing.
  sent.on("error", head.reject);
  sent.end(body);
  return head.promise;
}

/** At most so much of the body, and what has arrived of it when the connection or the time ends. */
async function readBody(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= bytesMax) break;
    }
  } catch {
    // The status and the headers are the response; its body is to be shown only.
  }
  // A character that is not complete at the end is left out.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytesMax), { stream: true });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = ""]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}
