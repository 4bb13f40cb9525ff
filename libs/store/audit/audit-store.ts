// Reads the audit log: its own records, merged with the ledger entries that name an actor.
import mongoose, { type mongo } from "mongoose";
import type { Actor, AuditAction } from "#domain/audit.ts";
import type { Entry } from "#domain/entry.ts";
import { recordOf } from "#store/audit/audit-record.ts";
import type { Database } from "#store/database.ts";
import { entryOfDoc, type EntryDoc } from "#store/awards/entry-model.ts";
import type { AuditDoc } from "#store/audit/audit-model.ts";
import { read, write } from "#store/mongo-calls.ts";
import { ofClan } from "#store/of-clan.ts";
import type { AuditFilter, AuditPosition, AuditRecord, AuditStore } from "#usecases/audit/ports.ts";

type Found = { record: AuditRecord; position: AuditPosition };

/** Entries of these kinds are changes by an actor; those of reversals and batches name none. */
const ENTRIES_OF: Partial<Record<AuditAction, mongo.Filter<EntryDoc>>> = {
  "member.award": { kind: { $exists: false } },
  "member.add": { kind: "membership", memberSince: { $ne: null } },
  "member.remove": { kind: "membership", memberSince: null },
  "member.appoint": { kind: "appointment" },
};

export function makeAuditStore({ db, models }: Pick<Database, "db" | "models">): AuditStore {
  async function records(filter: AuditFilter, limit: number, after: AuditPosition | null): Promise<Found[]> {
    const { clanId, actor, action } = filter;
    const conditions: mongo.Filter<AuditDoc> = {
      ...ofClan({ clanId }),
      ...(actor === null ? {} : { actor }),
      ...(action === null ? {} : { action }),
      ...between(filter),
    };
    const docs = await models.audit
      .find({ $and: [conditions, after ? olderRecord(after) : {}] })
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .readConcern("majority")
      .lean<(AuditDoc & { _id: mongo.ObjectId })[]>();
    return docs.map(({ _id, ...record }) => ({ record, position: { at: record.at, id: _id.toHexString() } }));
  }

  async function entries(filter: AuditFilter, limit: number, after: AuditPosition | null): Promise<Found[]> {
    const { clanId, actor, action } = filter;
    const ofAction = action === null ? {} : ENTRIES_OF[action];
    if (!ofAction) return [];
    const conditions: mongo.Filter<EntryDoc> = {
      ...(clanId === null ? {} : { "_id.clanId": clanId }),
      actor: actor ?? { $exists: true },
      ...ofAction,
      ...between(filter),
    };
    const docs = await db()
      .collection<EntryDoc>("ledger")
      .find({ $and: [conditions, after ? olderEntry(after) : {}] }, { readConcern: { level: "majority" } })
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .toArray();
    const earlier = await entriesBefore(db(), docs);
    return docs.map((doc) => ({
      record: recordOfEntry(entryOfDoc(doc), standingBefore(doc, earlier)),
      position: { at: doc.at, id: idOfEntry(doc) },
    }));
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
        const page = all.slice(0, limit);
        return {
          items: page.map(({ record }) => record),
          next: all.length > limit ? (page.at(-1)?.position ?? null) : null,
        };
      });
    },

    async note(by, change) {
      const record = recordOf(by, change);
      if (record) await write(() => models.audit.create(record));
    },
  };
}

/** The entry that precedes each of these in its member's chain, by its id. */
async function entriesBefore(db: mongo.Db, docs: readonly EntryDoc[]): Promise<Map<string, EntryDoc>> {
  const ids = docs.map(({ _id: { clanId, platformId, seq } }) => ({ clanId, platformId, seq: seq - 1 }));
  const found = await db
    .collection<EntryDoc>("ledger")
    .find({ _id: { $in: ids } }, { readConcern: { level: "majority" } })
    .toArray();
  return new Map(found.map((doc) => [idOfEntry(doc), doc]));
}

function between({ from, to }: AuditFilter): { at?: { $gte?: Date; $lt?: Date } } {
  return from || to ? { at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};
}

function idOfEntry({ _id: { clanId, platformId, seq } }: Pick<EntryDoc, "_id">): string {
  return `${clanId}/${platformId}/${seq}`;
}

function isOfEntry({ id }: AuditPosition): boolean {
  return id.includes("/");
}

function olderRecord(after: AuditPosition): mongo.Filter<AuditDoc> {
  const { at, id } = after;
  return isOfEntry(after)
    ? { at: { $lt: at } }
    : { $or: [{ at: { $lt: at } }, { at, _id: { $lt: new mongoose.mongo.ObjectId(id) } }] };
}

function olderEntry(after: AuditPosition): mongo.Filter<EntryDoc> {
  const { at, id } = after;
  if (!isOfEntry(after)) return { at: { $lte: at } };
  const [clanId = "", platformId = "", seq = ""] = id.split("/");
  return { $or: [{ at: { $lt: at } }, { at, _id: { $lt: { clanId, platformId, seq: Number(seq) } } }] };
}

/** Membership and appointment. */
function standingOf({ memberSince = null, appointedRank }: Pick<EntryDoc, "memberSince" | "appointedRank">): object {
  return {
    membership: memberSince && { since: memberSince.toISOString() },
    appointedRank: appointedRank ?? null,
  };
}

/** Empty if the ledger does not contain it: version 0.1.0 wrote the previous entry, or somebody deleted it manually. */
function standingBefore({ _id }: EntryDoc, earlier: ReadonlyMap<string, EntryDoc>): object {
  if (_id.seq === 1) return standingOf({});
  const before = earlier.get(idOfEntry({ _id: { ..._id, seq: _id.seq - 1 } }));
  return before?.memberSince === undefined ? {} : standingOf(before);
}

function recordOfEntry(entry: Entry, standing: object): AuditRecord {
  const { clanId, platformId, at, actor = "", xp, applied, rank, previousRank } = entry;
  const before = { xp: (xp - applied).toString(), rank: previousRank, ...standing };
  const after = {
    xp: xp.toString(),
    rank,
    ...standingOf(entry),
    ...(entry.reason === undefined ? {} : { reason: entry.reason }),
  };
  return { at, actor, via: viaOf(entry), action: actionOf(entry), clanId, target: platformId, before, after };
}

function viaOf({ apiKeyId }: Entry): Actor["via"] {
  return apiKeyId === "dashboard" ? "dashboard" : "cli";
}

function actionOf({ kind, memberSince }: Entry): AuditAction {
  if (kind === "appointment") return "member.appoint";
  if (kind === "membership") return memberSince ? "member.add" : "member.remove";
  return "member.award";
}
