// The collection of clans: its documents, their conversion, and its indexes, each with the query that needs it.
import type { Boost, StoredBoost } from "#domain/boost.ts";
import type { Clan } from "#domain/clan.ts";
import type { DailyCap } from "#domain/daily-cap.ts";
import type { ModeratorBounds } from "#domain/moderator.ts";
import type { PublicPage } from "#domain/public-page.ts";
import type { Rank, RankKind } from "#domain/rank.ts";
import { bigintOf } from "#mongo/bigint-of.ts";

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

export const CLANS = { name: "clans", indexes: [] };

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
