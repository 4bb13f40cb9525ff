// The central function: decides the effect of a series of awards on one member. It is pure, so a retry after a conflict
// simply calls it again.
import { isByPerson, type Award } from "#domain/award.ts";
import { isCancellation } from "#domain/award-key.ts";
import { boostOf } from "#domain/boost.ts";
import { addGain, gainsAt, givenBack, withinDay, type DayGains } from "#domain/daily-cap.ts";
import type { Entry } from "#domain/entry.ts";
import type { Outcome } from "#domain/outcome.ts";
import type { Clan } from "#domain/clan.ts";
import type { Head } from "#domain/head.ts";
import { createsMembership } from "#domain/membership.ts";
import { ranksPassed, standingOf } from "#domain/rank.ts";
import { addXp } from "#domain/xp.ts";

export type Decision = { head: Head; entries: Entry[]; outcomes: Outcome[] };

/**
 * Decides one member's awards in order. `known` holds the entries that already exist under the awards' keys, and those
 * that reversals take back. `outcomes[i]` answers `awards[i]`; `entries` are the new ones, numbered from `head.seq` +
 * 1. Without new entries, `head` is unchanged. Precedence (docs/reference/errors.md): a replay precedes
 * member_not_found, which precedes idempotency_key_reused.
 */
export function decideAwards(input: {
  clan: Clan;
  head: Head;
  awards: readonly Award[];
  known: ReadonlyMap<string, Entry>;
  now: Date;
}): Decision {
  const { clan, now } = input;
  let head = input.head;
  const entries: Entry[] = [];
  // The second of two equal keys in one commit group finds the first one's entry here, as it would in the ledger.
  const made = new Map<string, Entry>();

  const outcomes = input.awards.map((award): Outcome => {
    const earlier = input.known.get(award.key) ?? made.get(award.key);
    if (earlier?.fingerprint === award.fingerprint) return { kind: "replayed", entry: earlier };
    // If the entry was erased meanwhile, its XP must not be deducted from XP that the member was awarded since.
    const isErased = award.reverses !== undefined && !isReversedBy(award, input.known.get(award.reverses.key));
    // A shorter chain was begun after an erasure.
    const isRestarted = head.seq < (award.seenSeq ?? 0);
    if (isErased || isRestarted) return { kind: "rejected", code: "member_not_found" };
    // An entry of a batch was admitted when the batch was accepted; its outcome must not depend on when a worker runs
    // it.
    const admitted =
      clan.autoClan || head.membership !== null || award.batchId !== undefined || award.kind !== undefined;
    if (!admitted) return { kind: "rejected", code: "member_not_found" };
    if (earlier) return { kind: "rejected", code: "idempotency_key_reused" };

    const reversed = award.reverses && input.known.get(award.reverses.key);
    const applied = applyOne(clan, head, award, { reversed, now });
    head = applied.head;
    entries.push(applied.entry);
    made.set(award.key, applied.entry);
    return { kind: "applied", entry: applied.entry };
  });
  return { head, entries, outcomes };
}

/** After an erasure, a retry can create an entry with the same key and the same number, but another effect. */
function isReversedBy({ reverses, amount }: Award, entry: Entry | undefined): boolean {
  return entry !== undefined && entry.seq === reverses?.seq && entry.applied === -amount;
}

