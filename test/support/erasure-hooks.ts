// Hooks for Roblox's erasure requests, and requests as Roblox sends them.
import { createHmac } from "node:crypto";
import { patientCliOn, type CommandLine } from "./cli.ts";
import { callerOf, type Reply, type SentHeaders } from "./http.ts";
import type { World } from "./world.ts";

/** Of the API and the command line. */
export const HOOK_KEY = Buffer.alloc(32, 7).toString("base64");

export type SentHook = { hookId: string; url: string; secret: string };

/** The command line where the API runs. */
export function hookCliOn(world: Pick<World, "mongoUrl" | "redisUrl">): CommandLine {
  const api = { HOOK_KEY, API_URL: "https://xp.example.com" };
  return patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada", ...api });
}

/** `options`: of `erasure-hook add`. */
export async function addHook(cli: CommandLine, ...options: string[]): Promise<SentHook> {
  const { exitCode, answer } = await cli.json("erasure-hook", "add", ...options);
  if (exitCode !== 0) throw new Error(JSON.stringify(answer));
  return answer as SentHook;
}

const nowS = (): number => Math.floor(Date.now() / 1_000);

export function signatureOf(body: string | Buffer, secret: string, time: number | string = nowS()): string {
  const signature = createHmac("sha256", secret).update(`${time}.`).update(body).digest("base64");
  return `t=${time},v1=${signature}`;
}

/** What Roblox asks for. */
export function erasureOf(userId: unknown, more: { id?: string; games?: unknown } = {}): object {
  return {
    NotificationId: more.id ?? crypto.randomUUID(),
    EventType: "RightToErasureRequest",
    EventTime: "2026-11-29T10:00:00.2118874Z",
    EventPayload: { UserId: userId, GameIds: more.games ?? [1818] },
  };
}

/** Sends these bytes, with this signature if one is given, to the hook at the API on `port`. */
export function sendTo(port: number, hookId: string, body: string | Buffer, signature?: string): Promise<Reply> {
  const headers: SentHeaders = signature === undefined ? {} : { "roblox-signature": signature };
  return callerOf(port, null).post(`/v0/hooks/${hookId}`, body, headers);
}

/** As Roblox sends it. */
export function sendSigned(port: number, { hookId, secret }: SentHook, notification: object): Promise<Reply> {
  const body = JSON.stringify(notification);
  return sendTo(port, hookId, body, signatureOf(body, secret));
}
