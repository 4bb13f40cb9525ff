/** Every code of a problem. */
export type ErrorCode = "invalid_json" | "invalid_request" | "key_missing" | "key_invalid" | "key_revoked" | "key_expired" | "key_clan_mismatch" | "scope_missing" | "not_found" | "member_not_found" | "batch_not_found" | "method_not_allowed" | "body_too_large" | "too_many_awards" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal" | "unavailable" | "busy" | "outcome_unknown";
export type AwardAnswer = {
    platformId: PlatformId;
    xp: Xp;
    rank: string;
    change?: AwardChange;
};
export type AwardChange = {
    awardId: string;
    amount: Xp;
    applied: Xp;
    previousXp: Xp;
    previousRank: string;
    rankChanged: boolean;
    membershipCreated: boolean;
    nextRank: string | null;
    xpToNextRank: Xp | null;
};
export type AwardSource = {
    placeId?: string;
    matchId?: string;
    verified?: boolean;
};
export type BatchAccepted = {
    batchId: string;
    status: "queued" | "running";
    applied: 0;
    results: Array<never>;
};
export type BatchAnswer = {
    applied: number;
    results: Array<BatchResult>;
};
export type BatchAward = {
    platformId: PlatformId;
    amount: number;
};
export type BatchResult = {
    index: number;
    platformId: PlatformId;
    status: "applied";
    xp: Xp;
    rank: string;
} | {
    index: number;
    platformId: string | null;
    status: "rejected";
    error: {
        code: ErrorCode;
        detail: string;
    };
};
export type BatchState = {
    batchId: string;
    status: "queued" | "running" | "done";
    applied: number;
    results: Array<BatchResult>;
    createdAt: Instant;
    finishedAt: Instant | null;
};
export type Clan = {
    clanId: string;
    name: string;
    autoClan: boolean;
    ranks: Array<Rank>;
};
export type Entry = {
    awardId: string;
    at: Instant;
    amount: Xp;
    applied: Xp;
    xp: Xp;
    rank: string;
    reason?: string;
    source?: AwardSource;
    keyId: string;
    batchId?: string;
    membershipCreated: boolean;
};
export type EntryPage = {
    entries: Array<Entry>;
    nextCursor: string | null;
};
/** RFC 3339, UTC. */
export type Instant = string;
export type Member = {
    platformId: PlatformId;
    xp: Xp;
    rank: string;
    membership: {
        since: Instant;
    } | null;
    nextRank: string | null;
    xpToNextRank: Xp | null;
};
export type MemberPage = {
    members: Array<Member>;
    nextCursor: string | null;
};
/** The member's id on the game's platform. */
export type PlatformId = string;
export type Problem = {
    type: string;
    title: string;
    status: number;
    code: ErrorCode;
    detail: string;
    requestId: string;
    errors?: Array<{
        pointer: string;
        detail: string;
    }>;
};
/** `threshold`: NORMAL ranks only. */
export type Rank = {
    name: string;
    kind: "GUEST" | "NORMAL" | "STAFF" | "OWNER";
    threshold?: Xp;
};
/** A signed 64-bit integer as a decimal string. */
export type Xp = string;
/** What each endpoint answers, by its name and the status. */
export type Answers = {
    "apply-award 200": AwardAnswer;
    "list-members 200": MemberPage;
    "read-batch 200": BatchState;
    "read-clan 200": Clan;
    "read-ledger 200": EntryPage;
    "read-member 200": Member;
    "submit-batch 200": BatchAnswer;
    "submit-batch 202": BatchAccepted;
};
