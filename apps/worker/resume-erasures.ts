// Finishes erasures of members that another process began and did not complete, until the worker stops.
import { repeat } from "#async/repeat.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { Database } from "#store/database.ts";
import { makeErasureParts } from "#store/erasure/erasure-parts.ts";
import type { EpochStore } from "#ledger/ports.ts";
import { ERASURE_RESUME_EVERY_MS } from "#usecases/erasure/bounds.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import { makeEraseMember } from "#usecases/erasure/erase-member.ts";
import type { ErasureStore } from "#usecases/erasure/ports.ts";
import { makeResumeErasures } from "#usecases/erasure/resume-erasures.ts";
import type { Clock, Log } from "#runtime/ports.ts";

export function scheduleErasureResumption(world: {
  database: Database;
  epochs: EpochStore;
  clans: ClanStore;
  deleteLocks: (members: readonly MemberId[]) => Promise<void>;
  clock: Clock;
  log: Log;
}): Pick<ErasureStore, "unfinished"> & {
  /** Interrupts what it resumed, so that another worker continues it. Resolves when no step is in progress. */
  stop(): Promise<void>;
} {
  const { log } = world;
  const stopping = new AbortController();
  const parts = makeErasureParts(world.database);
  const eraseMember = makeEraseMember({ ...world, parts, stopping: stopping.signal });
  const resumeErasures = makeResumeErasures({ erasures: parts.erasures, eraseMember, log });
  const resuming = repeat(ERASURE_RESUME_EVERY_MS, resumeErasures, (error) =>
    log.warn({ err: error }, "erasure.scan_failed"),
  );
  return {
    unfinished: parts.erasures.unfinished,
    stop() {
      stopping.abort();
      return resuming.stop();
    },
  };
}
