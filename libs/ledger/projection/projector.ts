// Updates the members' documents after the commits: coalesced, in groups, oldest first, and never to an older state
// (the store ensures that).
//
// No award depends on it: an outdated document costs its reader one more read. A head is projected only in the epoch in
// which it was committed. In another epoch it is read from the ledger first, because the ledger may have lost it (a
// restored backup).
import { chunks } from "#async/chunks.ts";
import { logFailures } from "#async/failures.ts";
import type { Head } from "#domain/head.ts";
import {
  HEADS_PER_PROJECTION_MAX,
  HEADS_UNPROJECTED_MAX,
  PROJECTION_DELAY_MS,
  PROJECTION_REST_SHARE,
  PROJECTION_RETRY_MS,
} from "#ledger/bounds.ts";
import { memberRefOf, type MemberId, type MemberRef } from "#domain/member-id.ts";
import type { LedgerStore, Heads } from "#ledger/ports.ts";
import { guardEpoch } from "#ledger/heads/guard-epoch.ts";
import { makeRechecks } from "#ledger/projection/rechecks.ts";
import { makeWaitingHeads, type WaitingHead } from "#ledger/projection/waiting-heads.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

export type Projector = {
  /** Heads that were just committed in this epoch. */
  note(heads: Heads, epoch: string): void;
  /** Members with a commit that ended without a result: its effect is read now, and again later. */
  recheck(ids: Iterable<MemberId>): void;
  /** Resolves once the number of pending heads is within its bound. Never rejects. */
  capacity(): Promise<void>;
  /** Projects everything that is pending, of this clan or of all. Throws AppError `unavailable`. */
  flush(clanId?: string): Promise<void>;
  /** The number of pending heads. */
  waiting(): number;
  /** How long the oldest head has waited that is not projected. */
  oldestAgeMs(): number;
  /** Members with a recent commit that ended without a result. */
  rechecking(): number;
  /** Projects what is pending, and stops. Others project what is left. */
  close(): Promise<void>;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- what is pending and who waits for it change together
export function makeProjector(deps: {
  store: Pick<LedgerStore, "project" | "projectExisting" | "readHeads">;
  epoch: () => Promise<string>;
  clock: Clock;
  log: Log;
}): Projector {
  const { store, epoch, clock, log } = deps;
  const waiting = makeWaitingHeads(clock);
  const failed = logFailures(log, "projection.failed");
  let writing: Promise<void> = Promise.resolve();
  let underWay: ReadonlyMap<MemberId, WaitingHead> = new Map();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let onCapacity: (() => void)[] = [];
  const rechecks = makeRechecks({ recheck: read, clock });

  function note(heads: Heads, ofEpoch: string): void {
    const sinceMs = clock.monotonicMs();
    for (const [id, head] of heads) waiting.add(id, { head, epoch: ofEpoch, sinceMs });
    schedule(PROJECTION_DELAY_MS);
  }

  function recheck(ids: Iterable<MemberId>): void {
    const members = [...ids];
    rechecks.note(members);
    read(members);
  }

  function read(ids: readonly MemberId[]): void {
    for (const id of ids) waiting.add(id, { head: null, epoch: "", sinceMs: clock.monotonicMs() });
    schedule(PROJECTION_DELAY_MS);
  }

  function schedule(delayMs: number): void {
    if (timer || closed || waiting.size() === 0) return;
    timer = setTimeout(() => void projectNext(), delayMs);
  }

  /**
   * Writes one group, then pauses for longer than the write took: awards take precedence, unless heads have waited for
   * long.
   */
  async function projectNext(): Promise<void> {
    const beganAtMs = clock.monotonicMs();
    let restMs = 0;
    try {
      await write(waiting.ids());
      if (!waiting.isLate()) restMs = (clock.monotonicMs() - beganAtMs) * PROJECTION_REST_SHARE;
    } catch (error) {
      failed(error, { heads: waiting.size() });
      restMs = PROJECTION_RETRY_MS;
    }
    timer = null;
    schedule(Math.max(restMs, waiting.untilDueMs()));
  }

  /** Writes the first group of those that are still pending, after the write in progress. */
  function write(ids: Iterable<MemberId>): Promise<void> {
    const written = writing.then(async () => {
      const group = waiting.take(ids);
      if (group.size === 0) return;
      underWay = group;
      try {
        await project(group);
      } catch (error) {
        for (const [id, next] of group) waiting.restore(id, next);
        throw error;
      } finally {
        underWay = new Map();
      }
      if (waiting.size() < HEADS_UNPROJECTED_MAX) {
        for (const resume of onCapacity) resume();
        onCapacity = [];
      }
    });
    writing = written.catch(() => {});
    return written;
  }

  async function project(group: ReadonlyMap<MemberId, WaitingHead>): Promise<void> {
    const guard = await guardEpoch({ readEpoch: epoch, clock });
    const heads = new Map<MemberId, Head>();
    const unread: MemberRef[] = [];
    for (const [id, { head, epoch: ofEpoch }] of group) {
      if (head && ofEpoch === guard.epoch) heads.set(id, head);
      else unread.push(memberRefOf(id));
    }
    if (unread.length > 0) for (const [id, head] of await store.readHeads(unread)) heads.set(id, head);
    if (heads.size === 0) return;
    await guard.requireSame();
    const others = await store.projectExisting(heads);
    if (others.size === 0) return;
    await guard.requireSame();
    await store.project(others);
  }

  async function flush(clanId?: string): Promise<void> {
    // Heads that are being written are not pending. If the write fails, they become pending again.
    await writing;
    const matching = [...waiting.ids()].filter((id) => clanId === undefined || id.startsWith(`${clanId}/`));
    for (const ids of chunks(matching, HEADS_PER_PROJECTION_MAX)) await write(ids);
  }

  return {
    note,
    recheck,
    capacity: () =>
      waiting.size() < HEADS_UNPROJECTED_MAX ? Promise.resolve() : new Promise((resolve) => onCapacity.push(resolve)),
    flush,
    waiting: waiting.size,
    oldestAgeMs: () => waiting.oldestAgeMs(underWay.values()),
    rechecking: rechecks.waiting,
    async close() {
      closed = true;
      rechecks.close();
      if (timer) clearTimeout(timer);
      await flush().catch((error: unknown) => log.warn({ err: error, heads: waiting.size() }, "projection.incomplete"));
    },
  };
}
