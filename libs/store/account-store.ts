// Accounts of the dashboard. Each change is one conditional write: a link is spent once, whoever else opens it at the same time.
import { accountOfDoc } from "#store/account-of-doc.ts";
import type { AccountDoc } from "#store/account-models.ts";
import type { Database } from "#store/database.ts";
import { read, write } from "#store/mongo-calls.ts";
import { isDuplicateKey } from "#store/mongo-errors.ts";
import type { AccountStore, StoredAccount } from "#usecases/accounts/ports.ts";

export function makeAccountStore({ models }: Pick<Database, "models">): AccountStore {
  const { accounts } = models;
  const present = { removedAt: null } as const;
  const endsSessions = { $inc: { generation: 1 } } as const;

  /** The account as changed, or null when nothing matched. */
  function change(filter: Record<string, unknown>, update: Record<string, unknown>): Promise<StoredAccount | null> {
    return write(async () => {
      const doc = await accounts.findOneAndUpdate({ ...filter, ...present }, update, { returnDocument: "after" }).lean<AccountDoc>();
      return doc && accountOfDoc(doc);
    });
  }

  async function find(filter: Record<string, unknown>): Promise<StoredAccount | null> {
    const doc = await read(() => accounts.findOne({ ...filter, ...present }).lean<AccountDoc>());
    return doc && accountOfDoc(doc);
  }

  function ofLink(hash: string, now: Date) {
    return { "link.hash": hash, "link.expiresAt": { $gt: now } };
  }

  return {
    async create({ name, ...facts }) {
      const doc = {
        ...facts,
        grants: [...facts.grants],
        passwordHash: null,
        passkeys: [],
        identity: null,
        lastSignInAt: null,
        removedAt: null,
      };
      // A removed account of the name keeps its generations, so that sessions of then stay ended.
      const taken = await write(() =>
        accounts.findOneAndUpdate({ _id: name, removedAt: { $ne: null } }, { $set: doc, ...endsSessions }).lean<AccountDoc>(),
      );
      if (taken) return true;
      try {
        await write(() => accounts.create([{ _id: name, ...doc, generation: 1 }]));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    read: (name) => find({ _id: name }),
    list: () => read(async () => (await accounts.find(present).sort({ _id: 1 }).lean<AccountDoc[]>()).map((doc) => accountOfDoc(doc))),
    remove: (name, at) =>
      change({ _id: name }, { $set: { removedAt: at, link: null, passwordHash: null, passkeys: [], identity: null }, ...endsSessions }),
    giveLink: (name, link) => change({ _id: name }, { $set: { link, passwordHash: null, passkeys: [], identity: null }, ...endsSessions }),
    giveLinkUnlessPending: (name, link, now) =>
      change({ _id: name, $nor: [{ "link.kind": "set-password", "link.expiresAt": { $gt: now } }] }, { $set: { link } }),
    findByLink: (hash, now) => find(ofLink(hash, now)),
    spendLink(hash, now, passwordHash) {
      const spent = { $max: { lastSignInAt: now } };
      if (passwordHash === null) return change(ofLink(hash, now), { $set: { link: null }, ...spent });
      return change(ofLink(hash, now), { $set: { link: null, passwordHash }, ...spent, ...endsSessions });
    },
    setPassword: (name, generation, passwordHash) =>
      change({ _id: name, generation }, { $set: { passwordHash, link: null }, ...endsSessions }),
    async noteSignIn(name, at) {
      await change({ _id: name }, { $max: { lastSignInAt: at } });
    },
  };
}
