// Ids created by this process, without coordination: random parts distinguish processes.
import { randomBytes } from "node:crypto";
import { batchIdAt } from "#domain/batch-id.ts";
import { resetIdAt, reversalIdAt } from "#domain/reversal-id.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";

export function makeIds(clock: Clock): Ids {
  // One random name per process and a counter: as unique as random ids, at the price of an addition.
  const processName = randomBytes(9).toString("base64url");
  let awards = 0;
  return {
    batch: () => batchIdAt(clock.now(), randomBytes(8).toString("hex")),
    reversal: () => reversalIdAt(clock.now(), randomBytes(8).toString("hex")),
    reset: () => resetIdAt(clock.now(), randomBytes(8).toString("hex")),
    erasure: () => `era_${randomBytes(12).toString("hex")}`,
    import: () => `imp_${randomBytes(12).toString("hex")}`,
    destination: () => `dst_${randomBytes(12).toString("base64url")}`,
    hook: () => `hok_${randomBytes(12).toString("base64url")}`,
    boost: () => `bst_${randomBytes(12).toString("base64url")}`,
    call: () => `cal_${randomBytes(12).toString("base64url")}`,
    event: () => `evt_${randomBytes(12).toString("base64url")}`,
    award: () => `${processName}${(awards++).toString(36)}`,
  };
}

/** Identifies one request in logs and responses. */
export function makeRequestIds(): () => string {
  const processName = randomBytes(6).toString("base64url");
  let requests = 0;
  return () => `req_${processName}${(requests++).toString(36)}`;
}
