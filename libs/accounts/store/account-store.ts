// Accounts of the dashboard. Each change is one conditional write: a link is spent once, even if several requests
// compete. Inviting, resetting or removing an account, and setting its password, are recorded in the same transaction.
import type { SessionDoc } from "#accounts/store/session-model.ts";
import type { ClientSession, Collection } from "mongodb";
import type { Account, Grant } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import { pageOf, type Page } from "#domain/page.ts";
import { ABSENT, accountOfDoc, UNUSED, type AccountDoc, type InviteDoc } from "#accounts/store/account-model.ts";
import { endInvitations, invitedOf, ofInvitation, openInvited } from "#accounts/store/invited-account.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { makeGrant, withGrant } from "#accounts/store/grant.ts";
import { touchClan } from "#clans/store/touch-clan.ts";
import { containing } from "#mongo/filters.ts";
import type { Database } from "#mongo/database.ts";
import { read, write } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import { noteSessionsEnded } from "#mongo/continuity.ts";
import type { AccountStore, StoredAccount } from "#accounts/ports.ts";
import type { Change } from "#audit/ports.ts";

const PRESENT = { removedAt: null } as const;
const ENDS_SESSIONS = { $inc: { generation: 1 } } as const;
const NO_WAY_IN = { passwordHash: null, passkeys: [], identity: null, isDisconnected: false } as const;

/** A person's ways to sign in do not belong to a clan. */
const PASSWORD_SET = { action: "password.set", clanId: null, after: { password: "new" } } as const;

type Noted = Pick<Change, "action" | "clanId" | "before" | "after">;
type Opened = Pick<Database, "db">;

