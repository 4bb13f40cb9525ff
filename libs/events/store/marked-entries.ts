// What numbering, repairing and counting events do with entries alike.
import type { Collection, Document, Filter } from "mongodb";
import { memberSubject, type ChangeRef } from "#domain/change-ref.ts";
import { headAfter, type Head } from "#domain/head.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import { groupsOf, MAJORITY, read } from "#mongo/mongo-calls.ts";

/** Entries in one read, and changes in one group, whose events are looked up together. */
export const CHANGES_PER_GROUP = 200;
const CHANGES: Document[] = [
  { $set: { moved: { $ne: ["$rank", "$previousRank"] } } },
  { $match: { $or: [{ moved: true }, { membershipCreated: true }, { kind: "membership" }] } },
];

export function refOfEntry({ _id: { platformId, seq }, at }: EntryDoc): ChangeRef {
  return { subject: memberSubject(platformId), seq, at };
}

/**
 * The heads before changes of a membership or an appointment, whose events need them. The result finds one by the entry
 * of the change; null: it is none of these changes, or the head is not known.
 */
export async function readHeadsBefore(
  ledger: Collection<EntryDoc>,
  docs: readonly EntryDoc[],
): Promise<(doc: EntryDoc) => Head | null> {
  const ids = docs
    .filter(({ kind }) => kind === "membership" || kind === "appointment")
    .map(({ _id: { clanId, platformId, seq } }) => ({ clanId, platformId, seq: seq - 1 }));
  const found = ids.length === 0 ? [] : await ledger.find(amongIds(ids), { ...MAJORITY, hint: BY_ID }).toArray();
  const heads = new Map(found.map((doc) => [`${doc._id.platformId}/${doc._id.seq}`, headAfter(entryOfDoc(doc))]));
  return ({ _id: { platformId, seq } }) => heads.get(`${platformId}/${seq - 1}`) ?? null;
}

/**
 * Of these entries of a clan, those that change a rank or a membership, or all, in groups by time. `before`: see
 * readHeadsBefore.
 */
export async function* listChanges(
  ledger: Collection<EntryDoc>,
  filter: Filter<EntryDoc>,
  { everyEntry }: { everyEntry: boolean },
): AsyncGenerator<{ doc: EntryDoc; before: Head | null }[]> {
  const cursor = ledger.aggregate<EntryDoc>([{ $match: filter }, ...(everyEntry ? [] : CHANGES)], {
    ...MAJORITY,
    hint: { "_id.clanId": 1, at: 1 },
    batchSize: CHANGES_PER_GROUP,
  });
  for await (const docs of groupsOf(cursor)) {
    const headBefore = await read(() => readHeadsBefore(ledger, docs));
    yield docs.map((doc) => ({ doc, before: headBefore(doc) }));
  }
}

/**
 * Of the entry with this number and time, because after an erasure a new entry may have the number of one that was
 * deleted. `only`: further conditions.
 */
export function updateOfEntry<Update>(
  { clanId, platformId, seq, at }: MemberRef & Pick<ChangeRef, "seq" | "at">,
  update: Update,
  only: Filter<EntryDoc> = {},
) {
  const filter = { ...idsOfMember({ clanId, platformId }, { clanId, platformId, seq }), at, ...only };
  return { updateOne: { filter, update, hint: BY_ID } };
}
