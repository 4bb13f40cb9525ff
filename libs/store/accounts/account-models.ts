// The collections of the dashboard: accounts and their sessions.
import { Schema, type Connection, type Model } from "mongoose";
import type { ClanRole } from "#domain/account.ts";
import type { ChallengeKind, Identity, LinkKind, Passkey } from "#usecases/accounts/ports.ts";

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

export type SessionDoc = {
  /** A digest: it cannot be used to sign in. */
  _id: string;
  accountName: string;
  generation: number;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
};

/**
 * A challenge for a person. Only the digest of their cookie's text is stored; the challenge is derived from that text.
 */
export type ChallengeDoc = { _id: string; kind: ChallengeKind; accountName: string | null; expiresAt: Date };

/** The number of attempts to sign in to an account, or from an address, in the current window. */
export type AttemptDoc = { _id: string; count: number; expiresAt: Date };

const options = { strict: "throw", versionKey: false, autoIndex: false, autoCreate: false, minimize: false } as const;

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
  options,
);
// Finds the account of a link that a person opens.
accountSchema.index({ "link.hash": 1 }, { unique: true, partialFilterExpression: { "link.hash": { $exists: true } } });

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

const sessionSchema = new Schema<SessionDoc>(
  {
    _id: { type: String, required: true },
    accountName: { type: String, required: true },
    generation: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    seenAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  options,
);
// MongoDB removes expired sessions, including the ended ones. Whether a session is live never depends on that.
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const challengeSchema = new Schema<ChallengeDoc>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    accountName: String,
    expiresAt: { type: Date, required: true },
  },
  options,
);
challengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const attemptSchema = new Schema<AttemptDoc>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  options,
);
attemptSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export type AccountModels = {
  accounts: Model<AccountDoc>;
  sessions: Model<SessionDoc>;
  challenges: Model<ChallengeDoc>;
  attempts: Model<AttemptDoc>;
};

export function makeAccountModels(connection: Connection): AccountModels {
  return {
    accounts: connection.model<AccountDoc>("account", accountSchema, "accounts"),
    sessions: connection.model<SessionDoc>("session", sessionSchema, "sessions"),
    challenges: connection.model<ChallengeDoc>("challenge", challengeSchema, "sign_in_challenges"),
    attempts: connection.model<AttemptDoc>("attempt", attemptSchema, "sign_in_attempts"),
  };
}
