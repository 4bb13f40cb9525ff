import type { AwardEntry, AwardOptions, AwardQueue, AwardResult, Batch, BatchEntry, CallOptions, ClanXpOptions, EntryResult, LedgerEntry, QueueOptions, Reversal, ReversalBy, ReversalPreview, ReversalStatus } from "./types.js";
import type { Clan, Member } from "./wire.js";
export declare class ClanXp {
    #private;
    constructor(options: ClanXpOptions);
    /** Applies one award. It is counted once, however many tries it takes. */
    award(platformId: string, amount: number, options?: AwardOptions & CallOptions & {
        change?: boolean | undefined;
    }): Promise<AwardResult>;
    /** Applies 1 to 100 awards in one call. Each succeeds or fails alone: `failed` ones may be sent again under their keys. */
    awards(entries: AwardEntry[], options?: CallOptions & {
        change?: boolean | undefined;
    }): Promise<{
        applied: number;
        results: EntryResult[];
    }>;
    /** The member, or null where nothing is stored of them. */
    member(platformId: string, options?: CallOptions): Promise<Member | null>;
    /** All members, by default those with the most XP first. Wrong arguments are thrown by the first step of the iteration. */
    members(options?: CallOptions & {
        sort?: "xp" | "platformId" | undefined;
        pageSize?: number | undefined;
    }): AsyncIterable<Member>;
    /** A member's entries, newest first. Wrong arguments are thrown by the first step of the iteration. */
    ledger(platformId: string, options?: CallOptions & {
        pageSize?: number | undefined;
    }): AsyncIterable<LedgerEntry>;
    /** The clan and its ranks. */
    clan(options?: CallOptions): Promise<Clan>;
    /**
     * Submits a batch and waits up to `waitS` seconds for its results; the time is added to that of a try.
     * @deprecated Use `awards()` or a queue: they create memberships and keep reasons.
     */
    submitBatch(awards: BatchEntry[], options?: CallOptions & {
        idempotencyKey?: string | undefined;
        waitS?: number | undefined;
    }): Promise<Batch>;
    /** @deprecated With `submitBatch()`. */
    batch(batchId: string, options?: CallOptions): Promise<Batch>;
    /** What `reverse()` would take back. */
    previewReversal(by: ReversalBy, options?: CallOptions): Promise<ReversalPreview>;
    /** Takes awards back, each exactly once. The service does it in the background: `reversal()` reads how far it is. */
    reverse(by: ReversalBy, options?: CallOptions & {
        reason?: string | undefined;
        idempotencyKey?: string | undefined;
    }): Promise<{
        reversalId: string;
        status: ReversalStatus;
    }>;
    reversal(reversalId: string, options?: CallOptions): Promise<Reversal>;
    /** A queue of awards: the way for a game server that awards often. */
    queue(options?: QueueOptions): AwardQueue;
}
