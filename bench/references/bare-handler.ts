// R7's handler, which R10 serves behind Express: reads a body, checks it with zod, answers immediately.
import type { RequestListener, ServerResponse } from "node:http";
import { Award } from "./serve.ts";

const BODY_BYTES_MAX = 100 * 1024; // express.json's own
const PATH = /^\/v0\/clans\/([^/]+)\/members\/([^/]+)\/xp$/;

export const bareHandler: RequestListener = (req, res) => {
  const chunks: Buffer[] = [];
  let size = 0;
  req.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) req.destroy();
    else chunks.push(chunk);
  });
  req.on("end", () => {
    const platformId = PATH.exec(req.url ?? "")?.[2];
    const award = Award.safeParse(parsed(Buffer.concat(chunks).toString()));
    if (req.method !== "POST" || platformId === undefined || !award.success) res.writeHead(400).end();
    else answer(res, { platformId, xp: String(award.data.amount), rank: "Recruit" });
  });
};

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function answer(res: ServerResponse, member: { platformId: string; xp: string; rank: string }): void {
  const text = JSON.stringify(member);
  res
    .writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(text) })
    .end(text);
}
