// Identities of accounts at a provider. Each change commits with its audit record, and conflicts with any other change
// of the account.
import { accountOfDoc, type AccountDoc } from "#accounts/store/account-model.ts";
import { openInvited } from "#accounts/store/invited-account.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { Identity, IdentityStore } from "#accounts/ports.ts";
import type { Change } from "#audit/ports.ts";

export function makeIdentityStore({ db }: Pick<Database, "db">): IdentityStore {
  const accounts = () => db().collection<AccountDoc>("accounts");
  const audited = makeAudited({ db });
  return {
    async find(issuer, subject) {
      const filter = { "identity.issuer": issuer, "identity.subject": subject, removedAt: null };
      const doc = await read(() => accounts().findOne(filter));
      return doc && accountOfDoc(doc);
    },

    connect: (account, identity, by) =>
      unlessTaken(
        audited(by, async (session, note) => {
          const filter = { _id: account.name, generation: account.generation, removedAt: null };
          const update = { $set: { identity, link: null, isDisconnected: false } };
          const doc = await accounts().findOneAndUpdate(filter, update, { session });
          if (!doc) return "changed_meanwhile";
          await note(connected(doc, identity, {}));
          return "connected";
        }),
      ),

    claim: ({ name, generation }, identity, by, now) =>
      unlessTaken(
        audited(by, async (session, note) => {
          const filter = { _id: name, generation };
          const invited = await openInvited({ db }, { session, note }, { filter, hash: null, now }, { identity });
          if (invited) {
            await note(connected({ _id: name }, identity, {}));
            return "connected";
          }
          const update = {
            $set: { identity, link: null, isDisconnected: false, passwordHash: null, passkeys: [] },
            $max: { lastSignInAt: now },
            $inc: { generation: 1 },
          };
          const isPresent = { ...filter, removedAt: null };
          const doc = await accounts().findOneAndUpdate(isPresent, update, { session });
          if (!doc) return "changed_meanwhile";
          const ways = [doc.passwordHash === null ? [] : "password", doc.passkeys?.length ? "passkeys" : []].flat();
          await note(connected(doc, identity, ways.length > 0 ? { ended: [...ways, "sessions"] } : {}));
          return "connected";
        }),
      ),

    disconnect({ name, generation }, by) {
      const hasAnother = { $or: [{ passwordHash: { $ne: null } }, { "passkeys.0": { $exists: true } }] };
      const update = { $set: { identity: null, isDisconnected: true }, $inc: { generation: 1 } };
      return audited(by, async (session, note) => {
        const filter = { _id: name, generation, removedAt: null, ...hasAnother };
        const doc = await accounts().findOneAndUpdate(filter, update, { session });
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

async function unlessTaken<T>(connecting: Promise<T>): Promise<T | "taken"> {
  try {
    return await connecting;
  } catch (error) {
    if (isDuplicateKey(error)) return "taken";
    throw error;
  }
}

/** `ended`: what opened the account before, and does not any more. */
function connected(
  { _id: target, identity: before = null }: Pick<AccountDoc, "_id" | "identity">,
  identity: Identity,
  ended: { ended?: string[] },
): Change {
  const after = { ...shownOf(identity), ...ended };
  return { action: "identity.connect", clanId: null, target, before: shownOf(before), after };
}

function shownOf(identity: { issuer: string; subject: string } | null): object | null {
  return identity && { issuer: identity.issuer, subject: identity.subject };
}
