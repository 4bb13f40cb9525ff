// Finishes erasures whose process crashed or lost its connections. Each is claimed by one worker; if two run the same
// one, their steps can be repeated, and the last one finds nothing to do.
//
// Invariant: the log names the erasure and never its member, because the log line would outlive the erasure.
import { ERASED } from "#domain/erased.ts";
import { ERASURE_SILENCE_MS } from "#erasure/bounds.ts";
import type { EraseMember } from "#erasure/erase-member.ts";
import type { Erasure, ErasureStore } from "#erasure/ports.ts";
import { makeResumeAbandoned, type ResumeAbandoned } from "#erasure/resume-abandoned.ts";
import type { Log } from "#kernel/log.ts";

/** Failures are logged, and resumed again later. */
export function makeResumeErasures(deps: {
  erasures: Pick<ErasureStore, "claimSilent">;
  eraseMember: EraseMember;
  log: Log;
}): ResumeAbandoned {
  const { erasures, eraseMember, log } = deps;

  async function resume(erasure: Erasure): Promise<void> {
    const { erasureId, platformId } = erasure;
    try {
      log.info({ erasureId }, "erasure.resumed");
      await eraseMember(erasure);
      log.info({ erasureId }, "erasure.finished");
    } catch (error) {
      log.warn({ erasureId, error: textOf(error).replaceAll(platformId, ERASED) }, "erasure.interrupted");
    }
  }

  return makeResumeAbandoned({ claim: () => erasures.claimSilent(ERASURE_SILENCE_MS), resume });
}

/** The error with its causes as one text, like the log line of any other error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? text : `${text}\ncaused by ${textOf(error.cause)}`;
}
