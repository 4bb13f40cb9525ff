// A stranger's server that receives requests, records them, and answers each as the test asks: with any response, or as
// servers must not.
import { EventEmitter, once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string; at: Date };

/**
 * `hang`: never. `close`: closes the connection. `hang in body`: sends headers and a part of the body. `close in body`:
 * the same, then closes. The endless ones send until the connection is closed.
 */
export type Misbehavior =
  | "hang"
  | "close"
  | "hang in body"
  | "close in body"
  | "no HTTP"
  | "no HTTP in body"
  | "endless headers"
  | "endless body"
  | "endless informational";
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | Misbehavior;
/** `index`: of the request, from 0. A pending one holds the answer back. */
export type AnswerTo = (request: Received, index: number) => Answer | Promise<Answer>;

export type Receiver = {
  /** Without a final slash. */
  url: string;
  port: number;
  /** In the order in which they arrived. */
  requests: Received[];
  /** Opened so far. */
  connections(): number;
  /** The largest number of requests that were answered at the same time. */
  atOnceMax(): number;
  /** How requests are answered from now on; at first with 204. */
  answer(next: Answer | AnswerTo): void;
  /** Resolves once so many requests have arrived, with all that have. */
  received(count: number): Promise<Received[]>;
  close(): Promise<void>;
};

export async function startReceiver({
  tls,
  host = "127.0.0.1",
}: { tls?: { key: string; cert: string }; host?: string } = {}): Promise<Receiver> {
  const requests: Received[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  const sockets = new Set<Socket>();
  let answerTo: AnswerTo = () => ({ status: 204 });
  let [connections, inProgress, atOnceMax] = [0, 0, 0];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers, socket } = request;
    const at = new Date();
    inProgress++;
    atOnceMax = Math.max(atOnceMax, inProgress);
    response.once("close", () => inProgress--);
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const received = { method, path, headers, body, at };
    requests.push(received);
    arrivals.emit("request");
    const answer = await answerTo(received, requests.length - 1);
    if (typeof answer === "string") await misbehave[answer](socket);
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const listener: RequestListener = (request, response) => void respond(request, response);
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    requests,
    connections: () => connections,
    atOnceMax: () => atOnceMax,
    answer(next) {
      answerTo = typeof next === "function" ? next : () => next;
    },
    async received(count) {
      while (requests.length < count) await once(arrivals, "request");
      return requests;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const HEAD = "HTTP/1.1 200 OK\r\n";

const misbehave: Record<Misbehavior, (socket: Socket) => void | Promise<void>> = {
  hang: () => {},
  close: (socket) => void socket.destroy(),
  "hang in body": (socket) => void socket.write(`${HEAD}content-length: 100\r\n\r\nbegun`),
  "close in body": (socket) => void socket.end(`${HEAD}content-length: 100\r\n\r\nbegun`),
  "no HTTP": (socket) => void socket.write("220 mail.example ESMTP\r\n"),
  "no HTTP in body": (socket) => void socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\nno length\r\n`),
  "endless headers": (socket) => sendForever(socket, HEAD, `x-filler: ${"x".repeat(1_000)}\r\n`),
  "endless body": (socket) => sendForever(socket, `${HEAD}content-type: text/plain\r\n\r\n`, "x".repeat(1_000)),
  "endless informational": (socket) => sendForever(socket, "", "HTTP/1.1 102 Processing\r\n\r\n"),
};

async function sendForever(socket: Socket, head: string, part: string): Promise<void> {
  socket.write(head);
  while (!socket.destroyed)
    if (!socket.write(part)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
}
