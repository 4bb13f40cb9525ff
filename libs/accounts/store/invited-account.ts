// The account that a person gets who was invited before they had one: by the link of one invitation, or, signed in by
// the identity provider under its name, with all invitations of the name.
import type { ClientSession } from "mongodb";
import { accountOfDoc, isAbsent, UNUSED, type AccountDoc, type InviteDoc } from "#accounts/store/account-model.ts";
import { touchClan } from "#clans/store/touch-clan.ts";
import type { StoredAccount } from "#accounts/ports.ts";
import type { Change } from "#audit/ports.ts";
import type { Database } from "#mongo/database.ts";

/** What opens an invitation: its link, or the name itself (null). */
type Opener = { hash: string | null; now: Date };

/** The invitation of this link that has not expired. */
export function ofInvitation(hash: string, now: Date) {
  return { invites: { $elemMatch: { hash, expiresAt: { $gt: now } } } };
}

/** The account before it is opened; null if there is an account already, or nothing to open. */
export function invitedOf(doc: AccountDoc, opener: Opener): StoredAccount | null {
  const [invite] = opened(doc, opener);
  if (!invite || !isAbsent(doc)) return null;
  const { hash, createdAt, expiresAt } = invite;
  return accountOfDoc({
    ...doc,
    ...UNUSED,
    operator: false,
    createdAt,
    link: { hash, kind: "set-password", expiresAt },
  });
}

/** In the transaction that notes how the person signs in from now on: `ways`. Null as above. */
export async function openInvited(
  { db }: Pick<Database, "db">,
  { session, note }: { session: ClientSession; note: (change: Change) => Promise<void> },
  { filter, ...opener }: Opener & { filter: Record<string, unknown> },
  ways: Partial<Pick<AccountDoc, "passwordHash" | "passkeys" | "identity">>,
): Promise<StoredAccount | null> {
  const doc = await db().collection<AccountDoc>("accounts").findOne(filter, { session });
  const invited = doc && invitedOf(doc, opener);
  if (!doc || !invited) return null;
  const taken = opened(doc, opener);
  for (const { clanId, role } of taken) {
    await touchClan({ db }, clanId, session);
    await note({ action: "account.accept", clanId, target: doc._id, before: null, after: { role } });
  }
  const update = {
    ...UNUSED,
    ...ways,
    operator: false,
    grants: taken.map(({ clanId, role }) => ({ clanId, role })),
    invites: doc.invites?.filter((invite) => !taken.includes(invite)) ?? [],
    createdAt: invited.createdAt,
    lastSignInAt: opener.now,
    removedAt: null,
    generation: doc.generation + 1,
  };
  await db().collection<AccountDoc>("accounts").updateOne({ _id: doc._id }, { $set: update }, { session });
  return accountOfDoc({ ...doc, ...update });
}

/** Ends the links of all invitations, which stay; returns how many it ended. */
export async function endInvitations({ db }: Pick<Database, "db">, now: Date, session: ClientSession): Promise<number> {
  const isOpen = { "invites.expiresAt": { $gt: now } };
  const accounts = () => db().collection<AccountDoc>("accounts");
  const open = await accounts()
    .aggregate<{ count: number }>(
      [{ $match: isOpen }, { $unwind: "$invites" }, { $match: isOpen }, { $count: "count" }],
      { session },
    )
    .toArray();
  const ended = { $set: { "invites.$[open].expiresAt": now } };
  await accounts().updateMany(isOpen, ended, { session, arrayFilters: [{ "open.expiresAt": { $gt: now } }] });
  return open[0]?.count ?? 0;
}

function opened({ invites = [] }: AccountDoc, { hash, now }: Opener): InviteDoc[] {
  return invites.filter((invite) => invite.expiresAt > now && (hash === null || invite.hash === hash));
}
