// Finishes erasures whose process died or lost its servers. Several workers may do so at once: they take turns, and one that comes late
// finds nothing left.
import { ERASURE_SILENCE_MS, ERASURES_AT_ONCE } from "#usecases/bounds.ts";
import type { EraseMember } from "#usecases/erasure/erase-member.ts";
import type { Erasure, ErasureStore } from "#usecases/erasure/ports.ts";
import type { Log } from "#usecases/ports.ts";

/** Returns how many it finished. Throws as EraseMember: resume again later. */
export type ResumeErasures = () => Promise<number>;

export function makeResumeErasures(world: {
  erasures: Pick<ErasureStore, "listSilent" | "noteAlive">;
  eraseMember: EraseMember;
  log: Log;
}): ResumeErasures {
  const { erasures, eraseMember, log } = world;

  async function resume(erasure: Erasure): Promise<void> {
    // The log names the erasure alone: it outlives the member's data.
    const { erasureId } = erasure;
    await erasures.noteAlive(erasureId);
    log.warn({ erasureId }, "erasure.resumed");
    await eraseMember(erasure);
    log.info({ erasureId }, "erasure.finished");
  }

  return async function resumeErasures() {
    const silent = (await erasures.listSilent(ERASURE_SILENCE_MS)).slice(0, ERASURES_AT_ONCE);
    for (const result of await Promise.allSettled(silent.map(resume))) if (result.status === "rejected") throw result.reason;
    return silent.length;
  };
}
