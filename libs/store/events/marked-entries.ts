// What numbering and repairing events do with entries alike.
import type { mongo } from "mongoose";
import { memberSubject, type ChangeRef } from "#domain/change-ref.ts";
import { headAfter, type Head } from "#domain/head.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { MAJORITY } from "#store/events/positions.ts";
import { entryOfDoc, type EntryDoc } from "#store/ledger/entry-model.ts";
import { amongIds, BY_ID, idsOfMember } from "#store/ledger/ledger-filters.ts";

export function refOfEntry({ _id: { platformId, seq }, at }: EntryDoc): ChangeRef {
  return { subject: memberSubject(platformId), seq, at };
}

/**
 * The heads before changes of a membership or an appointment, whose events need them. The result finds one by the entry
 * of the change; null: it is none of these changes, or the head is not known.
 */
export async function readHeadsBefore(
  ledger: mongo.Collection<EntryDoc>,
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
 * Of the entry with this number and time, because after an erasure a new entry may have the number of one that was
 * deleted. `only`: further conditions.
 */
export function updateOfEntry<Update>(
  { clanId, platformId, seq, at }: MemberRef & Pick<ChangeRef, "seq" | "at">,
  update: Update,
  only: mongo.Filter<EntryDoc> = {},
) {
  const filter = { ...idsOfMember({ clanId, platformId }, { clanId, platformId, seq }), at, ...only };
  return { updateOne: { filter, update, hint: BY_ID } };
}
