// The audit record of a member's change, which is a ledger entry that names an actor.
import type { ClientSession, Db } from "mongodb";
import type { Actor, AuditAction } from "#domain/audit.ts";
import type { Entry } from "#domain/entry.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { amongIds, BY_ID } from "#ledger/store/ledger-filters.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import type { AuditRecord } from "#audit/ports.ts";

/** These entries with their records. The entry that precedes each of them is read, within `session`. */
export async function recordsOfEntries(
  db: Db,
  docs: readonly EntryDoc[],
  session?: ClientSession,
): Promise<{ doc: EntryDoc; record: AuditRecord }[]> {
  const ids = docs.map(({ _id: { clanId, platformId, seq } }) => ({ clanId, platformId, seq: seq - 1 }));
  // A session has the read concern of its transaction.
  const options = session ? { session } : MAJORITY;
  const found = await db.collection<EntryDoc>("ledger").find(amongIds(ids), options).hint(BY_ID).toArray();
  const earlier = new Map(found.map((doc) => [idOfEntry(doc), doc]));
  return docs.map((doc) => ({ doc, record: recordOfEntry(entryOfDoc(doc), standingBefore(doc, earlier)) }));
}

export function idOfEntry({ _id: { clanId, platformId, seq } }: Pick<EntryDoc, "_id">): string {
  return `${clanId}/${platformId}/${seq}`;
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
