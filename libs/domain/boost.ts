// A boost raises the awards that arrive in its time window (docs/concepts/boosts-and-daily-caps.md).
import { PLACE_ID_CHARS_MAX, RANKS_PER_CLAN_MAX } from "#domain/bounds.ts";
import type { AwardSource } from "#domain/award.ts";

/** Boosts that have not ended: each award that is sent to the clan compares itself with them. */
export const BOOSTS_PER_CLAN_MAX = 20;
/** Boosts that have ended and are still listed. The audit log has all of them. */
export const ENDED_BOOSTS_LISTED_MAX = 20;
const PERCENT_MIN = 101;
const PERCENT_MAX = 1_000;
/** Longer is a changed rule, not an occasion. */
export const BOOST_DAYS_MAX = 90;
/** A clan's document contains its boosts, and every process reads it twice a second. */
export const PLACES_PER_BOOST_MAX = 20;

const DAY_MS = 24 * 60 * 60_000;

/** What decides whether and how it raises an award. It acts from `from` until before `to`. */
export type Boost = {
  boostId: string;
  name: string;
  /** 200: twice the amount. */
  percent: number;
  from: Date;
  to: Date;
  /** Names of ranks that a member must have before the award; empty: any. */
  ranks: readonly string[];
  /** Values of `source.placeId` that an award must have; empty: any, also none. */
  placeIds: readonly string[];
};

/** `endedAt`: when somebody ended it, and null if nobody did. */
export type StoredBoost = Boost & { clanId: string; createdAt: Date; endedAt: Date | null };

/** The boost of an award, as its entry has it. `amount`: the requested amount, raised. */
export type AppliedBoost = Pick<Boost, "boostId" | "name" | "percent"> & { amount: bigint };

export const boostStatuses = ["coming", "running", "ended"] as const;
export type BoostStatus = (typeof boostStatuses)[number];

/** What the boost of an award makes of its amount; null if no boost applies to it. */
export function boostOf(
  boosts: readonly Boost[],
  award: { amount: bigint; source?: AwardSource },
  { at, rank }: { at: Date; rank: string },
): AppliedBoost | null {
  if (award.amount <= 0n) return null;
  // Each award is compared with each boost, and numbers compare in a fifth of the time of dates.
  const atMs = at.getTime();
  let best: Boost | null = null;
  for (const boost of boosts) {
    if (atMs < boost.from.getTime() || atMs >= boost.to.getTime()) continue;
    if (boost.ranks.length > 0 && !boost.ranks.includes(rank)) continue;
    if (boost.placeIds.length > 0 && !boost.placeIds.includes(award.source?.placeId ?? "")) continue;
    if (!best || precedes(boost, best)) best = boost;
  }
  if (!best) return null;
  const { boostId, name, percent } = best;
  return { boostId, name, percent, amount: (award.amount * BigInt(percent)) / 100n };
}

/** The higher percent; of equal ones the one that started first. The id decides between boosts that are alike. */
function precedes(one: Boost, other: Boost): boolean {
  if (one.percent !== other.percent) return one.percent > other.percent;
  if (one.from.getTime() !== other.from.getTime()) return one.from < other.from;
  return one.boostId < other.boostId;
}

export function statusOf({ from, to, endedAt }: StoredBoost, now: Date): BoostStatus {
  if (endedAt !== null || to <= now) return "ended";
  return from <= now ? "running" : "coming";
}

/** The running and the coming ones, by `from`. */
export function boostsAhead(boosts: readonly Boost[], now: Date): Boost[] {
  return boosts.filter(({ to }) => to > now).toSorted((a, b) => a.from.getTime() - b.from.getTime());
}

/** A factor as text, such as 2 or 1.25, in percent; null if it is no factor of a boost. */
export function percentOf(factor: string): number | null {
  const [, whole = "", fraction = ""] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(factor) ?? [];
  const percent = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return whole !== "" && percent >= PERCENT_MIN && percent <= PERCENT_MAX ? percent : null;
}

/** 250 is "2.5". */
export function factorOf(percent: number): string {
  return String(percent / 100);
}

/** What is wrong with the time window of a new boost, in a sentence; null if nothing is. */
export function windowFault(window: { from: Date; to: Date }, now: Date): string | null {
  if (window.to <= window.from) return "A boost must end after it begins.";
  if (window.to <= now) return "A boost must end in the future.";
  return isTooLong(window) ? `A boost lasts at most ${BOOST_DAYS_MAX} days.` : null;
}

export function isTooLong({ from, to }: { from: Date; to: Date }): boolean {
  return to.getTime() - from.getTime() > BOOST_DAYS_MAX * DAY_MS;
}

/** One sentence for each rank of a new boost that the clan does not have. */
export function unknownRankFaults(
  { ranks }: Pick<Boost, "ranks">,
  clan: { ranks: readonly { name: string }[] },
): string[] {
  const names = clan.ranks.map(({ name }) => name);
  const unknown = ranks.filter((rank) => !names.includes(rank));
  return unknown.map((rank) => `The clan has no rank "${rank}", only ${names.join(", ")}.`);
}

/** What else is wrong with the restrictions of a new boost, one sentence each. */
export function restrictionFaults({ ranks, placeIds }: Pick<Boost, "ranks" | "placeIds">): string[] {
  const isPlaceId = (id: string): boolean => id !== "" && [...id].length <= PLACE_ID_CHARS_MAX && id.isWellFormed();
  return [
    ...(ranks.length > RANKS_PER_CLAN_MAX ? [`A boost names at most ${RANKS_PER_CLAN_MAX} ranks.`] : []),
    ...(placeIds.length > PLACES_PER_BOOST_MAX ? [`A boost names at most ${PLACES_PER_BOOST_MAX} places.`] : []),
    ...(placeIds.every(isPlaceId) ? [] : [`A placeId has 1 to ${PLACE_ID_CHARS_MAX} characters.`]),
  ];
}
