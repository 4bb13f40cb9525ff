// What boards must show, from the ledger alone, by the plainest reading of the contract.
import type { Standing } from "#domain/standing.ts";
import type { StoredPeriod } from "#boards/ports.ts";
import type { FakeBoards, FakePeriod } from "./fake-boards.ts";
import type { FakeEntry } from "./fake-ledger.ts";

type Span = Pick<StoredPeriod, "startsAt" | "endsAt" | "finalAt">;

type Sum = Pick<Standing, "xp" | "awards" | "reachedAt" | "removed">;

/**
 * The member's standing after the entries up to number `upTo`; null: not on the board, or nothing is known. `missing`:
 * how many later entries concern the period and were acknowledged before `asOfMs`.
 */
function expectedOf(
  chain: readonly FakeEntry[],
  { startsAt, endsAt, finalAt }: Span,
  { upTo, asOfMs }: { upTo: number; asOfMs: number },
): { sum: Sum | null; missing: number } {
  // Numbers: dates cost ten times as much to compare, and everything is compared at every step.
  const [startsMs, endsMs, finalMs] = [startsAt.getTime(), endsAt.getTime(), finalAt.getTime()];
  const awards = new Set<number>();
  let [sum, missing] = [null as Sum | null, 0];
  for (const { seq, what, at, applied, removed, reversesSeq, committedMs } of chain) {
    const atMs = at.getTime();
    if (what === "award" && atMs >= startsMs && atMs < endsMs) awards.add(seq);
    else if (atMs >= finalMs || awards.size === 0) continue;
    else if (what === "reversal" ? !awards.has(reversesSeq ?? 0) : what !== "membership") continue;
    if (seq > upTo) {
      missing += committedMs < asOfMs ? 1 : 0;
      continue;
    }
    const isMoved = !sum || (what !== "membership" && applied !== 0n);
    sum = {
      xp: (sum?.xp ?? 0n) + (isMoved ? applied : 0n),
      awards: (sum?.awards ?? 0) + (what === "award" ? 1 : 0),
      reachedAt: sum && !isMoved ? sum.reachedAt : at,
      removed,
    };
  }
  return { sum, missing };
}

function differ(is: Sum | undefined, should: Sum | null): boolean {
  if (!is || !should) return Boolean(is) !== Boolean(should);
  if (is.awards !== should.awards) return true;
  return is.xp !== should.xp || is.removed !== should.removed || is.reachedAt.getTime() !== should.reachedAt.getTime();
}

export function textOf(sum: Sum | null | undefined): string {
  if (!sum) return "nothing";
  const { xp, awards, reachedAt, removed } = sum;
  return `${xp} XP of ${awards} awards since ${reachedAt.toISOString().slice(11)}${removed ? ", removed" : ""}`;
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
    const board = fake.storedBoards.get(period.boardId);
    const asOfMs = board?.uid === period.boardUid ? board.asOf.getTime() : 0;
    for (const [platformId, chain] of fake.chains) {
      if (isExempt(platformId)) continue;
      const standing = fake.standings.get(`${period.rows}/${platformId}`);
      const { sum, missing } = expectedOf(chain, period, { upTo: standing?.seq ?? 0, asOfMs });
      const name = `${period.boardId} ${period.periodId} ${platformId}`;
      if (differ(standing, sum))
        faults.push(`${name}: ${textOf(standing)} up to ${standing?.seq}, and should be ${textOf(sum)}`);
      if (missing > 0) faults.push(`${name}: ${missing} entries before asOf are missing`);
    }
  }
  return faults;
}

/** Of a final period: every entry that is dated before `finalAt` is counted, and positions follow from XP. */
export function faultsOfFinal(
  fake: FakeBoards,
  period: FakePeriod,
  isExempt: (platformId: string) => boolean,
): string[] {
  const own = fake.rowsOf(period.rows).filter(({ removed }) => !removed);
  const name = `final ${period.boardId} ${period.periodId}`;
  const misplaced = own.filter(({ xp, position }) => position !== 1 + own.filter((other) => other.xp > xp).length);
  // Of a member who was erased meanwhile, the place stays empty.
  const faults =
    own.length < (period.members ?? 0) ? [] : misplaced.map(({ platformId }) => `${name}: ${platformId}'s place`);
  for (const [platformId, chain] of fake.chains) {
    if (isExempt(platformId)) continue;
    const { sum } = expectedOf(chain, period, { upTo: Infinity, asOfMs: 0 });
    const standing = fake.standings.get(`${period.rows}/${platformId}`);
    const should = sum?.removed ? null : sum;
    if (differ(standing, should))
      faults.push(`${name} ${platformId}: ${textOf(standing)}, and should be ${textOf(should)}`);
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
      const { sum } = expectedOf(chain, period, { upTo: Infinity, asOfMs: 0 });
      if (differ(standing, sum))
        faults.push(`${name} ${platformId}: ${textOf(standing)}, and should be ${textOf(sum)}`);
    }
  }
  // Between seasons, nothing is counted.
  const isCounting = fake.isOpen() && [...fake.periods.values()].some(({ isFinal, removed }) => !isFinal && !removed);
  for (const [platformId, { due }] of isCounting ? fake.members : [])
    if (due !== undefined) faults.push(`${platformId}: counted up to ${due} for ever`);
  const named = new Set([...fake.periods.values()].map(({ rows }) => rows));
  for (const { rows, platformId } of fake.standings.values()) {
    if (!named.has(rows)) faults.push(`${rows}/${platformId}: no period names it, and it is never deleted`);
    if (!fake.chains.has(platformId)) faults.push(`${rows}/${platformId}: the ledger has no such member`);
  }
  return faults;
}
