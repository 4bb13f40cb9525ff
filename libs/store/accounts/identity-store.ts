// Identities of accounts at a provider. Each change commits with its audit record, and conflicts with any other change
// of the account.
import { accountOfDoc, type AccountDoc } from "#store/accounts/account-model.ts";
import { makeAudited } from "#store/audit/audited.ts";
import type { Database } from "#store/database.ts";
import { read } from "#store/mongo-calls.ts";
import { isDuplicateKey } from "#store/mongo-errors.ts";
import type { IdentityStore } from "#usecases/accounts/ports.ts";

export function makeIdentityStore({ models, connection }: Pick<Database, "models" | "connection">): IdentityStore {
  const { accounts } = models;
  const audited = makeAudited({ models, connection });
  return {
    async find(issuer, subject) {
      const filter = { "identity.issuer": issuer, "identity.subject": subject, removedAt: null };
      const doc = await read(() => accounts.findOne(filter).lean<AccountDoc>());
      return doc && accountOfDoc(doc);
    },

    async connect({ name, generation }, identity, by, signedInAt) {
      const connected = { $set: { identity, link: null, isDisconnected: false } };
      const update = signedInAt ? { ...connected, $max: { lastSignInAt: signedInAt } } : connected;
      try {
        return await audited(by, async (session, note) => {
          const doc = await accounts
            .findOneAndUpdate({ _id: name, generation, removedAt: null }, update, { session })
            .lean<AccountDoc>();
          if (!doc) return "changed_meanwhile";
          const before = doc.identity ?? null;
          await note({
            action: "identity.connect",
            clanId: null,
            target: name,
            before: shownOf(before),
            after: shownOf(identity),
          });
          return "connected";
        });
      } catch (error) {
        if (isDuplicateKey(error)) return "taken";
        throw error;
      }
    },

    disconnect({ name, generation }, by) {
      const hasAnother = { $or: [{ passwordHash: { $ne: null } }, { "passkeys.0": { $exists: true } }] };
      const update = { $set: { identity: null, isDisconnected: true }, $inc: { generation: 1 } };
      return audited(by, async (session, note) => {
        const filter = { _id: name, generation, removedAt: null, ...hasAnother };
        const doc = await accounts.findOneAndUpdate(filter, update, { session }).lean<AccountDoc>();
        if (!doc) return null;
        await note({
          action: "identity.disconnect",
          clanId: null,
          target: name,
          before: shownOf(doc.identity ?? null),
          after: null,
        });
        return accountOfDoc({ ...doc, identity: null, isDisconnected: true, generation: doc.generation + 1 });
      });
    },
  };
}

function shownOf(identity: { issuer: string; subject: string } | null): object | null {
  return identity && { issuer: identity.issuer, subject: identity.subject };
}
