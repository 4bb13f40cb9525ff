// POST /v0/hooks/{hookId}: what Roblox sends (docs/reference/api.md, Erasure hooks), in the order of errors.
//
// Invariant: nothing of a body is looked at before its signature was verified over its bytes, and nothing rightly
// signed is rejected because much else is in progress: connections and the size of a body bound the memory, and a body
// that is slow to arrive makes room for other connections.
import type { IncomingMessage, ServerResponse } from "node:http";
import { coalesceReads } from "#async/coalesce-reads.ts";
import { AppError } from "#kernel/app-error.ts";
import { isHookId, NOTIFICATION_BYTES_MAX, type ErasureHook } from "#domain/erasure-hook.ts";
import { isTimely, robloxSignatureIn } from "#domain/roblox-signature.ts";
import { ErasureNotification, Notification } from "#contract/hook.ts";
import { parse } from "#contract/parse.ts";
import type { ConnectionCap } from "#http/connection-cap.ts";
import { parseJson } from "#http/parse-json.ts";
import { readBytes } from "#http/read-body.ts";
import { requireShallow } from "#http/require-shallow.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Sealer } from "#delivery/ports.ts";
import type { ErasureRequestStore, HookStore } from "#hooks/ports.ts";
import type { z } from "zod";
import type { HttpResponse } from "./http/response.ts";
import { TooManyUnsigned } from "./rate-limits.ts";
import type { UnsignedLimit } from "./unsigned-limit.ts";

/** Throws AppError for every error. */
export type ReceiveNotification = (
  hookId: string | undefined,
  req: IncomingMessage,
  res: ServerResponse,
) => Promise<HttpResponse>;

type Received = { hook: ErasureHook; bytes: Buffer };

/** Of callers who invent ids. */
const HOOKS_PER_READ_MAX = 1_000;
const LIMITS = {
  bytesMax: NOTIFICATION_BYTES_MAX,
  tooLarge: `The body is larger than ${NOTIFICATION_BYTES_MAX} bytes (16 KiB).`,
  hold: () => null,
};
const UNSIGNED: ReadonlySet<string> = new Set(["not_found", "body_too_large", "signature_invalid"]);

export function makeReceiveNotification(deps: {
  hooks: Pick<HookStore, "find">;
  requests: Pick<ErasureRequestStore, "add">;
  /** Null without HOOK_KEY. */
  opener: Pick<Sealer, "open"> | null;
  hmac: (key: string, parts: readonly (string | Buffer)[]) => string;
  sameText: (a: string, b: string) => boolean;
  isWithinLimit: UnsignedLimit;
  connections: Pick<ConnectionCap, "awaitsBody" | "markAuthenticated">;
  clock: Pick<Clock, "now">;
  log: Log;
}): ReceiveNotification {
  const { hooks, requests, opener, hmac, sameText, isWithinLimit, connections, clock, log } = deps;
  // However many requests arrive together, one read is in progress; the bound of connections is that of the waiting.
  const find = coalesceReads({ read: hooks.find, idsPerReadMax: HOOKS_PER_READ_MAX, waitingMax: Infinity });

  async function signed(hookId: string, req: IncomingMessage, res: ServerResponse): Promise<Received> {
    const stored = isHookId(hookId) ? await find(hookId) : undefined;
    if (!stored) throw new AppError("not_found", "No erasure hook exists at this path. It may have been removed.");
    const { hook, sealed } = stored;
    const secret = opener?.open(sealed, hookId) ?? null;
    if (secret === null)
      throw new AppError("unavailable", "This API cannot verify signatures: HOOK_KEY is not set, or is another key.");
    const hasArrived = connections.awaitsBody(req.socket);
    const bytes = await readBytes(req, res, LIMITS).finally(hasArrived);
    const signature = robloxSignatureIn(headerOf(req));
    if (!signature) throw new AppError("signature_invalid", "The header roblox-signature is missing or malformed.");
    const right = hmac(secret, [`${signature.time}.`, bytes]);
    if (!signature.signatures.some((sent) => sameText(sent, right)))
      throw new AppError("signature_invalid", "The signature is not that of the body by the secret of this hook.");
    if (!isTimely(signature, clock.now()))
      throw new AppError("signature_invalid", "The time of the signature is too old, or in the future.");
    return { hook, bytes };
  }

  async function handle({ hook, bytes }: Received): Promise<HttpResponse> {
    const body = parseJson(bytes);
    requireShallow(body);
    const { hookId, clanIds } = hook;
    const { NotificationId: notificationId, EventType: eventType } = parsed(Notification, body);
    if (eventType !== "RightToErasureRequest") {
      if (eventType !== "SampleNotification") log.info({ hookId, eventType }, "hook.unknown_event");
      return { status: 200, body: { notificationId } };
    }
    const { UserId, GameIds } = parsed(ErasureNotification, body).EventPayload;
    const isMeant = hook.games === null || GameIds.some((id) => hook.games?.includes(String(id)));
    const platformId = isMeant ? String(UserId) : null;
    await requests.add({ hookId, clanIds, notificationId, platformId, receivedAt: clock.now() });
    return { status: 202, body: { notificationId } };
  }

  return async function receiveNotification(hookId = "", req, res) {
    let received: Received;
    try {
      received = await signed(hookId, req, res);
    } catch (error) {
      const isUnsigned = error instanceof AppError && UNSIGNED.has(error.code);
      if (isUnsigned && !isWithinLimit(req.socket.remoteAddress ?? "")) throw new TooManyUnsigned();
      throw error;
    }
    connections.markAuthenticated(req.socket);
    return await handle(received);
  };
}

/** Node joins headers of the same name by commas, as the parts of a signature are. */
function headerOf(req: IncomingMessage): string | undefined {
  const header = req.headers["roblox-signature"];
  return Array.isArray(header) ? header.join(",") : header;
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = parse(schema, body);
  if (result.ok) return result.value;
  const [first] = result.faults;
  const detail = `The notification is not valid: ${first?.pointer || "it"} ${first?.detail}. Nothing was stored.`;
  throw new AppError("invalid_request", detail, { faults: result.faults });
}
