// Submits a batch, which is deprecated, and waits for its results.
import type { Body, Config } from "./attempt.ts";
import { call, callSettings } from "./call.ts";
import { checkInteger, checkKey, checkOptions } from "./check.ts";
import { batchFields } from "./option-names.ts";
import { awardsOf } from "./prepare-award.ts";
import { randomUuid } from "./random-uuid.ts";
import type { Batch, BatchEntry, CallOptions } from "./types.ts";

const WAIT_S_MAX = 30;
/** The part of an attempt's timeout that remains for the network while the API waits for a batch. */
const WAIT_MARGIN_MS = 2_000;
const WAIT_S_DEFAULT = 10;

export async function sendBatch(
  config: Config,
  awards: BatchEntry[],
  options: CallOptions & { idempotencyKey?: string | undefined; waitS?: number | undefined },
): Promise<Batch> {
  checkOptions(options, "idempotencyKey waitS ");
  const sent = awardsOf(awards, batchFields).map(({ platformId, amount }) => ({ platformId, amount }));
  const { timeoutMs } = callSettings(config, options);
  const { waitS, idempotencyKey = randomUuid() } = options;
  checkKey("idempotencyKey", idempotencyKey);
  if (waitS !== undefined) checkInteger("waitS", waitS, 0, WAIT_S_MAX);
  const fittingS = Math.max(0, Math.min(WAIT_S_DEFAULT, Math.floor((timeoutMs - WAIT_MARGIN_MS) / 1000)));
  const headers = { prefer: `wait=${waitS ?? fittingS}`, "idempotency-key": idempotencyKey };
  const patient = { ...options, timeoutMs: timeoutMs + (waitS ?? 0) * 1000 };
  const accepts = ({ results }: Body): boolean => Array.isArray(results);
  const request = { method: "POST", path: "/xp", body: JSON.stringify({ awards: sent }), headers, accepts } as const;
  const { body } = await call(config, request, patient, idempotencyKey);
  return { status: "done", ...(body as Omit<Batch, "status">) };
}
