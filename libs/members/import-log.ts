// The one audit record of an import. It is written before the import's first change, so that no change is without it,
// and it gets its counts when the import ends, also by an error. An import that changes nothing has none.
import { AppError } from "#kernel/app-error.ts";
import type { Actor } from "#domain/audit.ts";
import type { Award } from "#domain/award.ts";
import type { Clan } from "#domain/clan.ts";
import type { Ids } from "#kernel/ids.ts";
import type { AuditStore } from "#audit/ports.ts";
import type { SettleChanges } from "#members/settle-changes.ts";

type Counts = Record<"lines" | "imported" | "repeated" | "repeatedInFile" | "shortened" | "skipped", number>;

export type ImportRecord = {
  /** Writes the record, unless it is written. Throws AppError `unavailable`, `outcome_unknown`. */
  begin(): Promise<void>;
  /** The same, if one of these changes would be applied. */
  beginBefore(changes: readonly Award[]): Promise<void>;
  /** Adds the counts. Without them, because MongoDB is unreachable, the record says that the import has begun. */
  end(counts: Counts, xpGiven: bigint): Promise<void>;
};

/** Of one import. */
export type OpenImportRecord = (run: { clan: Clan; name: string }, by: Actor) => ImportRecord;

/** `openCheck`: decides changes without committing them. */
export function makeOpenImportRecord({
  audit,
  openCheck,
  ids,
}: {
  audit: Pick<AuditStore, "note">;
  openCheck: () => SettleChanges;
  ids: Pick<Ids, "import">;
}): OpenImportRecord {
  return function openImportRecord({ clan, name }, by) {
    const importId = ids.import();
    const check = openCheck();
    const note = (after: object): Promise<void> =>
      audit.note(by, {
        action: "member.import",
        clanId: clan.clanId,
        target: name,
        before: null,
        after: { importId, ...after },
      });
    let hasBegun = false;

    async function begin(): Promise<void> {
      if (hasBegun) return;
      await note({});
      hasBegun = true;
    }

    return {
      begin,
      async beginBefore(changes) {
        if (hasBegun) return;
        const outcomes = await check(clan, changes);
        if (outcomes.some(({ kind }) => kind === "applied")) await begin();
      },
      async end(counts, xpGiven) {
        if (!hasBegun) return;
        try {
          await note({ isEnd: true, ...countsIn(counts), xpGiven });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      },
    };
  };
}

/** Without those that are 0, except how many lines were imported. */
function countsIn({ lines, imported, repeated, repeatedInFile, shortened, skipped }: Counts): object {
  const others = { repeated: repeated + repeatedInFile, shortened, skipped };
  return { lines, imported, ...Object.fromEntries(Object.entries(others).filter(([, count]) => count > 0)) };
}
