import { ClanXpError } from "./error.cjs";
import type { ClanXpOptions } from "./types.cjs";
/** Options with every default filled in. */
export type Config = Pick<ClanXpOptions, "apiKey" | "fetch"> & {
    /** All requests begin with it: `https://…/v0/clans/{clanId}`. */
    clanUrl: string;
    timeoutMs: number;
    deadlineMs: number;
    retries: number;
};
export type Request = {
    method: "GET" | "POST";
    /** Below the clan. */
    path: string;
    body?: string;
    headers?: Record<string, string>;
};
export type Answer = {
    body: unknown;
    headers: Headers;
};
/** `again`: the error is one of those that pass. `afterMs`: the service does not want the next try before. */
export type Outcome = {
    answer: Answer;
} | {
    error: ClanXpError;
    again: boolean;
    afterMs: number;
};
export declare function attempt(config: Config, request: Request, timeoutMs: number, signal?: AbortSignal): Promise<Outcome>;
export declare function isApiKey(value: unknown): boolean;
