// What boards must show, from the ledger alone, by the plainest reading of the contract.
import type { StoredPeriod } from "#usecases/boards/ports.ts";
import type { FakeBoards } from "./fake-boards.ts";
import type { FakeEntry } from "./fake-ledger.ts";

type Span = Pick<StoredPeriod, "startsAt" | "endsAt" | "finalAt">;

/** The entries of a chain that the period counts, or that say whether the member is on the board. */
function concerning(chain: readonly FakeEntry[], { startsAt, endsAt, finalAt }: Span): FakeEntry[] {
  const isIn = ({ what, at }: FakeEntry): boolean => what === "award" && at >= startsAt && at < endsAt;
  const awards = new Set(chain.filter(isIn).map(({ seq }) => seq));
  const first = Math.min(...awards);
  return chain.filter(({ seq, what, at, reversesSeq }) => {
    if (what === "reversal") return awards.has(reversesSeq ?? 0) && at < finalAt;
    return awards.has(seq) || (what === "membership" && seq > first && at < finalAt);
  });
}

/** The member's standing as text; null: not on the board, or nothing is known. */
function expectedOf(chain: readonly FakeEntry[], span: Span): string | null {
  const entries = concerning(chain, span);
  const last = entries.at(-1);
  if (!last) return null;
  const counted = entries.filter(({ what }) => what !== "membership");
  const xp = counted.reduce((sum, { applied }) => sum + applied, 0n);
  const reached = counted.findLast(({ applied }) => applied !== 0n) ?? counted[0];
  return textOf({ xp, reachedAt: reached?.at ?? span.startsAt, removed: last.removed });
}

export function textOf({ xp, reachedAt, removed }: { xp: bigint; reachedAt: Date; removed: boolean }): string {
  return `${xp} XP since ${reachedAt.toISOString().slice(11)}${removed ? ", removed" : ""}`;
}

/**
 * Between any two steps: a standing of a counted period is what the entries up to its own make, and contains each entry
 * that was acknowledged before the board's `asOf`.
 */
export function faultsOfCounted(
  fake: FakeBoards,
  { isExempt, restored }: { isExempt: (platformId: string) => boolean; restored: Date | null },
): string[] {
  const faults: string[] = [];
  for (const period of fake.periods.values()) {
    if (period.isFinal || period.countedAt === null || period.removed) continue;
    if (restored && period.begunAt <= restored) continue;
    const asOfMs = fake.storedBoards.get(period.boardId)?.asOf.getTime() ?? 0;
    for (const [platformId, chain] of fake.chains) {
      if (isExempt(platformId)) continue;
      const standing = fake.standings.get(`${period.rows}/${platformId}`);
      const upTo = chain.filter(({ seq }) => seq <= (standing?.seq ?? 0));
      const is = standing ? textOf(standing) : null;
      const should = expectedOf(upTo, period);
      const name = `${period.boardId} ${period.periodId} ${platformId}`;
      if (is !== should) faults.push(`${name}: ${is} up to ${standing?.seq}, and should be ${should}`);
      const missing = concerning(chain, period).filter(
        ({ seq, committedMs }) => seq > (standing?.seq ?? 0) && committedMs < asOfMs,
      );
      if (missing.length > 0) faults.push(`${name}: ${missing.length} entries before asOf are missing`);
    }
  }
  return faults;
}

/** At the end, when nothing fails any more and everything is counted. */
export function faultsAtEnd(fake: FakeBoards, { now }: { now: Date }): string[] {
  const faults: string[] = [];
  for (const period of fake.periods.values()) {
    const { boardId, periodId, rows, isFinal, finalAt, countedAt, removed } = period;
    if (removed) continue;
    const name = `${boardId} ${periodId}`;
    if (!isFinal && countedAt === null) faults.push(`${name}: it is never counted`);
    if (!isFinal && finalAt.getTime() + 120_000 < now.getTime()) faults.push(`${name}: it is never final`);
    if (isFinal) continue;
    for (const [platformId, chain] of fake.chains) {
      const standing = fake.standings.get(`${rows}/${platformId}`);
      const [is, should] = [standing ? textOf(standing) : null, expectedOf(chain, period)];
      if (is !== should) faults.push(`${name} ${platformId}: ${is}, and should be ${should}`);
    }
  }
  for (const [platformId, { due }] of fake.members)
    if (due !== undefined) faults.push(`${platformId}: counted up to ${due} for ever`);
  const named = new Set([...fake.periods.values()].map(({ rows }) => rows));
  for (const { rows, platformId } of fake.standings.values()) {
    if (!named.has(rows)) faults.push(`${rows}/${platformId}: no period names it, and it is never deleted`);
    if (!fake.chains.has(platformId)) faults.push(`${rows}/${platformId}: the ledger has no such member`);
  }
  return faults;
}
