// Passkeys of accounts. Each change commits with its audit record, and conflicts with any other change of the account:
// `generation` decides.
import { PASSKEYS_MAX } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import { accountOfDoc, type AccountDoc } from "#accounts/store/account-model.ts";
import { ofInvitation, openInvited } from "#accounts/store/invited-account.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { read, write } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { Change } from "#audit/ports.ts";
import type { Passkey, PasskeyStore, StoredAccount } from "#accounts/ports.ts";

// oxlint-disable-next-line eslint/max-lines-per-function -- conditional writes, none of which calls another
export function makePasskeyStore({ db }: Pick<Database, "db">): PasskeyStore {
  const accounts = () => db().collection<AccountDoc>("accounts");
  const audited = makeAudited({ db });

  /** The account after the change, or null if nothing matched, which is not recorded. */
  function change(
    by: Actor,
    filter: Record<string, unknown>,
    update: Record<string, unknown>,
    recordOf: (account: StoredAccount) => Change,
  ): Promise<StoredAccount | null> {
    return audited(by, async (session, note) => {
      const options = { session, returnDocument: "after" } as const;
      const doc = await accounts().findOneAndUpdate({ ...filter, removedAt: null }, update, options);
      if (!doc) return null;
      const account = accountOfDoc(doc);
      await note(recordOf(account));
      return account;
    });
  }

  return {
    async find(id) {
      const doc = await read(() => accounts().findOne({ "passkeys.id": id, removedAt: null }));
      return doc && accountOfDoc(doc);
    },

    async add({ name, generation }, passkey, by) {
      const isBelowMax = { [`passkeys.${PASSKEYS_MAX - 1}`]: { $exists: false }, "passkeys.id": { $ne: passkey.id } };
      try {
        const filter = { _id: name, generation, ...isBelowMax };
        const account = await change(by, filter, { $push: { passkeys: passkey } }, ({ name: target }) =>
          added(target, passkey),
        );
        return account ? "added" : "not_added";
      } catch (error) {
        if (isDuplicateKey(error)) return "known";
        throw error;
      }
    },

    async addByLink(linkHash, now, passkey, by) {
      const filter = { "link.hash": linkHash, "link.kind": "set-password", "link.expiresAt": { $gt: now } };
      const spent = { $set: { link: null }, $max: { lastSignInAt: now } };
      const update = { ...spent, $push: { passkeys: passkey }, $inc: { generation: 1 } };
      try {
        return (
          (await change(by, filter, update, ({ name }) => added(name, passkey))) ??
          (await audited(by, async (session, note) => {
            const opener = { filter: ofInvitation(linkHash, now), hash: linkHash, now };
            const account = await openInvited({ db }, { session, note }, opener, { passkeys: [passkey] });
            if (account) await note(added(account.name, passkey));
            return account;
          }))
        );
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },

    remove({ name, generation }, id, by) {
      const hasAnother = {
        $or: [
          { passwordHash: { $ne: null } },
          { "passkeys.1": { $exists: true } },
          { "identity.subject": { $exists: true } },
        ],
      };
      const filter = { _id: name, generation, "passkeys.id": id, ...hasAnother };
      const update = { $pull: { passkeys: { id } }, $inc: { generation: 1 } };
      return change(by, filter, update, () => ({
        action: "passkey.remove",
        clanId: null,
        target: name,
        before: { passkey: id },
        after: null,
      }));
    },

    noteUse({ name, generation }, id, { counter, at }) {
      const filter = { _id: name, generation, removedAt: null, "passkeys.id": id };
      const update = {
        $set: { "passkeys.$.counter": counter, "passkeys.$.lastUsedAt": at },
        $max: { lastSignInAt: at },
      };
      return write(async () => {
        const doc = await accounts().findOneAndUpdate(filter, update, { returnDocument: "after" });
        return doc && accountOfDoc(doc);
      });
    },
  };
}

function added(target: string, { id, name }: Passkey): Change {
  return { action: "passkey.add", clanId: null, target, before: null, after: { passkey: id, name } };
}
