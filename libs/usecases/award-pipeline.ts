// The committer of a process, with what it remembers and what follows its commits.
import { makeAwardCommitter, type AwardCommitter } from "#usecases/award-committer.ts";
import { PROJECTION_CLOSE_MS } from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clan-rules.ts";
import { makeKnownHeads } from "#usecases/known-heads.ts";
import type { AwardStore, Clock, EpochStore, Log, MemberLock, Meter, Tracer } from "#usecases/ports.ts";
import { makeProjector, type Projector } from "#usecases/projector.ts";
import { within } from "#usecases/within.ts";

export type AwardPipeline = {
  committer: AwardCommitter;
  projector: Projector;
  /** Resolves once every award is answered and, unless MongoDB is silent, every head is projected. */
  close(): Promise<void>;
};

export function makeAwardPipeline(world: {
  store: AwardStore;
  epochs: Pick<EpochStore, "read">;
  lock: MemberLock;
  rules: ClanRules;
  clock: Clock;
  random: () => number;
  meter: Meter;
  tracer?: Tracer | null;
  makesWay?: () => boolean;
  log: Log;
}): AwardPipeline {
  const heads = makeKnownHeads(world);
  const projector = makeProjector({ ...world, epoch: heads.epoch });
  const committer = makeAwardCommitter({ ...world, heads, projector });
  return {
    committer,
    projector,
    async close() {
      await committer.drained();
      await within(PROJECTION_CLOSE_MS, projector.close(), "MongoDB has not answered").catch(() => {});
    },
  };
}
