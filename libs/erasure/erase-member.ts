// Erases a member: every entry, document and key that contains their platform ID or came with their awards.
//
// It may stop anywhere, be repeated from the start, and run in several processes at the same time. Two waits rely on
// bounds of the committer: when entries are deleted, no commit on the member's old head is in progress; when the
// erasure ends, no process has cached that head (docs/decisions/0028-erasure-fences-the-chain.md).
import { ERASURE_ALIVE_EVERY_MS, ERASURE_CACHE_EXPIRY_MS, ERASURE_QUIET_MS } from "#erasure/bounds.ts";
import { makeEraseFromRuns } from "#erasure/erase-from-runs.ts";
import type { Erasure, ErasureCounts, ErasureParts } from "#erasure/ports.ts";
import { makeEraseEvents } from "#events/erase-events.ts";
import { logFailures } from "#async/failures.ts";
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import { memberIdOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import type { EpochStore } from "#ledger/ports.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";

/**
 * Erases the target that `begin` recorded and returns the counts, including those of earlier runs. Throws AppError
 * `unavailable`, or an error of Redis; a worker continues later. `onProgress` receives how many of its ERASURE_STAGES
 * are done.
 */
export type EraseMember = (erasure: Erasure, onProgress?: (stages: number) => void) => Promise<ErasureCounts>;

// oxlint-disable-next-line eslint/max-lines-per-function -- each stage relies on all stages before it
export function makeEraseMember(deps: {
  parts: ErasureParts;
  epochs: Pick<EpochStore, "draw">;
  clans: Pick<ClanStore, "list">;
  /** Deletes the data about these members that the locks store. */
  deleteLocks: (members: readonly MemberId[]) => Promise<void>;
  /** Wakes readers that wait for events of this clan. */
  announceEvents: (clanId: string) => unknown;
  ids: Pick<Ids, "event">;
  clock: Pick<Clock, "monotonicMs" | "now">;
  /** Interrupts an erasure while it waits. */
  stopping?: AbortSignal;
  log: Log;
}): EraseMember {
  const { parts, epochs, clans, deleteLocks, announceEvents, ids, clock, stopping, log } = deps;
  const { erasures, chain } = parts;
  const eraseEvents = makeEraseEvents({ events: parts.events, announce: announceEvents, ids, clock });
  const eraseFromRuns = makeEraseFromRuns({ clock, wait });

  async function wait(ms: number): Promise<void> {
    await pause(ms, stopping);
    stopping?.throwIfAborted();
  }

  return async function eraseMember(erasure, onProgress = () => {}) {
    let current = erasure;
    const failed = logFailures(log, "erasure.record_failed", { erasureId: erasure.erasureId });
    const alive = repeat(ERASURE_ALIVE_EVERY_MS, () => erasures.noteAlive(current.erasureId), failed);
    try {
      for (;;) {
        const { counts, next } = await erasures.finish(current, await erase(current, onProgress));
        if (!next) return counts;
        // Either a newer command has replaced this erasure, which is done when the new one is, or another process has
        // fenced more clans.
        current = next;
      }
    } finally {
      await alive.stop();
    }
  };

  /** Returns the clans in which the member was fenced. */
  async function erase(erasure: Erasure, onProgress: (stages: number) => void): Promise<string[]> {
    const { erasureId, clanId, platformId } = erasure;
    let stages = 0;
    const done = (): void => onProgress((stages += 1));
    const of = (clan: string): MemberRef => ({ clanId: clan, platformId });

    const all = clanId === null ? (await clans.list()).map((clan) => clan.clanId) : [clanId];
    let members: MemberRef[] = [];
    let quietAtMs = clock.monotonicMs();
    /**
     * Closes the chain in every clan where something is stored and the chain is open. Then marks each entry: the number
     * of a lock may be that of any of them, and readers must store nothing of them that is deleted already.
     */
    async function fence(): Promise<void> {
      const before = members.length;
      for (const clan of all) await chain.fence(erasureId, of(clan));
      members = (await chain.fencedClans(erasureId)).map(of);
      if (members.length === before) return;
      for (const member of members.slice(before)) await chain.mark(erasureId, member);
      // A process that reads standings later finds none of the member; one that has read before writes none after the
      // wait.
      await parts.eraseStandings(erasure);
      await epochs.draw();
      quietAtMs = clock.monotonicMs() + ERASURE_QUIET_MS;
    }
    // Before awards wait for the erasure.
    const wasNamed = await parts.names.begin(erasure, all);
    await fence();
    done();

    for (const redaction of [parts.batches, parts.reversals]) {
      await eraseFromRuns(redaction, erasure);
      done();
    }
    // If nothing was stored, no fence stopped a run that had read the member's award before. By now such runs have
    // ended.
    await fence();
    if (members.length > 0) await wait(Math.max(0, quietAtMs - clock.monotonicMs()));
    done();
    // While the chain is closed: afterwards, standings are those of new awards. A standing that was written since the
    // fence may be in the copy of a period that becomes final, which has arrived after another wait.
    if ((await parts.eraseStandings(erasure)) && members.length > 0) {
      await wait(ERASURE_QUIET_MS);
      await parts.eraseStandings(erasure);
    }
    for (const member of members) await chain.erase(erasureId, member);
    done();
    await epochs.draw();
    if (members.length > 0 || wasNamed) await wait(ERASURE_CACHE_EXPIRY_MS);
    for (const member of members) await chain.eraseRemaining(erasureId, member);
    await parts.forgetHours(members.map((member) => member.clanId));
    // Deletes what was written meanwhile by processes that did not know of the erasure yet.
    await parts.reversals.redact(erasure);
    for (const member of members) await eraseEvents(member);
    await parts.events.deleteReasons(erasure);
    await parts.names.end(erasure, all);
    // Last: a notifier that adds one later finds no rank, and deletes it.
    await parts.eraseRoleSyncs(erasure);
    await deleteLocks(all.map((clan) => memberIdOf(of(clan))));
    await parts.recheckRequests(erasure);
    done();
    return members.map((member) => member.clanId);
  }
}
