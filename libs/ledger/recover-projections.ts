// Projects what crashed processes had committed and not projected. Several workers share this: each process is claimed
// by one of them. A claim only saves work, because a head only moves forward, so two may do the same.
import { chunks } from "#async/chunks.ts";
import { logFailures } from "#async/failures.ts";
import { repeat } from "#async/repeat.ts";
import {
  HEADS_PER_PROJECTION_MAX,
  PROCESS_CLAIM_MS,
  PROCESS_CLAIM_RENEW_MS,
  PROCESS_EXPIRY_MS,
  PROCESS_SILENCE_MS,
} from "#ledger/bounds.ts";
import type { ClaimedProcess, ClanList, EpochStore, LedgerChanges, LedgerStore, ProcessStore } from "#ledger/ports.ts";
import { guardEpoch } from "#ledger/heads/guard-epoch.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { MemberRef } from "#domain/member-id.ts";

/**
 * Projects for every silent process that no other worker has claimed, and returns how many there were. Throws AppError
 * `unavailable`; then run it again later.
 */
export type RecoverProjections = () => Promise<number>;

const FIRST_PASS = { silentMs: PROCESS_SILENCE_MS, passes: 0 } as const;
const LAST_PASS = { silentMs: PROCESS_EXPIRY_MS, passes: 1 } as const;

/** `workerId`: unique to this process, by which it recognizes its claims. */
export function makeRecoverProjections(deps: {
  processes: Pick<ProcessStore, "claimSilent" | "renewClaim" | "endClaim">;
  workerId: string;
  store: Pick<LedgerStore, "readHeads" | "project">;
  epochs: Pick<EpochStore, "read">;
  reader: LedgerChanges;
  clans: ClanList;
  clock: Clock;
  log: Log;
}): RecoverProjections {
  const { processes, workerId, store, epochs, reader, clans, clock, log } = deps;

  return async function recoverProjections() {
    let recovered = 0;
    for (const due of [FIRST_PASS, LAST_PASS]) {
      for (;;) {
        const process = await processes.claimSilent(due, { by: workerId, forMs: PROCESS_CLAIM_MS });
        if (!process) break;
        await recover(process, due === LAST_PASS);
        recovered += 1;
      }
    }
    return recovered;
  };

  async function recover(process: ClaimedProcess, last: boolean): Promise<void> {
    let isLost = false;
    const renew = async (): Promise<void> => {
      isLost ||= !(await processes.renewClaim(process));
    };
    const renewing = repeat(PROCESS_CLAIM_RENEW_MS, renew, logFailures(log, "projection.claim_not_renewed"));
    try {
      const members = await projectFrom(process.projectedTo, () => isLost);
      if (!last) log.warn({ ...process, members }, "projection.recovered");
      await processes.endClaim(process, { last });
    } finally {
      await renewing.stop();
    }
  }

  /** These are entries of all processes. A running process may be about to project some of them, which does no harm. */
  async function projectFrom(since: Date, isLost: () => boolean): Promise<number> {
    let projected = 0;
    const clanIds = (await clans.list()).map(({ clanId }) => clanId);
    for await (const members of reader.listChanged(clanIds, since)) {
      if (isLost()) break;
      await project(members);
      projected += members.length;
    }
    return projected;
  }

  async function project(members: readonly MemberRef[]): Promise<void> {
    for (const group of chunks(members, HEADS_PER_PROJECTION_MAX)) {
      const guard = await guardEpoch({ readEpoch: epochs.read, clock });
      const heads = await store.readHeads(group);
      await guard.requireSame();
      await store.project(heads);
    }
  }
}
