// Previews and submits reversals of awards.
import type { Config, Request } from "./attempt.ts";
import { call } from "./call.ts";
import { checkFields, checkKey, checkOptions, checkPlatformId, checkText } from "./check.ts";
import { byFields } from "./option-names.ts";
import { randomUuid } from "./random-uuid.ts";
import type { CallOptions, ReversalBy } from "./types.ts";
import type { ReversalAccepted, ReversalPreview } from "./wire.ts";

export async function previewReversal(config: Config, by: ReversalBy, options: CallOptions): Promise<ReversalPreview> {
  checkBy(by);
  checkOptions(options);
  const request = requestOf({ by, dryRun: true }, "amount");
  return (await call(config, request, options)).body as ReversalPreview;
}

export async function sendReversal(
  config: Config,
  by: ReversalBy,
  options: CallOptions & { reason?: string | undefined; idempotencyKey?: string | undefined },
): Promise<ReversalAccepted> {
  checkBy(by);
  checkOptions(options, "reason idempotencyKey ");
  const { reason, idempotencyKey = randomUuid() } = options;
  if (reason !== undefined) checkText("reason", reason);
  checkKey("idempotencyKey", idempotencyKey);
  const request = { ...requestOf({ by, reason }, "reversalId"), headers: { "idempotency-key": idempotencyKey } };
  return (await call(config, request, options, idempotencyKey)).body as ReversalAccepted;
}

function requestOf(content: object, accepts: string): Request {
  return { method: "POST", path: "/reversals", body: JSON.stringify(content), accepts };
}

function checkBy(by: ReversalBy): void {
  checkFields("by", by, byFields);
  if ("platformId" in by) checkPlatformId(by.platformId);
}