// oxlint-disable-next-line eslint/max-lines-per-function -- conditional writes, none of which calls another
export function makeAccountStore({ db }: Opened): AccountStore {
  const accounts = () => db().collection<AccountDoc>("accounts");
  const sessions = () => db().collection<SessionDoc>("sessions");
  const audited = makeAudited({ db });

  /** The account after the change, or null if nothing matched. */
  function change(filter: Record<string, unknown>, update: Record<string, unknown>): Promise<StoredAccount | null> {
    return write(async () => {
      const doc = await accounts().findOneAndUpdate({ ...filter, ...PRESENT }, update, { returnDocument: "after" });
      return doc && accountOfDoc(doc);
    });
  }

  /**
   * The account after the change, written with its audit record; or null if nothing matched, and then nothing is
   * recorded.
   */
  function changeBy(
    by: Actor,
    filter: Record<string, unknown>,
    update: Record<string, unknown>,
    recordOf: (before: StoredAccount, doc: AccountDoc) => Noted | Noted[],
  ): Promise<StoredAccount | null> {
    return audited(by, async (session, note) => {
      const doc = await accounts().findOneAndUpdate({ ...filter, ...PRESENT }, update, { session });
      if (!doc) return null;
      const before = accountOfDoc(doc);
      for (const record of [recordOf(before, doc)].flat()) await note({ target: before.name, ...record });
      const after = await accounts().findOne({ _id: before.name }, { session });
      return after && accountOfDoc(after);
    });
  }

  function setPassword(by: Actor, filter: Record<string, unknown>, passwordHash: string, noted: object) {
    const update = { $set: { passwordHash, link: null }, ...noted, ...ENDS_SESSIONS };
    return changeBy(by, filter, update, (account) => ({
      ...PASSWORD_SET,
      before: { password: account.passwordHash === null ? "none" : "old" },
    }));
  }

  async function find(filter: Record<string, unknown>): Promise<StoredAccount | null> {
    const doc = await read(() => accounts().findOne({ ...filter, ...PRESENT }));
    return doc && accountOfDoc(doc);
  }

  function ofLink(hash: string, now: Date) {
    return { "link.hash": hash, "link.expiresAt": { $gt: now } };
  }

  return {
    async create(account, by) {
      try {
        if (by === null) await write(() => insert(accounts(), account, {}));
        else {
          await audited(by, async (session, note) => {
            for (const { clanId } of account.grants) await touchClan({ db }, clanId, session);
            await insert(accounts(), account, { session });
            const { name, operator, grants } = account;
            const after = { operator, clans: [...grants] };
            await note({ action: "account.invite", clanId: clanOf(account), target: name, before: null, after });
          });
        }
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    read: (name) => find({ _id: name }),
    readOrInvited: (name, now) =>
      read(async () => {
        const doc = await accounts().findOne({ _id: name });
        return doc && (invitedOf(doc, { hash: null, now }) ?? (doc.removedAt === null ? accountOfDoc(doc) : null));
      }),
    list: () =>
      read(async () => (await accounts().find(PRESENT).sort({ _id: 1 }).toArray()).map((doc) => accountOfDoc(doc))),
    search: (text, page) => read(() => search(accounts(), text, page)),
    listOfClan: (clanId) =>
      read(async () => {
        const docs = await accounts()
          .find({ "grants.clanId": clanId, ...PRESENT })
          .sort({ _id: 1 })
          .toArray();
        return docs.map((doc) => accountOfDoc(doc));
      }),
    grant: makeGrant({ db, audited }),
    hasAny: (grant) =>
      read(
        async () =>
          (await accounts().findOne({ ...withGrant(grant), ...PRESENT }, { projection: { _id: 1 } })) !== null,
      ),
    endSessions: (now, by) =>
      audited(by, async (session, note) => {
        const live = await sessions().countDocuments({ expiresAt: { $gt: now } }, { session });
        await sessions().deleteMany({}, { session });
        const links = await accounts().countDocuments({ "link.expiresAt": { $gt: now }, ...PRESENT }, { session });
        await accounts().updateMany({ link: { $ne: null } }, { $set: { link: null } }, { session });
        const ended = { sessions: live, links: links + (await endInvitations({ db }, now, session)) };
        await note({ action: "session.end", clanId: null, target: "all", before: null, after: ended });
        await noteSessionsEnded(db(), session);
        return ended;
      }),
    remove: (name, at, by) =>
      changeBy(
        by,
        { _id: name },
        { $set: { removedAt: at, link: null, invites: [], ...NO_WAY_IN }, ...ENDS_SESSIONS },
        // One record for each clan: its owners learn nothing of other clans.
        ({ operator, grants }, { invites = [] }) =>
          rolesOf(grants, invites).map((grant) => ({
            action: "account.remove",
            clanId: grant?.clanId ?? null,
            before: { operator, clans: grant ? [grant] : [] },
            after: null,
          })),
      ),
    giveLink: (name, link, by) =>
      changeBy(by, { _id: name }, { $set: { link, ...NO_WAY_IN }, ...ENDS_SESSIONS }, (before) => ({
        action: "account.reset",
        clanId: clanOf(before),
        before: { hasPassword: before.passwordHash !== null, link: before.link === null ? "none" : "old" },
        after: { hasPassword: false, link: "new" },
      })),
    giveLinkUnlessPending: (name, link, now) =>
      change(
        { _id: name, $nor: [{ "link.kind": "set-password", "link.expiresAt": { $gt: now } }] },
        { $set: { link } },
      ),
    findByLink: async (hash, now) =>
      (await find(ofLink(hash, now))) ??
      read(async () => {
        const doc = await accounts().findOne(ofInvitation(hash, now));
        return doc && invitedOf(doc, { hash, now });
      }),
    consumeLink: (hash, now) => change(ofLink(hash, now), { $set: { link: null }, $max: { lastSignInAt: now } }),
    setPasswordByLink: async (hash, now, passwordHash, by) =>
      (await setPassword(by, ofLink(hash, now), passwordHash, { $max: { lastSignInAt: now } })) ??
      audited(by, async (session, note) => {
        const opener = { filter: ofInvitation(hash, now), hash, now };
        const account = await openInvited({ db }, { session, note }, opener, { passwordHash });
        if (account) await note({ ...PASSWORD_SET, target: account.name, before: { password: "none" } });
        return account;
      }),
    setPassword: ({ name, generation }, passwordHash, by) =>
      setPassword(by, { _id: name, generation }, passwordHash, {}),
    async noteSignIn(name, at) {
      await change({ _id: name }, { $max: { lastSignInAt: at } });
    },
  };
}

type Accounts = Collection<AccountDoc>;
type NewAccount = Parameters<AccountStore["create"]>[0];

/** Throws the driver's error for a duplicate key if the name is taken. */
async function insert(
  accounts: Accounts,
  { name, ...facts }: NewAccount,
  options: { session?: ClientSession },
): Promise<void> {
  const doc = { ...UNUSED, ...facts, grants: [...facts.grants], removedAt: null };
  // Such an account keeps its generations, so that its old sessions stay ended.
  const absent = { _id: name, ...ABSENT };
  const taken = await accounts.findOneAndUpdate(absent, { $set: doc, ...ENDS_SESSIONS }, options);
  if (!taken) await accounts.insertOne({ _id: name, ...doc, generation: 1 }, options);
}

async function search(
  accounts: Accounts,
  text: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<Page<StoredAccount, string>> {
  const filter = {
    ...PRESENT,
    ...(after === null ? {} : { _id: { $gt: after } }),
    ...(text === "" ? {} : { $or: [{ _id: containing(text) }, { "grants.clanId": containing(text) }] }),
  };
  const docs = await accounts
    .find(filter)
    .sort({ _id: 1 })
    .limit(limit + 1)
    .toArray();
  return pageOf(docs.map(accountOfDoc), limit, ({ name }) => name);
}

/** Those that a removed account had or was to get; null is none. */
function rolesOf(grants: readonly Grant[], invites: readonly InviteDoc[]): (Grant | null)[] {
  const roles = [...grants, ...invites.map(({ clanId, role }) => ({ clanId, role }))];
  return roles.length > 0 ? roles : [null];
}

/** The clan in whose log the change is listed; the account of an operator is in none. */
function clanOf({ grants }: Pick<Account, "grants">): string | null {
  return grants[0]?.clanId ?? null;
}
