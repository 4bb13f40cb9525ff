// What one address may make the public pages read from MongoDB, in a minute. It is counted in memory: counting it in
// MongoDB would cost more than what it prevents.
import { dropOldest } from "#async/drop-oldest.ts";
import { addressBlock } from "#domain/address-block.ts";
import type { Clock } from "#kernel/clock.ts";

const WINDOW_MS = 60_000;
const PER_WINDOW = 60;
/** Some megabytes. */
const ADDRESSES_MAX = 20_000;

/** Spends one of the address's reads; returns how long there is none left, in milliseconds, otherwise 0. */
export type SpendRead = (address: string) => number;

export function makeAddressAllowance({ clock }: { clock: Pick<Clock, "monotonicMs"> }): SpendRead {
  const windows = new Map<string, { endsAtMs: number; left: number }>();
  return (address) => {
    const block = addressBlock(address);
    const nowMs = clock.monotonicMs();
    let window = windows.get(block);
    if (!window || window.endsAtMs <= nowMs) {
      window = { endsAtMs: nowMs + WINDOW_MS, left: PER_WINDOW };
      windows.delete(block);
      windows.set(block, window);
      dropOldest(windows, ADDRESSES_MAX);
    }
    if (window.left === 0) return window.endsAtMs - nowMs;
    window.left -= 1;
    return 0;
  };
}
