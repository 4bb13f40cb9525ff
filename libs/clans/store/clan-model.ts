// The collection of clans: its documents, their conversion, and its indexes, each with the query that needs it.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import type { Boost, StoredBoost } from "#domain/boost.ts";
import type { Clan } from "#domain/clan.ts";
import type { DailyCap } from "#domain/daily-cap.ts";
import type { ModeratorBounds } from "#domain/moderator.ts";
import type { PublicPage } from "#domain/public-page.ts";
import type { Rank, RankKind } from "#domain/rank.ts";
import { bigintOf } from "#mongo/bigint-of.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

export type ClanDoc = {
  _id: string;
  name: string;
  autoClan: boolean;
  ranks: { id?: string; name: string; kind: RankKind; threshold?: bigint }[];
  xpFloor: bigint | null;
  xpCap: bigint;
  amountMax: bigint;
  awardEvents?: boolean;
  dailyCap?: DailyCap;
  moderatorBounds?: ModeratorBounds;
  /** Also some that have ended (boost-store.ts). */
  boosts?: BoostDoc[];
  /** It has boards (board-store.ts). */
  hasBoards?: true;
  publicPage?: PublicPage;
  createdAt: Date;
  /** Increases with each change of the clan or its keys, so that concurrent changes conflict. */
  rev: number;
};

export type BoostDoc = Omit<StoredBoost, "clanId" | "ranks" | "placeIds"> & { ranks: string[]; placeIds: string[] };

const clanSchema = new Schema<ClanDoc>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    autoClan: { type: Boolean, required: true },
    ranks: [{ _id: false, id: String, name: String, kind: String, threshold: BigInt }],
    xpFloor: BigInt,
    xpCap: { type: BigInt, required: true },
    amountMax: { type: BigInt, required: true },
    awardEvents: Boolean,
    dailyCap: { type: new Schema({ xp: BigInt, since: Number }, { _id: false }) },
    moderatorBounds: { type: new Schema({ xpPerAward: Number, xpPerDay: Number }, { _id: false }) },
    boosts: { type: [Schema.Types.Mixed], default: undefined },
    hasBoards: Boolean,
    publicPage: Schema.Types.Mixed,
    createdAt: { type: Date, required: true },
    rev: { type: Number, required: true },
  },
  SCHEMA_OPTIONS,
);

export function clanOfDoc(doc: ClanDoc): Clan {
  const { dailyCap, moderatorBounds, boosts = [], publicPage } = doc;
  const open = boosts.filter(({ endedAt }) => endedAt === null).map(boostOfDoc);
  return {
    clanId: doc._id,
    name: doc.name,
    autoClan: doc.autoClan,
    ranks: doc.ranks.map(rankOfDoc),
    xpFloor: doc.xpFloor === null ? null : bigintOf(doc.xpFloor),
    xpCap: bigintOf(doc.xpCap),
    amountMax: Number(doc.amountMax),
    ...(doc.awardEvents ? { awardEvents: true } : {}),
    ...(dailyCap ? { dailyCap: { xp: bigintOf(dailyCap.xp), since: dailyCap.since } } : {}),
    ...(moderatorBounds ? { moderatorBounds } : {}),
    ...(open.length > 0 ? { boosts: open } : {}),
    ...(publicPage ? { publicPage } : {}),
  };
}

/** What decides about an award. */
function boostOfDoc({ boostId, name, percent, from, to, ranks, placeIds }: BoostDoc): Boost {
  return { boostId, name, percent, from, to, ranks, placeIds };
}

function rankOfDoc({ id, name, kind, threshold = 0n }: ClanDoc["ranks"][number]): Rank {
  switch (kind) {
    case "NORMAL":
      return { name, kind, threshold: bigintOf(threshold) };
    case "GUEST":
      return { name, kind };
    case "STAFF":
    case "OWNER":
      return { ...(id === undefined ? {} : { id }), name, kind };
  }
}

export const clanModel = defineModel<ClanDoc>("clan", clanSchema, "clans");

/** The fields of a clan in an audit record: its rules and settings. */
export function clanInAudit(clan: Clan): object {
  const { name, autoClan, ranks, xpFloor, xpCap, amountMax, awardEvents, dailyCap, moderatorBounds } = clan;
  const optional = { ...(awardEvents ? { awardEvents } : {}), ...(dailyCap ? { xpPerDay: dailyCap.xp } : {}) };
  const ofModerators = moderatorBounds && {
    moderatorXpPerAward: moderatorBounds.xpPerAward,
    moderatorXpPerDay: moderatorBounds.xpPerDay,
  };
  return { name, autoClan, ranks, xpFloor, xpCap, amountMax, ...optional, ...ofModerators };
}
