// Rebuilds the members' documents from the ledger while awards continue: a document that is behind, ahead or was
// changed manually is set to the state in its entries. Running it again changes nothing.
import { chunks } from "#async/chunks.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { HEADS_PER_PROJECTION_MAX } from "#ledger/projection/bounds.ts";
import type { EpochStore } from "#ledger/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import { epochReader, guardEpoch } from "#ledger/heads/guard-epoch.ts";
import type { HeadRebuild, LedgerChanges } from "#ledger/projection/ports.ts";
import type { Clock } from "#usecases/ports.ts";

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

type RebuildWorld = { store: HeadRebuild; epochs: Pick<EpochStore, "read">; clock: Clock };

export function makeRebuildThese({ store, epochs, clock }: RebuildWorld): RebuildThese {
  const readEpoch = epochReader(epochs);
  return async function rebuildThese(members) {
    let changed = 0;
    for (const group of chunks(members, HEADS_PER_PROJECTION_MAX)) {
      const guard = await guardEpoch({ readEpoch, clock });
      changed += await store.rebuild(group, guard.requireSame);
    }
    return changed;
  };
}

export function makeRebuildMembers(
  world: RebuildWorld & { ledger: LedgerChanges; clans: Pick<ClanStore, "list"> },
): RebuildMembers {
  const { ledger, clans } = world;
  const rebuildThese = makeRebuildThese(world);
  return async function rebuildMembers({ clanId, onProgress }) {
    const report: RebuildReport = { members: 0, changed: 0 };
    const clanIds = clanId === null ? (await clans.list()).map((clan) => clan.clanId) : [clanId];
    for await (const members of ledger.listChanged(clanIds, new Date(0))) {
      report.changed += await rebuildThese(members);
      report.members += members.length;
      onProgress?.(report.members);
    }
    return report;
  };
}
