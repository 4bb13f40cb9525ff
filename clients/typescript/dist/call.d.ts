import { type Answer, type Config, type Request } from "./attempt.js";
import type { CallOptions } from "./types.js";
/** What a call may be told: checked, and completed by what the client was told. */
export declare function callSettings(defaults: Pick<Config, "timeoutMs" | "deadlineMs" | "retries">, options: CallOptions): {
    signal: AbortSignal | undefined;
    timeoutMs: number;
    deadlineMs: number;
    retries: number;
};
/** Throws the error of the last try. `idempotencyKey`: the award's, to be named in the error. */
export declare function call(config: Config, request: Request, options: CallOptions, idempotencyKey?: string): Promise<Answer>;
