// Examples of responses whose schemas have none, by endpoint and status: as a small clan would get them. The OpenAPI
// document shows them, and tests parse each with its schema.
import type { EndpointName } from "#contract/endpoints.ts";

const AT = "2026-11-21T13:42:51.010Z";
const SINCE = "2026-11-21T13:42:50.754Z";
const result = { index: 0, platformId: "123", status: "applied", xp: "1250", rank: "Veteran" };
const member = {
  platformId: "123",
  xp: "1250",
  rank: "Veteran",
  membership: { since: SINCE },
  nextRank: "Elite",
  xpToNextRank: "8750",
  lastAwardAt: AT,
};
const period = {
  periodId: "20261116T000000Z",
  startsAt: "2026-11-16T00:00:00.000Z",
  endsAt: "2026-11-23T00:00:00.000Z",
  finalAt: "2026-11-23T01:00:00.000Z",
  status: "open",
  members: 2,
};

const bodies = {
  awards: { applied: 1, results: [result] },
  batch: { applied: 1, results: [result] },
  batchAccepted: { batchId: "bat_Ko9PRjvVl8eNXE9VJv_mryzTR", status: "queued", applied: 0, results: [] },
  batchState: {
    batchId: "bat_Ko9PRjvVl8eNXE9VJv_mryzTR",
    status: "done",
    applied: 1,
    results: [result],
    createdAt: SINCE,
    finishedAt: AT,
  },
  members: { members: [member], nextCursor: null },
  ledger: {
    entries: [
      {
        awardId: "awd_aq8xZMQp4HMVTEPwUw4uViL-",
        at: AT,
        amount: "25",
        applied: "25",
        limitedBy: null,
        xp: "1250",
        rank: "Veteran",
        reason: "match won",
        keyId: "u73eqfJyZLhD3j1v",
        membershipCreated: false,
      },
    ],
    nextCursor: null,
  },
  memberGains: {
    platformId: "123",
    every: "day",
    timeZone: "UTC",
    gains: [{ startsAt: "2026-11-21T00:00:00.000Z", endsAt: "2026-11-22T00:00:00.000Z", xp: "225", awards: 5 }],
  },
  names: { stored: 1 },
  events: {
    events: [
      {
        id: "evt_4mC0bPq9XhWfJ2sa",
        type: "member.joined",
        timestamp: SINCE,
        clanId: "demo",
        data: { platformId: "123", seq: 1, xp: "150", rank: "Recruit", name: "Mira", since: SINCE, cause: "award" },
      },
    ],
    cursor: "WyJ3TTRyVTBxM0x6ayIsMiwiZXZ0XzRtQzBiUHE5WGhXZkoyc2EiXQ",
    hasMore: false,
  },
  gains: {
    from: "2026-11-14T00:00:00.000Z",
    to: "2026-11-21T00:00:00.000Z",
    asOf: AT,
    totals: { members: 1, awards: 5, xp: "225" },
    members: [
      {
        platformId: "123",
        xp: "225",
        awards: 5,
        position: 1,
        membership: { since: SINCE },
        firstAwardAt: SINCE,
        lastAwardAt: AT,
      },
    ],
    nextCursor: null,
  },
  counting: { status: "counting" },
  period,
  periods: { periods: [period], nextCursor: null },
  boards: {
    boards: [
      {
        boardId: "weekly",
        name: "This week",
        every: "week",
        on: "monday",
        at: "00:00",
        timeZone: "UTC",
        settleHours: 1,
        current: period,
      },
    ],
  },
  standings: {
    period,
    asOf: AT,
    members: [{ platformId: "123", xp: "225", position: 1, reachedAt: AT }],
    nextCursor: null,
  },
  reversalAccepted: { reversalId: "rev_0mwqgjyw65b3f85fbc12d8fc6", status: "queued" },
  reversal: {
    reversalId: "rev_0mwqgjyw65b3f85fbc12d8fc6",
    status: "done",
    by: { matchId: "match-17" },
    reason: "match was rigged",
    selected: 12,
    reversed: 12,
    skipped: 0,
    createdAt: SINCE,
    finishedAt: AT,
  },
};

export const responseExamples: { readonly [Name in EndpointName]?: Readonly<Record<number, unknown>> } = {
  "apply-awards": { 200: bodies.awards },
  "submit-batch": { 200: bodies.batch, 202: bodies.batchAccepted },
  "read-batch": { 200: bodies.batchState },
  "list-members": { 200: bodies.members },
  "read-ledger": { 200: bodies.ledger },
  "read-member-gains": { 200: bodies.memberGains },
  "set-names": { 200: bodies.names },
  "list-events": { 200: bodies.events },
  "list-gains": { 200: bodies.gains, 202: bodies.counting },
  "list-boards": { 200: bodies.boards },
  "list-periods": { 200: bodies.periods },
  "read-period": { 200: bodies.period },
  "list-standings": { 200: bodies.standings },
  "submit-reversal": { 202: bodies.reversalAccepted },
  "read-reversal": { 200: bodies.reversal },
};
