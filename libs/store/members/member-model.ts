// The collection of members: its documents, their conversion, and its indexes, each with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { Head } from "#domain/head.ts";
import type { Member } from "#domain/member.ts";
import { bigintOf } from "#store/bigint-of.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

export type MemberDoc = {
  _id: string;
  clanId: string;
  platformId: string;
  xp: bigint;
  seq: number;
  membership: { since: Date } | null;
  appointedRank: string | null;
  removed?: true;
  /** The member is being erased. */
  erasing?: true;
};

const memberSchema = new Schema<MemberDoc>(
  {
    _id: { type: String, required: true },
    clanId: { type: String, required: true },
    platformId: { type: String, required: true },
    xp: { type: BigInt, required: true },
    seq: { type: Number, required: true },
    membership: { type: new Schema({ since: Date }, { _id: false }), default: null },
    appointedRank: String,
    removed: Boolean,
    erasing: Boolean,
  },
  SCHEMA_OPTIONS,
);
// The leaderboard. Members by platformId need no index: `_id` has that order.
memberSchema.index({ clanId: 1, xp: -1, platformId: 1 });

export function headOfDoc({ xp, seq, membership, appointedRank, removed, erasing }: MemberDoc): Head {
  return {
    xp: bigintOf(xp),
    seq,
    membership,
    appointedRank,
    ...(removed ? { removed } : {}),
    ...(erasing ? { erasing } : {}),
  };
}

export function memberOfDoc(doc: MemberDoc): Member {
  return { clanId: doc.clanId, platformId: doc.platformId, ...headOfDoc(doc) };
}

export function makeMemberModel(connection: Connection): Model<MemberDoc> {
  return connection.model<MemberDoc>("member", memberSchema, "members");
}
