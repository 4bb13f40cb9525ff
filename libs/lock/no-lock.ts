// A lock that every member has at once: for a process without Redis. The ledger's unique indexes decide, as they do
// beside any lock.
import type { MemberLock } from "#usecases/awards/ports.ts";

export const noLock: MemberLock = {
  acquire: async (members) => ({ granted: new Set(members), seqs: new Map(), release() {} }),
};
