// Entries that a clan's boards have not counted. The projection marks the members who have some: `due` is the number up
// to which a member's entries are counted.
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { isCountedAward, type CountedEntry } from "#domain/standing.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import { DUE_MEMBERS, membersOfClan, type MemberDoc } from "#ledger/store/member-model.ts";
import { makeSettleMarks } from "#ledger/store/member-projection.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import type { UncountedEntries } from "#boards/ports.ts";

const FIELDS = {
  applied: 1,
  at: 1,
  kind: 1,
  actor: 1,
  batchId: 1,
  fingerprint: 1,
  removed: 1,
  reversesSeq: 1,
} as const satisfies Partial<Record<keyof EntryDoc, 1>>;
type CountedDoc = Pick<EntryDoc, "_id" | keyof typeof FIELDS>;

export function makeUncountedEntries({ db }: Pick<Database, "db">): UncountedEntries {
  const ledger = () => db().collection<EntryDoc>("ledger");
  const members = () => db().collection<MemberDoc>("members");
  const byId = { ...MAJORITY, hint: BY_ID, projection: FIELDS, maxTimeMS: ANSWER_MS_MAX } as const;

  /** In the order of each member. Awards that they reverse are read unless they are among them. */
  async function counted(docs: readonly CountedDoc[]): Promise<Map<string, CountedEntry[]>> {
    const known = new Map(docs.map((doc) => [keyOf(doc._id), doc]));
    const reversed = docs.flatMap(({ _id, reversesSeq }) =>
      reversesSeq === undefined ? [] : [{ ..._id, seq: reversesSeq }],
    );
    const unread = reversed.filter((id) => !known.has(keyOf(id)));
    if (unread.length > 0)
      for (const doc of await ledger().find<CountedDoc>(amongIds(unread), byId).toArray())
        known.set(keyOf(doc._id), doc);
    const found = new Map<string, CountedEntry[]>();
    for (const doc of docs.toSorted((a, b) => a._id.seq - b._id.seq)) {
      const ofMember = found.get(doc._id.platformId) ?? [];
      found.set(doc._id.platformId, ofMember);
      ofMember.push(entryOf(doc, known));
    }
    return found;
  }

  return {
    listDue: (clanId, limit) =>
      read(async () => {
        const due = { ...membersOfClan(clanId), clanId, due: { $exists: true }, ...NO_FENCE };
        const docs = await members()
          .find(due, { ...MAJORITY, hint: DUE_MEMBERS, projection: { platformId: 1, seq: 1, due: 1 }, limit })
          .toArray();
        return docs.map(({ platformId, seq, due: counts = 0 }) => ({ platformId, seq, counted: counts }));
      }),

    readEntries: (clanId, due) =>
      read(async () => {
        const ids = due.flatMap(({ platformId, counted: from, seq: to }) =>
          Array.from({ length: to - from }, (_, index) => ({ clanId, platformId, seq: from + 1 + index })),
        );
        if (ids.length === 0) return new Map();
        return counted(
          await ledger()
            .find<CountedDoc>({ ...amongIds(ids), ...NO_FENCE }, byId)
            .toArray(),
        );
      }),

    readCounted: (clanId, platformIds) =>
      read(async () => {
        const ids = platformIds.map((platformId) => memberIdOf({ clanId, platformId }));
        const docs = await members()
          .find({ _id: { $in: ids }, ...NO_FENCE }, { ...MAJORITY, projection: { platformId: 1, seq: 1, due: 1 } })
          .toArray();
        return new Map(docs.map(({ platformId, seq, due }) => [platformId, due ?? seq]));
      }),

    readChain: (member, { from, limit }) =>
      read(async () => {
        const ids = { $gte: { ...refOf(member), seq: from }, $lt: { ...refOf(member), seq: Number.MAX_SAFE_INTEGER } };
        const inOrder = { ...byId, sort: BY_ID, limit };
        const docs = await ledger()
          .find<CountedDoc>({ ...idsOfMember(member, ids), ...NO_FENCE }, inOrder)
          .toArray();
        return (await counted(docs)).get(member.platformId) ?? [];
      }),

    settle: makeSettleMarks({ db }),
  };
}

function entryOf(doc: CountedDoc, known: ReadonlyMap<string, CountedDoc>): CountedEntry {
  const { _id, at, applied, kind, removed = false, reversesSeq } = doc;
  const facts = { seq: _id.seq, at, applied, removed };
  if (kind === "reversal") {
    const award = known.get(keyOf({ ..._id, seq: reversesSeq ?? 0 }));
    return { ...facts, what: "reversal", awardAt: award && isAward(award) ? award.at : null };
  }
  if (kind === "membership") return { ...facts, what: "membership" };
  return { ...facts, what: isAward(doc) ? "award" : "other" };
}

function isAward({ kind, actor, batchId, fingerprint = "" }: CountedDoc): boolean {
  return isCountedAward({
    ...(kind === undefined ? {} : { kind }),
    ...(actor === undefined ? {} : { actor }),
    ...(batchId === undefined ? {} : { batchId }),
    fingerprint,
  });
}

function refOf({ clanId, platformId }: MemberRef): MemberRef {
  return { clanId, platformId };
}

function keyOf({ platformId, seq }: Pick<EntryDoc["_id"], "platformId" | "seq">): string {
  return `${platformId}/${seq}`;
}
