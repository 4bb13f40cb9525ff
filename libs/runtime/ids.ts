// Ids made by this process. No coordination: random parts keep processes apart.
import { randomBytes } from "node:crypto";
import type { Clock, Ids } from "#usecases/ports.ts";

export function makeIds(clock: Clock): Ids {
  // One random name per process and a counter: as unique as random ids, at the price of an addition.
  const processName = randomBytes(9).toString("base64url");
  let awards = 0;
  return {
    // Sorts by time, so that the sweep walks them oldest first. BullMQ takes neither plain integers nor ":" as job ids.
    batch: () => `bat_${clock.now().getTime().toString(36).padStart(9, "0")}${randomBytes(8).toString("hex")}`,
    award: () => `${processName}${(awards++).toString(36)}`,
  };
}

/** Names one request in logs and answers. */
export function makeRequestIds(): () => string {
  const processName = randomBytes(6).toString("base64url");
  let requests = 0;
  return () => `req_${processName}${(requests++).toString(36)}`;
}
