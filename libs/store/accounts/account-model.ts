// The collection of accounts: its documents, their conversion, and its indexes, each with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { ClanRole } from "#domain/account.ts";
import type { Identity, LinkKind, Passkey, StoredAccount } from "#usecases/accounts/ports.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

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
  /**
   * If set, the account counts as absent. It is stored so that its generations continue when the name is invited again.
   */
  removedAt: Date | null;
};

const accountSchema = new Schema<AccountDoc>(
  {
    _id: { type: String, required: true },
    operator: { type: Boolean, required: true },
    grants: [{ _id: false, clanId: String, role: String }],
    passwordHash: String,
    generation: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    lastSignInAt: Date,
    link: { type: new Schema({ hash: String, kind: String, expiresAt: Date }, { _id: false }), default: null },
    passkeys: [
      { _id: false, id: String, publicKey: String, counter: Number, name: String, createdAt: Date, lastUsedAt: Date },
    ],
    identity: {
      type: new Schema({ issuer: String, subject: String, connectedAt: Date }, { _id: false }),
      default: null,
    },
    isDisconnected: Boolean,
    removedAt: Date,
  },
  SCHEMA_OPTIONS,
);
// Finds the account of a link that a person opens.
accountSchema.index({ "link.hash": 1 }, { unique: true, partialFilterExpression: { "link.hash": { $exists: true } } });

// The people of a clan, and whether it has an owner.
accountSchema.index({ "grants.clanId": 1, _id: 1 });

// Finds the account of a passkey at sign-in. Unique: no two accounts share a passkey.
accountSchema.index(
  { "passkeys.id": 1 },
  { unique: true, partialFilterExpression: { "passkeys.id": { $exists: true } } },
);

// Finds the account of an identity at sign-in. Unique: no two accounts share an identity.
accountSchema.index(
  { "identity.issuer": 1, "identity.subject": 1 },
  { unique: true, partialFilterExpression: { "identity.subject": { $exists: true } } },
);

export function accountOfDoc({ _id, removedAt: _removedAt, ...facts }: AccountDoc): StoredAccount {
  const { passkeys = [], identity = null, isDisconnected = false } = facts;
  return { name: _id, ...facts, passkeys, identity, isDisconnected };
}

export function makeAccountModel(connection: Connection): Model<AccountDoc> {
  return connection.model<AccountDoc>("account", accountSchema, "accounts");
}
