// The collection of accounts: its documents, their conversion, and its indexes, each with the query that needs it.
import { index } from "#mongo/collection.ts";
import type { ClanRole } from "#domain/account.ts";
import type { Identity, LinkKind, Passkey, StoredAccount } from "#accounts/ports.ts";

export type InviteDoc = { clanId: string; role: ClanRole; hash: string; createdAt: Date; expiresAt: Date };

export type AccountDoc = {
  /** The name, in lower case. */
  _id: string;
  operator: boolean;
  grants: { clanId: string; role: ClanRole }[];
  passwordHash: string | null;
  generation: number;
  createdAt: Date;
  lastSignInAt: Date | null;
  link: { hash: string; kind: LinkKind; expiresAt: Date } | null;
  /** Absent in accounts of older versions. */
  passkeys?: Passkey[];
  identity?: Identity | null;
  isDisconnected?: boolean;
  /** Roles that the person gets by opening the link with this digest, also while there is no account. */
  invites?: InviteDoc[];
  /**
   * If set, the account counts as absent. It is stored so that its generations continue when the name is invited again.
   */
  removedAt: Date | null;
};

export const ACCOUNTS = {
  name: "accounts",
  indexes: [
    // Finds the account of a link that a person opens.
    index({ "link.hash": 1 }, { unique: true, partialFilterExpression: { "link.hash": { $exists: true } } }),
    // The people of a clan, and whether it has an owner.
    index({ "grants.clanId": 1, _id: 1 }),
    // Finds the invitation of a link that a person opens.
    index({ "invites.hash": 1 }, { unique: true, partialFilterExpression: { "invites.hash": { $exists: true } } }),
    // The invitations of a clan.
    index({ "invites.clanId": 1, _id: 1 }),
    // Finds the account of a passkey at sign-in. Unique: no two accounts share a passkey.
    index({ "passkeys.id": 1 }, { unique: true, partialFilterExpression: { "passkeys.id": { $exists: true } } }),
    // Finds the account of an identity at sign-in. Unique: no two accounts share an identity.
    index(
      { "identity.issuer": 1, "identity.subject": 1 },
      { unique: true, partialFilterExpression: { "identity.subject": { $exists: true } } },
    ),
  ],
};

/** Of an account that nobody has used yet. */
export const UNUSED = {
  grants: [],
  passwordHash: null,
  passkeys: [],
  identity: null,
  isDisconnected: false,
  lastSignInAt: null,
  link: null,
};

/**
 * A filter: there is no account, or one without any role and any way to sign in, as of a person who was removed from
 * their only clan before they had opened their link.
 */
export const ABSENT = {
  $or: [
    { removedAt: { $ne: null } },
    {
      operator: false,
      grants: { $size: 0 },
      passwordHash: null,
      "passkeys.0": { $exists: false },
      "identity.subject": { $exists: false },
    },
  ],
};

/** The same as `ABSENT`. */
export function isAbsent({ removedAt, operator, grants, passwordHash, passkeys = [], identity }: AccountDoc): boolean {
  const isEmpty = !operator && grants.length === 0 && passwordHash === null && passkeys.length === 0 && !identity;
  return removedAt !== null || isEmpty;
}

export function accountOfDoc({ _id, removedAt: _removedAt, invites: _invites, ...facts }: AccountDoc): StoredAccount {
  const { passkeys = [], identity = null, isDisconnected = false } = facts;
  return { name: _id, ...facts, passkeys, identity, isDisconnected };
}
