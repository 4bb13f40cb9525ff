// Ledger entries as pages show them: with the person or the name of the API key that they are from.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { entryResponse } from "#contract/render.ts";
import type { Entry } from "#domain/entry.ts";
import { KEY_ID_CHARS } from "#domain/key-text.ts";
import type { KeyStore } from "#keys/ports.ts";
import type { ListedEntry } from "#members/with-reversals.ts";

/** Those of one clan. Throws AppError `unavailable`. */
export type ShowEntries = (clanId: string, listed: readonly ListedEntry[]) => Promise<MemberEntry[]>;

export function makeShowEntries({ keys }: { keys: Pick<KeyStore, "readMany"> }): ShowEntries {
  return async function showEntries(clanId, listed) {
    const keyIds = new Set(listed.flatMap(({ entry }) => (isByKey(entry) ? [entry.apiKeyId] : [])));
    const ofClan = (await keys.readMany([...keyIds])).filter((key) => key.clanId === clanId);
    const keyNames = new Map(ofClan.map(({ keyId, name }) => [keyId, name]));
    return listed.map(({ entry, reversedBySeq }) => ({
      ...entryOf(entry, reversedBySeq),
      ...(isByKey(entry) ? { keyName: keyNames.get(entry.apiKeyId) ?? null } : {}),
    }));
  };
}

export function entryOf(entry: Entry, reversedBySeq?: number): MemberEntry {
  return { ...entryResponse(entry, reversedBySeq), ...(entry.actor === undefined ? {} : { actor: entry.actor }) };
}

/** Otherwise it is by a person, in the dashboard or on the command line. */
function isByKey({ actor, apiKeyId }: Entry): boolean {
  return actor === undefined && apiKeyId.length === KEY_ID_CHARS;
}
