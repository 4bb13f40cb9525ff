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
  /** Set: as if there were none. Kept, so that its generations go on when the name is invited again. */
  removedAt: Date | null;
};

export type SessionDoc = {
  /** A digest: who reads the database cannot sign in by it. */
  _id: string;
  accountName: string;
  generation: number;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
};

/**
 * What somebody was asked to prove. Only the digest of what their cookie holds is here, and the challenge is derived
 * from that.
 */
export type ChallengeDoc = { _id: string; kind: ChallengeKind; accountName: string | null; expiresAt: Date };

/** How often somebody has tried to sign in to an account, or from an address, in the present window. */
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
// Whose link it is, when somebody opens one.
accountSchema.index({ "link.hash": 1 }, { unique: true, partialFilterExpression: { "link.hash": { $exists: true } } });

// Whose passkey it is, when somebody signs in by one. Nobody else's account can have it too.
accountSchema.index(
  { "passkeys.id": 1 },
  { unique: true, partialFilterExpression: { "passkeys.id": { $exists: true } } },
);

// Whose identity it is, when somebody signs in by a provider. Nobody else's account can have it too.
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
// MongoDB removes what has expired, also the ended ones; whether a session is live never depends on it.
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
