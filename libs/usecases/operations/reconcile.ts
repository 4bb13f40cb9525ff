// Proves the books: each member's XP against its entries, each finished batch against the ledger, all from the first to the last.
//
// Awards go on meanwhile. What is compared is therefore read from one moment; the walk goes from moment to moment, a bounded number
// of items each, and changes moments between two members or two batches only. So it never reports what is merely under way.
import { makeBatchAudit } from "#usecases/operations/reconcile-batch.ts";
import { makeMemberAudit } from "#usecases/operations/reconcile-member.ts";
import { BOOKS_ITEMS_PER_MOMENT } from "#usecases/bounds.ts";
import { addFindings, noFindings, type Difference, type Findings } from "#usecases/operations/difference.ts";
import type { Books, BooksMoment } from "#usecases/operations/ports.ts";
import { openPeekable } from "#async/peekable.ts";

export type ReconcileReport = { members: number; entries: number; batches: number; differences: Difference[]; differencesTotal: number };

/** `clanId` null: every clan. `onProgress` is told how many members, entries and batches are proved. Throws AppError `unavailable`. */
export type Reconcile = (options: { clanId: string | null; onProgress?: (proved: number) => void }) => Promise<ReconcileReport>;

type Counts = { members: number; entries: number; batches: number };
/** What one moment gave; `next` is where the following one begins, null at the end. */
type Part = Counts & { findings: Findings; next: string | null };

export function makeReconcile(world: { books: Books; itemsPerMoment?: number; now?: () => Date }): Reconcile {
  const { books, itemsPerMoment = BOOKS_ITEMS_PER_MOMENT, now = () => new Date() } = world;
  return async function reconcile({ clanId, onProgress }) {
    const total: Counts = { members: 0, entries: 0, batches: 0 };
    const findings = noFindings();

    async function walk(readPart: (moment: BooksMoment, from: string) => Promise<Part>): Promise<void> {
      for (let from: string | null = ""; from !== null;) {
        const start: string = from;
        const part = await books.atOneMoment((moment) => readPart(moment, start));
        total.members += part.members;
        total.entries += part.entries;
        total.batches += part.batches;
        addFindings(findings, part.findings);
        onProgress?.(total.members + total.entries + total.batches);
        from = part.next;
      }
    }

    for await (const clan of clanId === null ? allClanIds(books) : [clanId]) {
      await walk((moment, from) => readMembers(moment, { clanId: clan, from, now: now() }, itemsPerMoment));
    }
    // Without an end, the walk would follow the batches that are accepted meanwhile.
    const last = await books.lastBatchId();
    if (last !== null) await walk((moment, from) => readBatches(moment, { clanId, from, last }, itemsPerMoment));
    return { ...total, differences: findings.told, differencesTotal: findings.total };
  };
}

async function* allClanIds(books: Books): AsyncGenerator<string> {
  for (let clanId = await books.nextClanId(""); clanId !== null; clanId = await books.nextClanId(clanId)) yield clanId;
}

/** Members and entries side by side, both by platformId: what one of the two lacks shows. */
async function readMembers(
  moment: BooksMoment,
  { clanId, from, now }: { clanId: string; from: string; now: Date },
  itemsMax: number,
): Promise<Part> {
  const part = newPart();
  const members = await openPeekable(moment.members(clanId, from));
  const entries = await openPeekable(moment.entries(clanId, from));
  if (from === "" && (members.next() ?? entries.next()) !== null && !(await moment.hasClan(clanId))) {
    addFindings(part.findings, {
      told: [{ kind: "clan_missing", clanId, detail: "members or entries of a clan that has no record" }],
      total: 1,
    });
  }
  for (;;) {
    const platformId = lesser(members.next()?.platformId, entries.next()?.platformId);
    if (platformId === null || part.members + part.entries >= itemsMax) return { ...part, next: platformId };

    const member = members.next()?.platformId === platformId ? members.next() : null;
    const audit = makeMemberAudit({ clanId, platformId, member, now });
    for (let entry = entries.next(); entry?.platformId === platformId; entry = entries.next()) {
      audit.add(entry);
      part.entries += 1;
      await entries.advance();
    }
    // Also one whose document has not followed the ledger yet.
    part.members += 1;
    if (member) await members.advance();
    addAll(part.findings, audit.close());
  }
}

/** Records and the entries that name them side by side, both by batchId, up to `last`. */
async function readBatches(
  moment: BooksMoment,
  { clanId, from, last }: { clanId: string | null; from: string; last: string },
  itemsMax: number,
): Promise<Part> {
  const part = newPart();
  const batches = await openPeekable(moment.batches(clanId, from));
  const entries = await openPeekable(moment.batchEntries(clanId, from));
  for (let items = 0; ; items += 1) {
    const batchId = lesser(batches.next()?.batchId, entries.next()?.batchId ?? undefined);
    if (batchId === null || batchId > last) return part;
    if (items >= itemsMax) return { ...part, next: batchId };

    const batch = batches.next()?.batchId === batchId ? batches.next() : null;
    const audit = makeBatchAudit(batchId, batch);
    for (let entry = entries.next(); entry?.batchId === batchId; entry = entries.next()) {
      audit.add(entry);
      items += 1;
      await entries.advance();
    }
    if (batch) {
      part.batches += 1;
      await batches.advance();
    }
    addAll(part.findings, audit.close());
  }
}

function newPart(): Part {
  return { members: 0, entries: 0, batches: 0, findings: noFindings(), next: null };
}

function addAll(findings: Findings, differences: Difference[]): void {
  if (differences.length > 0) addFindings(findings, { told: differences, total: differences.length });
}

/** Ids are ASCII, so that this order is MongoDB's. */
function lesser(a: string | undefined, b: string | undefined): string | null {
  if (a === undefined || b === undefined) return a ?? b ?? null;
  return a < b ? a : b;
}
