// Verifies the ledger from the first item to the last: each member's XP against its entries, each reversal against its
// award, and each finished batch against the ledger.
//
// Awards continue meanwhile, so everything that is compared is read from one snapshot. Each snapshot covers a bounded
// number of items and ends between two members or two batches. So reconcile never reports what is merely in progress.
import { makeReconcileBatch } from "#operations/reconcile-batch.ts";
import { makeReconcileMember } from "#operations/reconcile-member.ts";
import { makeReconcileReversals } from "#operations/reconcile-reversals.ts";
import { ITEMS_PER_SNAPSHOT } from "#operations/bounds.ts";
import { addFindings, noFindings, type Difference, type Findings } from "#operations/difference.ts";
import type { ReconcileBoards } from "#operations/reconcile-boards.ts";
import type { ReconcileStore, ReconcileSnapshot } from "#operations/ports.ts";
import type { AwardIdOf } from "#reversals/ports.ts";
import { openPeekable } from "#async/peekable.ts";

export type ReconcileReport = {
  members: number;
  entries: number;
  batches: number;
  differences: Difference[];
  differencesTotal: number;
};

/**
 * `clanId` null means every clan. `onProgress` receives how many members, entries and batches are verified. Throws
 * AppError `unavailable`.
 */
export type Reconcile = (options: {
  clanId: string | null;
  onProgress?: (verified: number) => void;
}) => Promise<ReconcileReport>;

type Counts = { members: number; entries: number; batches: number };
/** The result of one snapshot; `next` is where the following one begins, null at the end. */
type Part = Counts & { findings: Findings; next: string | null };

export function makeReconcile(deps: {
  store: ReconcileStore;
  awardIdOf: AwardIdOf;
  /** Without it, boards are not verified. */
  reconcileBoards?: ReconcileBoards;
  itemsPerSnapshot?: number;
  now?: () => Date;
}): Reconcile {
  const { store, awardIdOf, reconcileBoards, itemsPerSnapshot = ITEMS_PER_SNAPSHOT, now = () => new Date() } = deps;
  return async function reconcile({ clanId, onProgress }) {
    const total: Counts = { members: 0, entries: 0, batches: 0 };
    const findings = noFindings();

    async function walk(readPart: (snapshot: ReconcileSnapshot, from: string) => Promise<Part>): Promise<void> {
      for (let from: string | null = ""; from !== null;) {
        const start: string = from;
        const part = await store.withSnapshot((snapshot) => readPart(snapshot, start));
        total.members += part.members;
        total.entries += part.entries;
        total.batches += part.batches;
        addFindings(findings, part.findings);
        onProgress?.(total.members + total.entries + total.batches);
        from = part.next;
      }
    }

    const repeated = (await store.repeatedKeys(clanId)).map(({ seqs, ...member }): Difference => ({
      kind: "key_twice",
      ...member,
      seq: seqs[1] ?? 0,
      detail: `entries ${seqs.join(", ")} have the same key`,
    }));
    addAll(findings, repeated);
    for await (const clan of clanId === null ? allClanIds(store) : [clanId]) {
      const of = { clanId: clan, awardIdOf };
      await walk((snapshot, from) => readMembers(snapshot, { ...of, from, now: now() }, itemsPerSnapshot));
      for await (const differences of reconcileBoards?.(clan) ?? []) addAll(findings, differences);
    }
    // Without an end, it would never catch up with the batches that are accepted meanwhile.
    const last = await store.lastBatchId();
    if (last !== null) await walk((snapshot, from) => readBatches(snapshot, { clanId, from, last }, itemsPerSnapshot));
    return { ...total, differences: findings.reported, differencesTotal: findings.total };
  };
}

async function* allClanIds(store: ReconcileStore): AsyncGenerator<string> {
  for (let clanId = await store.nextClanId(""); clanId !== null; clanId = await store.nextClanId(clanId)) yield clanId;
}

/**
 * Reads members and entries in parallel, both by platformId, so that it detects items that are missing in either of
 * them.
 */
async function readMembers(
  snapshot: ReconcileSnapshot,
  { clanId, awardIdOf, from, now }: { clanId: string; awardIdOf: AwardIdOf; from: string; now: Date },
  itemsMax: number,
): Promise<Part> {
  const part = newPart();
  if ((await snapshot.deletedClans()).has(clanId)) return part;
  const members = await openPeekable(snapshot.members(clanId, from));
  const entries = await openPeekable(snapshot.entries(clanId, from));
  if (from === "" && (members.next() ?? entries.next()) !== null && !(await snapshot.hasClan(clanId))) {
    addFindings(part.findings, {
      reported: [{ kind: "clan_missing", clanId, detail: "members or entries of a clan that has no record" }],
      total: 1,
    });
  }
  for (;;) {
    const platformId = lesser(members.next()?.platformId, entries.next()?.platformId);
    if (platformId === null || part.members + part.entries >= itemsMax) return { ...part, next: platformId };

    const member = members.next()?.platformId === platformId ? members.next() : null;
    const check = makeReconcileMember({ clanId, platformId, member, now });
    const reversals = makeReconcileReversals({ clanId, platformId, snapshot, awardIdOf });
    for (let entry = entries.next(); entry?.platformId === platformId; entry = entries.next()) {
      check.add(entry);
      if (entry.kind === "reversal" || entry.isErasing) await reversals.add(entry);
      part.entries += 1;
      await entries.advance();
    }
    // This also applies to a member whose document has not followed the ledger yet.
    part.members += 1;
    if (member) await members.advance();
    addAll(part.findings, [...check.close(), ...(await reversals.close())]);
  }
}

/** Reads records and the entries that name them in parallel, both by batchId, up to `last`. */
async function readBatches(
  snapshot: ReconcileSnapshot,
  { clanId, from, last }: { clanId: string | null; from: string; last: string },
  itemsMax: number,
): Promise<Part> {
  const part = newPart();
  const batches = await openPeekable(snapshot.batches(clanId, from));
  const entries = await openPeekable(snapshot.batchEntries(clanId, from));
  const [isErasing, deleted] = [await snapshot.isErasing(), await snapshot.deletedClans()];
  for (let items = 0; ; items += 1) {
    const batchId = lesser(batches.next()?.batchId, entries.next()?.batchId ?? undefined);
    if (batchId === null || batchId > last) return part;
    if (items >= itemsMax) return { ...part, next: batchId };

    const batch = batches.next()?.batchId === batchId ? batches.next() : null;
    const isDeleted = deleted.has(batch?.clanId ?? entries.next()?.clanId ?? "");
    const check = makeReconcileBatch(batchId, batch, isErasing);
    for (let entry = entries.next(); entry?.batchId === batchId; entry = entries.next()) {
      check.add(entry);
      items += 1;
      await entries.advance();
    }
    if (batch) {
      part.batches += 1;
      await batches.advance();
    }
    if (!isDeleted) addAll(part.findings, check.close());
  }
}

function newPart(): Part {
  return { members: 0, entries: 0, batches: 0, findings: noFindings(), next: null };
}

function addAll(findings: Findings, differences: Difference[]): void {
  if (differences.length > 0) addFindings(findings, { reported: differences, total: differences.length });
}

/** Ids are ASCII, so this order is the same as MongoDB's. */
function lesser(a: string | undefined, b: string | undefined): string | null {
  if (a === undefined || b === undefined) return a ?? b ?? null;
  return a < b ? a : b;
}
