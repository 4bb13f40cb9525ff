import type { Answer } from "./attempt.cjs";
import type { EntryResult } from "./types.cjs";
/** A result without the key, which the client adds. */
export type WireResult = EntryResult extends infer Result ? (Result extends unknown ? Omit<Result, "idempotencyKey"> : never) : never;
export declare function readResults({ body, headers }: Answer, count: number): WireResult[];
