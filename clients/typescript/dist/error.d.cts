import type { ClanXpErrorCode } from "./types.cjs";
export type ErrorDetails = {
    status?: number;
    requestId?: string;
    retryable?: boolean;
    errors?: {
        pointer: string;
        detail: string;
    }[];
    idempotencyKey?: string;
    attempts?: number;
};
export declare class ClanXpError extends Error {
    readonly code: ClanXpErrorCode;
    /** The HTTP status, where there was an answer. */
    readonly status?: number;
    /** The service's name for its answer: quote it to the operator. */
    readonly requestId?: string;
    /** The same, sent again under the same key, may succeed. */
    readonly retryable: boolean;
    /** What is wrong with the request, each fault by its JSON pointer. */
    readonly errors?: {
        pointer: string;
        detail: string;
    }[];
    readonly idempotencyKey?: string;
    /** How many times it was sent. */
    readonly attempts: number;
    constructor(code: ClanXpErrorCode, message: string, details?: ErrorDetails);
}
