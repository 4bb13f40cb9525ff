// A member lock in memory, with the guarantees of Redis.
import type { MemberId } from "#domain/member-id.ts";
import type { MemberLock } from "#ledger/ports.ts";
import type { Chance } from "../support/chance.ts";

const TTL_MS = 2_000;

/** Shared by all processes. A holder's lock expires, and its number with it. */
export function makeCorrectLock(chance: Chance): MemberLock {
  type Held = { holder: object; untilMs: number } | { seq: number };
  const locks = new Map<MemberId, Held>();
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, chance.next()));
  return {
    async acquire(members) {
      await pause();
      const holder = {};
      const granted = new Set<MemberId>();
      const seqs = new Map<MemberId, number>();
      for (const member of members) {
        const now = locks.get(member);
        if (now && "holder" in now && now.untilMs > Date.now()) continue;
        if (now && "seq" in now) seqs.set(member, now.seq);
        granted.add(member);
        locks.set(member, { holder, untilMs: Date.now() + TTL_MS });
      }
      await pause();
      return {
        granted,
        seqs,
        release(known) {
          for (const member of granted) {
            const now = locks.get(member);
            if (!now || !("holder" in now) || now.holder !== holder || now.untilMs <= Date.now()) continue;
            const seq = known.get(member);
            if (seq === undefined) locks.delete(member);
            else locks.set(member, { seq });
          }
        },
      };
    },
  };
}
