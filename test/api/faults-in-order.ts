// The faults of a request, in the order of docs/reference/errors.md: of several in one request the first is reported.
import type { ErrorCode } from "#kernel/error-code.ts";

/** `noRequests` and `noAwards`: keys whose rate is 0. */
export type KeyHolder = "full" | "noDeduct" | "readOnly" | "noRequests" | "noAwards" | "nobody";
/** A request that would be served, to be spoilt. */
export type Draft = {
  method: string;
  clanId: string;
  rest: string;
  query: string;
  keyHolder: KeyHolder;
  headers: Record<string, string>;
  body: string;
};
/** What is wrong, how it is reported, and what it spoils. */
export type Fault = [name: string, status: number, code: ErrorCode, spoilt: Partial<Draft>];

const beforeTheScope: Fault[] = [
  ["an unknown route", 404, "not_found", { rest: "/nowhere" }],
  ["no key", 401, "key_missing", { keyHolder: "nobody" }],
  ["another clan's path", 403, "key_clan_mismatch", { clanId: "elsewhere" }],
  ["a wrong method", 405, "method_not_allowed", { method: "PATCH" }],
  ["an exceeded rate of requests", 429, "rate_limited", { keyHolder: "noRequests" }],
];
const beforeTheQuery: Fault[] = [
  ...beforeTheScope,
  ["a key without the scope", 403, "scope_missing", { keyHolder: "readOnly" }],
];
/** What is wrong whatever the body says. */
const beforeTheBody: Fault[] = [
  ["an invalid header", 400, "invalid_request", { headers: { "Idempotency-Key": "a b" } }],
  ["a wrong media type", 415, "unsupported_media_type", { headers: { "Content-Type": "text/plain" } }],
  ["a body too large", 413, "body_too_large", { body: " ".repeat(256 * 1024 + 1) }],
  ["a body that is not JSON", 400, "invalid_json", { body: "nonsense" }],
];
const badQuery: Fault = ["an invalid query", 400, "invalid_request", { query: "?include=x" }];
const noRate: Fault = ["an exceeded rate of awards", 429, "rate_limited", { keyHolder: "noAwards" }];

/** What no clan's settings would accept. */
export const faultsOfAward: Fault[] = [
  ...beforeTheQuery,
  ["an invalid ID", 400, "invalid_request", { rest: "/members/%zz/xp" }],
  badQuery,
  ...beforeTheBody,
  ["an unknown field", 400, "invalid_request", { body: '{"amount":-2000000,"x":1}' }],
  ["an amount beyond every clan's bound", 400, "invalid_request", { body: '{"amount":-1000000000001}' }],
];
/**
 * What depends on settings, scopes, rates and members: the replay of an award that was applied is answered before them.
 */
export const faultsAfterReplay: Fault[] = [
  ["an amount beyond the clan's bound", 400, "invalid_request", { body: '{"amount":-2000000}' }],
  noRate,
  ["a deduction without the scope", 403, "scope_missing", { keyHolder: "noDeduct", body: '{"amount":-1}' }],
  ["an unknown member", 404, "member_not_found", { rest: "/members/nobody/xp" }],
  ["a key that names another award", 422, "idempotency_key_reused", { headers: { "Idempotency-Key": "bound" } }],
];

const manyAwards = `{"awards":[${Array.from({ length: 101 }, () => 0).join()}]}`;
const largeAward = '{"awards":[{"platformId":"nobody","amount":-2000000}]}';
/** As for one award, beside what its entries answer for themselves. */
export const faultsOfCall: Fault[] = [
  ...beforeTheQuery,
  badQuery,
  ...beforeTheBody,
  ["101 awards", 413, "too_many_awards", { body: manyAwards }],
  ["an empty list", 400, "invalid_request", { body: '{"awards":[]}' }],
  ["an amount beyond the clan's bound", 400, "invalid_request", { body: largeAward }],
  noRate,
];

export const faultsOfBatch: Fault[] = [
  ...beforeTheQuery,
  ...beforeTheBody,
  ["no awards", 400, "invalid_request", { body: "{}" }],
];

export const faultsOfRead: Fault[] = [
  ...beforeTheScope,
  ["a key without the scope", 403, "scope_missing", { keyHolder: "noDeduct" }],
  ["an invalid ID", 400, "invalid_request", { rest: "/members/%zz/ledger" }],
  ["an invalid limit", 400, "invalid_request", { query: "?limit=0" }],
  ["an unknown member", 404, "member_not_found", { rest: "/members/stranger/ledger" }],
];
