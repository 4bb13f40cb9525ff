// The only writer of members' documents, which are projected from the ledger's entries. Only an erasure deletes them.
//
// Invariant: in a clan with boards, each document that moves names the entry up to which boards have counted (`due`), and
// keeps it until they have. It is always lower than `seq`: boards count what is between the two.
import { BSON, type Document } from "mongodb";
import type { Head } from "#domain/head.ts";
import { memberIdOf, memberRefOf, type MemberId } from "#domain/member-id.ts";
import type { Database } from "#mongo/database.ts";
import { makeFindEntries } from "#ledger/store/find-entries.ts";
import { MAJORITY, rewrite } from "#mongo/mongo-calls.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import type { UncountedEntries } from "#boards/ports.ts";
import type { Heads, LedgerStore, MemberRebuild } from "#ledger/ports.ts";

export function makeMemberProjection({
  db,
  readWholeHeads,
}: Pick<Database, "db"> & { readWholeHeads: LedgerStore["readHeads"] }): Pick<
  LedgerStore,
  "project" | "projectExisting"
> &
  MemberRebuild {
  const { findMembers } = makeFindEntries({ db });

  /** Returns how many documents changed. */
  async function update(updates: readonly Document[]): Promise<number> {
    if (updates.length === 0) return 0;
    const reply = await written(db, updates);
    return Number(reply["nModified"]) + ((reply["upserted"] ?? []) as unknown[]).length;
  }

  /**
   * One statement for all heads: MongoDB parses and plans it once, and takes two thirds of the CPU of a statement for
   * each (measured).
   */
  async function projectExisting(heads: readonly [MemberId, Head][]): Promise<Heads> {
    if (heads.length === 0) return new Map();
    const ids = heads.map(([id]) => id);
    const { isMarked, requireRecent } = await marking(db, ids);
    const byMark = [...Map.groupBy(heads, ([id]) => isMarked(id))];
    const updates = byMark.map(([marked, group]) => statementFor(group, marked));
    requireRecent();
    const reply = await written(db, updates);
    if (Number(reply["n"]) === ids.length) return new Map();
    // A document may have been created since, by another process from an older head.
    const found = new Map((await findMembers<MemberDoc>(ids, { seq: 1 })).map((doc) => [doc._id, doc.seq]));
    return new Map(heads.filter(([id, { seq }]) => !((found.get(id) ?? -1) >= seq)));
  }

  return {
    projectExisting: (heads) => rewrite(() => projectExisting(projectable(heads))),
    project: (heads) =>
      rewrite(async () => {
        const { isMarked, requireRecent } = await marking(db, [...heads.keys()]);
        const updates = projectable(heads).map(([id, head]) => forwardTo(id, head, isMarked(id)));
        requireRecent();
        await update(updates);
      }),
    rebuild: (members, beforeWrite) =>
      rewrite(async () => {
        const filter = { _id: { $in: members.map(memberIdOf) } };
        const found = new Map<string, MemberDoc>();
        for await (const doc of db().collection<MemberDoc>("members").find(filter)) found.set(doc._id, doc);
        // Read after the documents, so that it is as new as they are, unless they are wrong.
        const heads = await readWholeHeads(members);
        const { isMarked, requireRecent } = await marking(db, [...heads.keys()]);
        const updates = projectable(heads).flatMap(([id, head]) => {
          const { due: _due, ...doc } = found.get(id) ?? {};
          const marked = isMarked(id);
          if (!("seq" in doc)) return [forwardTo(id, head, marked)];
          if (textOf(doc) === textOf(docOf(id, head))) return [];
          // Replaces the document only if it is unchanged: a document that has moved meanwhile was updated from the
          // ledger.
          return [{ q: { _id: id, seq: doc.seq }, u: [{ $replaceWith: replacing(docOf(id, head), marked) }] }];
        });
        await beforeWrite();
        requireRecent();
        return await update(updates);
      }),
  };
}

async function written(db: Database["db"], updates: readonly Document[]): Promise<Document> {
  // Members are read with majority concern, so a document counts as updated only when a majority has stored it.
  const reply = await db().command({ update: "members", updates, ordered: false, writeConcern: { w: "majority" } });
  const [error] = (reply["writeErrors"] ?? []) as { code: number; errmsg: string }[];
  if (error ?? reply["writeConcernError"]) throw new Error(`not projected: ${error?.code} ${error?.errmsg}`);
  return reply;
}

/** Only the erasure writes the document of a member who is being erased: another write could arrive after its end. */
function projectable(heads: Heads): [MemberId, Head][] {
  return [...heads].filter(([, { erasing }]) => !erasing);
}

