// The ledger: the only way to change XP. Everything outside of this folder imports the files directly in it.
//
// An award is submitted, waits in its member's queue, and is committed with others in one ordered insert (commit).
// Decisions need the members' heads, which are cached (heads). After a commit, the heads are written to the members'
// documents (projection).
import { withTimeout } from "#async/with-timeout.ts";
import { PROJECTION_CLOSE_MS } from "#ledger/bounds.ts";
import { makeCommitter, type Committer, type CommitterDeps } from "#ledger/commit/committer.ts";
import { makeContendedLock, makeContention, type Contention } from "#ledger/heads/contended-lock.ts";
import { makeHeadCache } from "#ledger/heads/head-cache.ts";
import { makeProcessRecord } from "#ledger/heads/process-record.ts";
import type { EpochStore, MemberLock, ProcessStore } from "#ledger/ports.ts";
import { makeProjector, type Projector } from "#ledger/projection/projector.ts";

export type Ledger = Committer & {
  /** What is committed and not yet written to the members' documents. */
  projection: Pick<Projector, "flush" | "waiting" | "oldestAgeMs" | "rechecking">;
  /** Resolves once every award is answered and every head is projected, the latter unless MongoDB does not respond. */
  close(): Promise<void>;
};

/** One for each process that awards. It opens nothing: it begins with the first award. */
export function makeLedger(
  deps: Omit<CommitterDeps, "heads" | "projector" | "lock" | "contention"> & {
    epochs: Pick<EpochStore, "read">;
    processes: Pick<ProcessStore, "note" | "remove" | "interruptions">;
    /** Identifies this run of this process. */
    processId: string;
    lock: MemberLock;
    /** What is known of other processes that award the same members. */
    contention?: Contention;
  },
): Ledger {
  const { contention = makeContention(deps.clock) } = deps;
  const projector = makeProjector({ ...deps, epoch: () => heads.epoch() });
  const record = makeProcessRecord({ ...deps, oldestUnprojectedMs: projector.oldestAgeMs });
  const heads = makeHeadCache({ ...deps, record, contention });
  const store = { ...deps.store, commit: record.commit };
  const lock = makeContendedLock({ ...deps, contention });
  const committer = makeCommitter({ ...deps, store, heads, contention, lock, projector });
  return {
    ...committer,
    projection: projector,
    async close() {
      await committer.drained();
      const closed = withTimeout(projector.close(), PROJECTION_CLOSE_MS, "MongoDB has not answered");
      const isDone = (): boolean => projector.waiting() + projector.rechecking() === 0;
      await record.close(await closed.then(isDone).catch(() => false));
    },
  };
}
