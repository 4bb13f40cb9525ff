// Raw HTTP over a socket, for requests that no client library sends.
import { once } from "node:events";
import { connect } from "node:net";
import { readBody, type Reply } from "./http.ts";

export type Line = {
  write(bytes: string | Uint8Array): void;
  /** Reads nothing until all of it is sent, as simple clients do. */
  writeFirst(bytes: string | Uint8Array): Promise<void>;
  /** Nothing more will be written; what the server sends is still read. */
  end(): void;
  /** The next whole answer; rejects when the connection ends before. `bodiless`: it answers a HEAD. */
  reply(options?: { bodiless?: boolean }): Promise<Reply>;
  /** Resolves once the server has closed the connection, with what it sent that was not read. */
  closed(): Promise<string>;
  destroy(): void;
};

/** A separate connection. The caller must destroy it. */
export async function openLine(port: number): Promise<Line> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  // A reset is a closed connection; what came before it counts.
  socket.on("error", () => {});
  await once(socket, "connect");
  let unread = Buffer.alloc(0);
  const end = Promise.withResolvers<void>();
  let ended = false;
  let wake = Promise.withResolvers<void>();
  function notify(): void {
    wake.resolve();
    wake = Promise.withResolvers();
  }
  socket.on("data", (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    notify();
  });
  socket.on("close", () => {
    ended = true;
    end.resolve();
    notify();
  });

  return {
    write: (bytes) => void socket.write(bytes),
    async writeFirst(bytes) {
      socket.pause();
      await new Promise<void>((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      socket.resume();
    },
    end: () => void socket.end(),
    async reply({ bodiless = false } = {}) {
      for (;;) {
        const found = takeReply(unread, bodiless);
        if (found) {
          unread = found.rest;
          return found.reply;
        }
        if (ended) throw new Error(`the connection ended after ${JSON.stringify(unread.toString())}`);
        await wake.promise;
      }
    },
    async closed() {
      await end.promise;
      return unread.toString();
    },
    destroy: () => void socket.destroy(),
  };
}

/** Sends the bytes on a new connection and reads one answer. */
export async function exchange(
  port: number,
  bytes: string | Uint8Array,
  options?: { bodiless?: boolean },
): Promise<Reply> {
  const line = await openLine(port);
  try {
    line.write(bytes);
    return await line.reply(options);
  } finally {
    line.destroy();
  }
}

/** A request as text. Headers may repeat; Host and Content-Length are added unless they are given. */
export function requestText(method: string, target: string, headers: readonly Header[] = [], body = ""): string {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const all = [...headers];
  if (!given.has("host")) all.unshift(["Host", "localhost"]);
  if (body !== "" && !given.has("content-length") && !given.has("transfer-encoding")) {
    all.push(["Content-Length", String(Buffer.byteLength(body))]);
  }
  return `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

export type Header = readonly [string, string];
export const JSON_TYPE: Header = ["Content-Type", "application/json"];
export const CHUNKED: Header = ["Transfer-Encoding", "chunked"];

export function bearer({ key }: { key: string }): Header {
  return ["Authorization", `Bearer ${key}`];
}

/** An award as text, through the clan's key. */
export function awardText(
  clan: { clanId: string; key: string },
  platformId: string,
  body: string,
  ...headers: Header[]
): string {
  return requestText(
    "POST",
    `/v0/clans/${clan.clanId}/members/${platformId}/xp`,
    [bearer(clan), JSON_TYPE, ...headers],
    body,
  );
}

/** One chunk of a chunked body. */
export function chunkText(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function takeReply(bytes: Buffer, bodiless: boolean): { reply: Reply; rest: Buffer<ArrayBuffer> } | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [statusLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  // The API's own answers all have a length; Node sends some empty ones in chunks.
  const bodyBytes =
    headers.get("transfer-encoding") === "chunked" ? "0\r\n\r\n".length : Number(headers.get("content-length") ?? 0);
  const end = headEnd + 4 + (bodiless ? 0 : bodyBytes);
  if (bytes.length < end) return null;
  const text = headers.has("content-length") ? bytes.subarray(headEnd + 4, end).toString() : "";
  const reply = { status: Number(statusLine.split(" ")[1]), headers, body: readBody(text, headers) };
  return { reply, rest: Buffer.from(bytes.subarray(end)) };
}