/** Boards have counted the entries of these members up to `seq`. */
export function makeSettleMarks({ db }: Pick<Database, "db">): UncountedEntries["settle"] {
  return (clanId, members) =>
    rewrite(async () => {
      const updates = members.map(({ platformId, counted, seq }) => ({
        q: { _id: memberIdOf({ clanId, platformId }), due: counted },
        u: [{ $set: { due: { $cond: [{ $eq: ["$seq", seq] }, "$$REMOVE", seq] } } }],
      }));
      if (updates.length > 0) await written(db, updates);
    });
}

type Marking = { isMarked(id: MemberId): boolean; /** Called before the write. Throws. */ requireRecent(): void };

/** Which clans have boards. Read just before the write: a mark must not be missing for long. */
async function marking(db: Database["db"], ids: readonly MemberId[]): Promise<Marking> {
  const readAtMs = Date.now();
  const clanIds = [...new Set(ids.map((id) => memberRefOf(id).clanId))];
  const filter = { _id: { $in: clanIds }, hasBoards: true as const };
  const options = { ...MAJORITY, projection: { _id: 1 } } as const;
  const found = await db().collection<{ _id: string; hasBoards?: true }>("clans").find(filter, options).toArray();
  const withBoards = new Set(found.map(({ _id }) => _id));
  return {
    isMarked: (id) => withBoards.has(memberRefOf(id).clanId),
    requireRecent() {
      if (Math.abs(Date.now() - readAtMs) > MARKS_AGE_MAX_MS) throw new Error("clans were read too slowly");
    },
  };
}

/** A write with older knowledge is not made: boards rely on it when they count what was there before them. */
const MARKS_AGE_MAX_MS = 3_000;
/**
 * What stays from the document: the mark, or what it was until now. Nothing, if no entry is left up to `seq`, as in a
 * document that is rebuilt at the same entry. One that was ahead of the ledger says nothing of what is counted.
 */
function markBefore(seq: number | string) {
  const due = { $cond: [{ $gt: ["$seq", seq] }, 0, { $ifNull: [{ $min: ["$due", "$seq"] }, 0] }] };
  return { due: { $cond: [{ $lt: [due, seq] }, due, "$$REMOVE"] } };
}

/** Updates the documents of these members that exist. */
function statementFor(heads: readonly (readonly [MemberId, Head])[], marked: boolean): Document {
  const docs = heads.map(([id, head]) => docOf(id, head));
  const ids = docs.map(({ _id }) => _id);
  // MongoDB looks a value up in a constant array by its hash.
  const next = { $arrayElemAt: [{ $literal: docs }, { $indexOfArray: [{ $literal: ids }, "$_id"] }] };
  const replaced = marked ? { $mergeObjects: ["$$next", markBefore("$$next.seq")] } : "$$next";
  const newer = { $cond: [{ $gte: ["$seq", "$$next.seq"] }, "$$ROOT", replaced] };
  return { q: { _id: { $in: ids } }, u: [{ $replaceWith: { $let: { vars: { next }, in: newer } } }], multi: true };
}

function forwardTo(id: MemberId, head: Head, marked: boolean): Document {
  return { q: { _id: id }, u: [{ $replaceWith: unlessNewer(id, head, marked) }], upsert: true };
}

/** A literal, because names of ranks are arbitrary text. */
function replacing(doc: MemberDoc, marked: boolean): Document {
  return marked ? { $mergeObjects: [{ $literal: doc }, markBefore(doc.seq)] } : { $literal: doc };
}

function docOf(id: MemberId, { xp, seq, membership, appointedRank, removed, gains, lastAwardAt }: Head): MemberDoc {
  return {
    _id: id,
    ...memberRefOf(id),
    xp,
    seq,
    membership,
    appointedRank,
    ...(removed ? { removed } : {}),
    ...(gains ? { gains } : {}),
    ...(lastAwardAt === undefined ? {} : { lastAwardAt }),
  };
}

/** Compares types and values in any order of the fields: version 0.1.0 used another order. */
function textOf(doc: MemberDoc): string {
  const fields = Object.entries(doc).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return BSON.EJSON.stringify(Object.fromEntries(fields), { relaxed: false });
}

/**
 * The member's new document, unless the stored one is as new. The filter is `_id` alone, which MongoDB finds without
 * planning a query.
 */
function unlessNewer(id: MemberId, head: Head, marked: boolean): Document {
  return { $cond: [{ $gte: ["$seq", head.seq] }, "$$ROOT", replacing(docOf(id, head), marked)] };
}
