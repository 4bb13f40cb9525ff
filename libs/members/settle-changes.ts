// Commits the changes of an import, in their order for each member.
import type { Award } from "#domain/award.ts";
import type { Clan } from "#domain/clan.ts";
import type { Outcome } from "#domain/outcome.ts";
import { BATCH_AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { Ledger } from "#ledger/ledger.ts";

/** One outcome for each change. Throws as the committer does. */
export type SettleChanges = (clan: Clan, changes: readonly Award[]) => Promise<readonly Outcome[]>;

export function makeSettleChanges(committer: Pick<Ledger, "submit">): SettleChanges {
  return (_, changes) => Promise.all(changes.map((change) => committer.submit(change, BATCH_AWARD_DEADLINE_MS)));
}
