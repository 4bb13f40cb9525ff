// Rebuilds the members' documents from the ledger while awards continue: a document that is behind, ahead or was
// changed manually is set to the state in its entries. Running it again changes nothing.
import { chunks } from "#async/chunks.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { HEADS_PER_PROJECTION_MAX } from "#ledger/bounds.ts";
import type { ClanList, EpochStore, LedgerChanges, MemberRebuild } from "#ledger/ports.ts";
import { guardEpoch } from "#ledger/heads/guard-epoch.ts";
import type { Clock } from "#kernel/clock.ts";

/** `changed`: documents that differed from the ledger. */
export type RebuildReport = { members: number; changed: number };

/**
 * `clanId` null means every clan. `onProgress` receives the number of members so far. Throws AppError `unavailable`;
 * then run it again.
 */
export type RebuildMembers = (options: {
  clanId: string | null;
  onProgress?: (members: number) => void;
}) => Promise<RebuildReport>;

/** The same for these members. Returns how many documents differed. */
export type RebuildThese = (members: readonly MemberRef[]) => Promise<number>;

type RebuildDeps = { store: MemberRebuild; epochs: Pick<EpochStore, "read">; clock: Clock };

export function makeRebuildThese({ store, epochs, clock }: RebuildDeps): RebuildThese {
  return async function rebuildThese(members) {
    let changed = 0;
    for (const group of chunks(members, HEADS_PER_PROJECTION_MAX)) {
      const guard = await guardEpoch({ readEpoch: epochs.read, clock });
      changed += await store.rebuild(group, guard.requireSame);
    }
    return changed;
  };
}

export function makeRebuildMembers(deps: RebuildDeps & { reader: LedgerChanges; clans: ClanList }): RebuildMembers {
  const { reader, clans } = deps;
  const rebuildThese = makeRebuildThese(deps);
  return async function rebuildMembers({ clanId, onProgress }) {
    const report: RebuildReport = { members: 0, changed: 0 };
    const clanIds = clanId === null ? (await clans.list()).map((clan) => clan.clanId) : [clanId];
    for await (const members of reader.listChanged(clanIds, new Date(0))) {
      report.changed += await rebuildThese(members);
      report.members += members.length;
      onProgress?.(report.members);
    }
    return report;
  };
}
