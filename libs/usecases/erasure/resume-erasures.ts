// Finishes erasures whose process crashed or lost its connections. Each is claimed by one worker; if two run the same
// one, their steps can be repeated, and the last one finds nothing to do.
//
// Invariant: the log names the erasure and never its member, because the log line would outlive the erasure.
import { ERASED } from "#domain/erased.ts";
import { ERASURE_SILENCE_MS, ERASURES_AT_ONCE } from "#usecases/erasure/bounds.ts";
import type { EraseMember } from "#usecases/erasure/erase-member.ts";
import type { Erasure, ErasureStore } from "#usecases/erasure/ports.ts";
import type { Log } from "#runtime/ports.ts";

/** Returns how many it finished. Failures are logged, and resumed again later. Throws AppError `unavailable`. */
export type ResumeErasures = () => Promise<number>;

export function makeResumeErasures(deps: {
  erasures: Pick<ErasureStore, "claimSilent">;
  eraseMember: EraseMember;
  log: Log;
}): ResumeErasures {
  const { erasures, eraseMember, log } = deps;

  /** Whether it is finished. */
  async function resume(erasure: Erasure): Promise<boolean> {
    const { erasureId, platformId } = erasure;
    try {
      log.warn({ erasureId }, "erasure.resumed");
      await eraseMember(erasure);
      log.info({ erasureId }, "erasure.finished");
      return true;
    } catch (error) {
      log.warn({ erasureId, error: textOf(error).replaceAll(platformId, ERASED) }, "erasure.interrupted");
      return false;
    }
  }

  return async function resumeErasures() {
    const resumed: Promise<boolean>[] = [];
    while (resumed.length < ERASURES_AT_ONCE) {
      const erasure = await erasures.claimSilent(ERASURE_SILENCE_MS);
      if (!erasure) break;
      resumed.push(resume(erasure));
    }
    return (await Promise.all(resumed)).filter(Boolean).length;
  };
}

/** The error with its causes as one text, like the log line of any other error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? text : `${text}\ncaused by ${textOf(error.cause)}`;
}
