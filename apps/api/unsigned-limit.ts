// Limits the requests of one address that no secret has signed. Rightly signed ones are never counted: Roblox drops a
// request after five tries.
import { addressBlock } from "#domain/address-block.ts";
import type { Clock } from "#kernel/clock.ts";

/** Each costs a look-up and a hash. Roblox sends none. */
const UNSIGNED_PER_S_MAX = 10;
const WINDOW_MS = 1_000;

/** Counts a request of this address; false if it is one too many. Of this process alone. */
export type UnsignedLimit = (address: string) => boolean;

export function makeUnsignedLimit(clock: Pick<Clock, "monotonicMs">): UnsignedLimit {
  let endsAtMs = 0;
  const requests = new Map<string, number>();

  return (address) => {
    const nowMs = clock.monotonicMs();
    if (nowMs >= endsAtMs) {
      requests.clear();
      endsAtMs = nowMs + WINDOW_MS;
    }
    const block = addressBlock(address);
    const count = (requests.get(block) ?? 0) + 1;
    requests.set(block, count);
    return count <= UNSIGNED_PER_S_MAX;
  };
}