/** `reversed`: the award that a reversal takes back. */
function applyOne(
  clan: Clan,
  before: Head,
  change: Award,
  { reversed, now }: { reversed: Entry | undefined; now: Date },
): { head: Head; entry: Entry } {
  const { kind, appoints = null, reverses } = change;
  const previousRank = standingOf(clan, before).rank;
  const { xp, gain, gains } = xpAfter(clan, before, change, { reversed, previousRank, now });
  const { membership, removed } = membershipAfter(clan, before, change, { xp, now });
  const isAward = !isByPerson(change) && !isCancellation(change);
  const appointedRank = kind === "appointment" ? appoints : before.appointedRank;
  const head: Head = {
    xp,
    seq: before.seq + 1,
    membership,
    // A later membership must not restore the appointment of an earlier one.
    appointedRank: membership && appointedRank,
    ...(removed ? { removed } : {}),
    ...(gains ? { gains } : {}),
    ...lastAwardIn(isAward ? now : before.lastAwardAt),
  };
  const passed = ranksPassed(clan, before, head);
  const standing = standingOf(clan, head);
  const begins = before.membership === null && membership !== null;
  const ends = before.membership !== null && membership === null;
  const changes = begins || ends || standing.rank !== previousRank;
  const entry: Entry = {
    ...storedPartOf(change),
    ...gain,
    ...(reverses ? { reversesSeq: reverses.seq } : {}),
    ...standing,
    seq: head.seq,
    applied: xp - before.xp,
    xp,
    previousRank,
    ...(passed.length === 0 ? {} : { ranksPassed: passed }),
    membershipCreated: begins,
    memberSince: head.membership?.since ?? null,
    ...(head.appointedRank === null ? {} : { appointedRank: head.appointedRank }),
    ...(removed ? { removed } : {}),
    ...(gains ? { gains } : {}),
    ...(isAward ? {} : lastAwardIn(before.lastAwardAt)),
    ...announcementOf(clan, change, changes),
    at: now,
  };
  return { head, entry };
}

/**
 * The boost, the day's cap, then floor and cap. `gain`: what the entry says about boost and day. `gains`: the day's count
 * after the entry, in a clan that has a cap per day.
 */
function xpAfter(
  clan: Clan,
  before: Head,
  change: Award,
  { reversed, previousRank, now }: { reversed: Entry | undefined; previousRank: string; now: Date },
): { xp: bigint; gain: Pick<Entry, "boost" | "limitedByDay">; gains?: DayGains } {
  const { boosts, dailyCap } = clan;
  if (!boosts && !dailyCap) return { xp: addXp(before.xp, change.amount, clan), gain: {} };
  const isAward = !isByPerson(change);
  const boost = boosts && isAward ? boostOf(boosts, change, { at: now, rank: previousRank }) : null;
  const amount = boost?.amount ?? change.amount;
  const raised = boost ? { boost } : {};
  if (!dailyCap) return { xp: addXp(before.xp, amount, clan), gain: raised };
  const counted = gainsAt(dailyCap, before.gains, now);
  const allowed = isAward && amount > 0n ? withinDay(dailyCap, counted, { amount, at: now }) : amount;
  const xp = addXp(before.xp, allowed, clan);
  const gained = isAward && xp > before.xp ? xp - before.xp : 0n;
  const back = reversed ? givenBack(reversed, counted, now) : 0n;
  return {
    xp,
    gain: { ...raised, ...(allowed < amount ? { limitedByDay: true } : {}) },
    gains: addGain(counted, gained - back, now),
  };
}

function lastAwardIn(lastAwardAt: Date | null | undefined): Pick<Head, "lastAwardAt"> {
  return lastAwardAt === undefined ? {} : { lastAwardAt };
}

/** `changes`: the rank or the membership. */
function announcementOf(clan: Clan, { silent }: Award, changes: boolean): Pick<Entry, "announced"> {
  if (silent || !(changes || clan.awardEvents)) return {};
  return { announced: clan.awardEvents ? "all" : "changes" };
}

/** The fields of a change that its entry has, too. */
function storedPartOf(change: Award): Omit<Award, "appoints" | "ends" | "reverses" | "seenSeq"> {
  // Most changes are awards, which have none of the other fields; copying an object without some fields is slow.
  if (change.kind === undefined) return change;
  const { appoints: _appoints, ends: _ends, reverses: _reverses, seenSeq: _seenSeq, ...stored } = change;
  return stored;
}

function membershipAfter(
  clan: Clan,
  before: Head,
  { kind, ends, batchId, amount }: Award,
  { xp, now }: { xp: bigint; now: Date },
): Pick<Head, "membership" | "removed"> {
  if (kind === "membership")
    return ends ? { membership: null, removed: true } : { membership: before.membership ?? { since: now } };
  if (kind === undefined && batchId === undefined && createsMembership(clan, before, amount, xp))
    return { membership: { since: now } };
  return { membership: before.membership, ...(before.removed ? { removed: true } : {}) };
}
