// Reads the audit log: its own records, merged with the ledger entries that name an actor.
import { ObjectId, type Db, type Filter } from "mongodb";
import type { AuditAction } from "#domain/audit.ts";
import { pageOf } from "#domain/page.ts";
import { recordOf } from "#audit/store/audit-record.ts";
import type { Database } from "#mongo/database.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { actorsIn } from "#mongo/actors-in.ts";
import { olderThan } from "#ledger/store/ledger-filters.ts";
import type { AuditDoc } from "#audit/store/audit-model.ts";
import { idOfEntry, recordsOfEntries } from "#audit/store/entry-records.ts";
import { MAJORITY, read, write } from "#mongo/mongo-calls.ts";
import { ofClan } from "#mongo/filters.ts";
import type { AuditFilter, AuditPosition, AuditRecord, AuditStore, ListedRecord } from "#audit/ports.ts";

/** What the log shows of a reversal or a reset. `by`: absent once the details of a reversal were deleted. */
type StoredCorrection = Counted & { _id: string; state: string; reason: string | null; by?: { platformId?: string } };
type Found = { record: AuditRecord; position: AuditPosition };

/** Entries of these kinds are changes by an actor. A reversal and a reset have one record for all their entries. */
const ENTRIES_OF: Partial<Record<AuditAction, Filter<EntryDoc>>> = {
  "member.award": { kind: { $exists: false } },
  "member.add": { kind: "membership", memberSince: { $ne: null } },
  "member.remove": { kind: "membership", memberSince: null },
  "member.appoint": { kind: "appointment" },
};

export function makeAuditStore({ db }: Pick<Database, "db">): AuditStore {
  async function records(filter: AuditFilter, limit: number, after: AuditPosition | null): Promise<Found[]> {
    const { clanId, actor, action } = filter;
    const conditions: Filter<AuditDoc> = {
      ...ofClan({ clanId }),
      ...(actor === null ? {} : { actor }),
      ...(action === null ? {} : { action }),
      ...between(filter),
      // The counts are shown by the record of the import's beginning.
      "after.isEnd": { $ne: true },
    };
    const docs = await db()
      .collection<AuditDoc>("audit")
      .find({ $and: [conditions, after ? olderRecord(after) : {}] }, MAJORITY)
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .toArray();
    return docs.map(({ _id, ...record }) => ({ record, position: { at: record.at, id: _id.toHexString() } }));
  }

  async function entries(filter: AuditFilter, limit: number, after: AuditPosition | null): Promise<Found[]> {
    const { clanId, actor, action } = filter;
    const ofAction = action === null ? {} : ENTRIES_OF[action];
    if (!ofAction) return [];
    const conditions: Filter<EntryDoc> = {
      ...(clanId === null ? {} : { "_id.clanId": clanId }),
      actor: actor ?? { $exists: true },
      importName: { $exists: false },
      ...ofAction,
      ...between(filter),
    };
    const docs = await db()
      .collection<EntryDoc>("ledger")
      .find({ $and: [conditions, after ? olderEntry(after) : {}] }, MAJORITY)
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .toArray();
    const found = await recordsOfEntries(db(), docs);
    return found.map(({ doc, record }) => ({ record, position: { at: doc.at, id: idOfEntry(doc) } }));
  }

  return {
    list(filter, { limit, after }) {
      return read(async () => {
        const [own, ofMembers] = await Promise.all([
          records(filter, limit + 1, after),
          entries(filter, limit + 1, after),
        ]);
        // For equal times the log's own records come first; the sort is stable.
        const all = [...own, ...ofMembers].toSorted((a, b) => b.record.at.getTime() - a.record.at.getTime());
        const { items, next } = pageOf(all, limit, ({ position }) => position);
        const listed = items.map(({ record }) => record);
        return { items: await withImports(db(), await withCorrections(db(), listed)), next };
      });
    },

    actors: (clanId, limit) => read(() => actorsOf(db(), clanId, limit)),

    async note(by, change) {
      const record = recordOf(by, change);
      if (record) await write(() => db().collection<AuditDoc>("audit").insertOne(record));
    },
  };
}

