// Projects what crashed processes had committed and not projected. It may run in several workers at the same time, and
// be repeated: a head only moves forward.
import { chunks } from "#async/chunks.ts";
import { HEADS_PER_PROJECTION_MAX, PROCESS_EXPIRY_MS, PROCESS_SILENCE_MS } from "#usecases/projection/bounds.ts";
import type { AwardStore, EpochStore } from "#usecases/awards/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import type { LedgerChanges, ProcessStore } from "#usecases/projection/ports.ts";
import { epochReader, guardEpoch } from "#usecases/projection/guard-epoch.ts";
import type { Clock, Log } from "#usecases/ports.ts";
import type { MemberRef } from "#domain/member-id.ts";

/**
 * Projects for every silent process and returns how many there were. Throws AppError `unavailable`; then run it again
 * later.
 */
export type RecoverProjections = () => Promise<number>;

export function makeRecoverProjections(world: {
  processes: Pick<ProcessStore, "listSilent" | "notePass" | "remove">;
  store: Pick<AwardStore, "readHeads" | "project">;
  epochs: Pick<EpochStore, "read">;
  ledger: LedgerChanges;
  clans: Pick<ClanStore, "list">;
  clock: Clock;
  log: Log;
}): RecoverProjections {
  const { processes, store, epochs, ledger, clans, clock, log } = world;
  const readEpoch = epochReader(epochs);

  return async function recoverProjections() {
    const silent = await processes.listSilent(PROCESS_SILENCE_MS, 0);
    for (const process of silent) {
      const members = await projectFrom(process.projectedTo);
      log.warn({ ...process, members }, "projection.recovered");
      await processes.notePass(process, 1);
    }
    const expired = await processes.listSilent(PROCESS_EXPIRY_MS, 1);
    for (const process of expired) {
      await projectFrom(process.projectedTo);
      await processes.remove(process.processId);
    }
    return silent.length + expired.length;
  };

  /** These are entries of all processes. A running process may be about to project some of them, which does no harm. */
  async function projectFrom(since: Date): Promise<number> {
    let projected = 0;
    const clanIds = (await clans.list()).map(({ clanId }) => clanId);
    for await (const members of ledger.listChanged(clanIds, since)) {
      await project(members);
      projected += members.length;
    }
    return projected;
  }

  async function project(members: readonly MemberRef[]): Promise<void> {
    for (const group of chunks(members, HEADS_PER_PROJECTION_MAX)) {
      const guard = await guardEpoch({ readEpoch, clock });
      const heads = await store.readHeads(group);
      await guard.requireSame();
      await store.project(heads);
    }
  }
}
