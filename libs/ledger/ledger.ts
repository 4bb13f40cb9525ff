// The committer of one process, with the cache of heads and the projector that follows its commits.
import { makeAwardCommitter, type AwardCommitter } from "#ledger/commit/committer.ts";
import { PROJECTION_CLOSE_MS } from "#ledger/projection/bounds.ts";
import type { ClanRules } from "#usecases/clans/clan-rules.ts";
import { makeContendedLock } from "#ledger/heads/contended-lock.ts";
import { makeContention, type Contention } from "#ledger/heads/contention.ts";
import { makeKnownHeads } from "#ledger/heads/head-cache.ts";
import type { AwardStore, EpochStore, MemberLock } from "#ledger/ports.ts";
import type { Clock, Log, Meter, Tracer } from "#usecases/ports.ts";
import { makeProjectionMark } from "#ledger/projection/projection-mark.ts";
import { makeProjector, type Projector } from "#ledger/projection/projector.ts";
import { withTimeout } from "#async/with-timeout.ts";
import type { ProcessStore } from "#ledger/projection/ports.ts";

export type AwardPipeline = {
  committer: AwardCommitter;
  projector: Projector;
  /** Called at intervals: a process that misses a renewal of the epoch drops its cached heads. */
  followEpoch(): Promise<unknown>;
  /** Resolves once every award is answered and every head is projected, the latter unless MongoDB does not respond. */
  close(): Promise<void>;
};

export function makeAwardPipeline(world: {
  store: AwardStore;
  epochs: Pick<EpochStore, "read">;
  processes: ProcessStore;
  /** Identifies this run of this process. */
  processId: string;
  lock: MemberLock;
  /** What is known of other processes at the start: nothing by default. */
  contention?: Contention;
  rules: ClanRules;
  clock: Clock;
  random: () => number;
  meter: Meter;
  tracer?: Tracer | null;
  isThrottled?: () => boolean;
  log: Log;
}): AwardPipeline {
  const { contention = makeContention() } = world;
  const heads = makeKnownHeads({ ...world, contention });
  const projector = makeProjector({ ...world, epoch: heads.epoch });
  const mark = makeProjectionMark({ ...world, projector });
  const store = { ...world.store, commit: mark.commit };
  const lock = makeContendedLock({ ...world, contention, heads });
  const committer = makeAwardCommitter({ ...world, store, heads, contention, lock, projector });
  return {
    committer,
    projector,
    followEpoch: heads.epoch,
    async close() {
      await committer.drained();
      lock.close();
      const closed = withTimeout(projector.close(), PROJECTION_CLOSE_MS, "MongoDB has not answered");
      await mark.close(await closed.then(() => projector.waiting() + projector.suspected() === 0).catch(() => false));
    },
  };
}