async function actorsOf(db: Db, clanId: string, limit: number): Promise<string[]> {
  const [own, ofMembers] = await Promise.all([
    actorsIn(db, "audit", { clanId }, limit),
    actorsIn(db, "ledger", { "_id.clanId": clanId, actor: { $gt: "" } }, limit),
  ]);
  return [...new Set([...own, ...ofMembers])].toSorted().slice(0, limit);
}

/**
 * The record of a reversal or a reset is written when it is accepted. Its counts are known when it is done. The reason
 * of a reversal, which may name a member, is in its own record alone.
 */
async function withCorrections(db: Db, records: readonly AuditRecord[]): Promise<ListedRecord[]> {
  const ids = records.filter(({ action }) => action in COUNTS_OF).map(({ target }) => target);
  const found = await db
    .collection<StoredCorrection>("reversals")
    .find({ _id: { $in: ids } }, { projection: { state: 1, selected: 1, reversed: 1, amount: 1, reason: 1, by: 1 } })
    .toArray();
  const corrections = new Map(found.map((doc) => [doc._id, doc]));
  return records.map((record) => {
    const countsOf = COUNTS_OF[record.action];
    if (!countsOf) return record;
    const stored = corrections.get(record.target);
    const after = { ...record.after, ...countsOf(stored?.state === "done" ? stored : undefined) };
    if (record.action !== "reversal.submit") return { ...record, after };
    return { ...record, after, reversal: reversalOf(stored) };
  });
}

function reversalOf(stored: StoredCorrection | undefined): NonNullable<ListedRecord["reversal"]> {
  const { state, reason = null, by, amount = null } = stored ?? {};
  const platformId = by?.platformId ?? null;
  return { reason, isStored: by !== undefined, platformId, amount: state === "done" ? amount : null };
}

/** The counts of an import are known, and written, when it ends. */
async function withImports(db: Db, records: readonly ListedRecord[]): Promise<ListedRecord[]> {
  const imports = records.filter(({ action }) => action === IMPORT);
  if (imports.length === 0) return [...records];
  const ids = imports.map(({ after }) => importIdOf(after));
  const ends = await db
    .collection<AuditDoc>("audit")
    .find({
      clanId: { $in: [...new Set(imports.map(({ clanId }) => clanId))] },
      action: IMPORT,
      "after.isEnd": true,
      "after.importId": { $in: ids },
    })
    .toArray();
  const counts = new Map(ends.map(({ after }) => [importIdOf(after), after]));
  return records.map((record) => {
    if (record.action !== IMPORT) return record;
    const { isEnd: _, ...after } = { ...record.after, ...counts.get(importIdOf(record.after)) };
    return { ...record, after };
  });
}

const IMPORT: AuditAction = "member.import";

function importIdOf(after: object | null): string {
  return after !== null && "importId" in after ? String(after.importId) : "";
}

type Counted = { selected: number; reversed: number; amount?: string };
const COUNTS_OF: Partial<Record<AuditAction, (counted?: Counted) => object>> = {
  "reversal.submit": (counted) => ({ selected: counted?.selected ?? null }),
  "reset.submit": (counted) => ({ members: counted?.reversed ?? null, amount: counted?.amount ?? null }),
};

function between({ from, to }: AuditFilter): { at?: { $gte?: Date; $lt?: Date } } {
  return from || to ? { at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};
}

function isOfEntry({ id }: AuditPosition): boolean {
  return id.includes("/");
}

function olderRecord(after: AuditPosition): Filter<AuditDoc> {
  const { at, id } = after;
  return isOfEntry(after)
    ? { at: { $lt: at } }
    : { $or: [{ at: { $lt: at } }, { at, _id: { $lt: new ObjectId(id) } }] };
}

function olderEntry(after: AuditPosition): Filter<EntryDoc> {
  const { at, id } = after;
  if (!isOfEntry(after)) return { at: { $lte: at } };
  const [clanId = "", platformId = "", seq = ""] = id.split("/");
  return olderThan({ at, id: { clanId, platformId, seq: Number(seq) } });
}
