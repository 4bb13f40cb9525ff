// Reads which API keys expire next, without a look at those that do not.
import type { Database } from "#mongo/database.ts";
import type { KeyDoc } from "#keys/store/key-model.ts";
import { read } from "#mongo/mongo-calls.ts";
import type { ReadExpiring } from "#keys/ports.ts";

export function makeReadExpiring({ db }: Pick<Database, "db">): ReadExpiring {
  return (now, limit) => {
    const isLive = { expiresAt: { $gt: now }, revokedAt: null, replacedBy: null };
    return read(async () => {
      const docs = await db().collection<KeyDoc>("keys").find(isLive).sort({ expiresAt: 1 }).limit(limit).toArray();
      return docs.flatMap(({ _id, clanId, expiresAt }) => (expiresAt ? [{ keyId: _id, clanId, expiresAt }] : []));
    });
  };
}
