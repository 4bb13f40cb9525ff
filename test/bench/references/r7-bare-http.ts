// R7: node:http alone doing what R6 does: the least that a service in Node costs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Award, listen } from "./serve.ts";

const BODY_BYTES_MAX = 100 * 1024; // express.json's own
const PATH = /^\/v0\/clans\/([^/]+)\/members\/([^/]+)\/xp$/;

function answer(req: IncomingMessage, res: ServerResponse, body: string): void {
  const platformId = PATH.exec(req.url ?? "")?.[2];
  const award = Award.safeParse(parsed(body));
  if (req.method !== "POST" || platformId === undefined || !award.success) {
    res.writeHead(400).end();
    return;
  }
  const text = JSON.stringify({ platformId, xp: String(award.data.amount), rank: "Recruit" });
  res
    .writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(text) })
    .end(text);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

listen(
  createServer((req, res) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_BYTES_MAX) req.destroy();
      else chunks.push(chunk);
    });
    req.on("end", () => answer(req, res, Buffer.concat(chunks).toString()));
  }),
);
