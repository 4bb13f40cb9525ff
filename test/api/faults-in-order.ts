// The faults of a request, in the order of docs/reference/errors.md: of several in one request the first is reported.
import type { ErrorCode } from "#domain/error-code.ts";

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
export type Fault = { name: string; status: number; code: ErrorCode; spoil: (draft: Draft) => void };

/** What is wrong whatever the body says. */
const beforeTheBody: Fault[] = [
  { name: "an unknown route", status: 404, code: "not_found", spoil: (draft) => void (draft.rest += "/nowhere") },
  { name: "no key", status: 401, code: "key_missing", spoil: (draft) => void (draft.keyHolder = "nobody") },
  {
    name: "another clan's path",
    status: 403,
    code: "key_clan_mismatch",
    spoil: (draft) => void (draft.clanId = "elsewhere"),
  },
  { name: "a wrong method", status: 405, code: "method_not_allowed", spoil: (draft) => void (draft.method = "PATCH") },
  {
    name: "an exceeded rate of requests",
    status: 429,
    code: "rate_limited",
    spoil: (draft) => void (draft.keyHolder = "noRequests"),
  },
  {
    name: "a key without the scope",
    status: 403,
    code: "scope_missing",
    spoil: (draft) => void (draft.keyHolder = "readOnly"),
  },
  {
    name: "an invalid header",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.headers["Idempotency-Key"] = "a b"),
  },
  {
    name: "a wrong media type",
    status: 415,
    code: "unsupported_media_type",
    spoil: (draft) => void (draft.headers["Content-Type"] = "text/plain"),
  },
  {
    name: "a body too large",
    status: 413,
    code: "body_too_large",
    spoil: (draft) => void (draft.body = draft.body.padEnd(256 * 1024 + 1)),
  },
  {
    name: "a body that is not JSON",
    status: 400,
    code: "invalid_json",
    spoil: (draft) => void (draft.body = "nonsense"),
  },
];
const badPath: Fault = {
  name: "an invalid ID",
  status: 400,
  code: "invalid_request",
  spoil: (draft) => void (draft.rest = "/members/%zz/xp"),
};
const badQuery: Fault = {
  name: "an invalid query",
  status: 400,
  code: "invalid_request",
  spoil: (draft) => void (draft.query = "?include=x"),
};

/** What no clan's settings would accept. */
export const faultsOfAward: Fault[] = [
  ...beforeTheBody.slice(0, 6),
  badPath,
  badQuery,
  ...beforeTheBody.slice(6),
  {
    name: "an unknown field",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"amount":-2000000,"x":1}'),
  },
  {
    name: "an amount beyond every clan's bound",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"amount":-1000000000001}'),
  },
];
/**
 * What depends on settings, scopes, rates and members: the replay of an award that was applied is answered before them.
 */
export const faultsAfterReplay: Fault[] = [
  {
    name: "an amount beyond the clan's bound",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"amount":-2000000}'),
  },
  {
    name: "an exceeded rate of awards",
    status: 429,
    code: "rate_limited",
    spoil: (draft) => void (draft.keyHolder = "noAwards"),
  },
  {
    name: "a deduction without the scope",
    status: 403,
    code: "scope_missing",
    spoil(draft) {
      draft.keyHolder = "noDeduct";
      draft.body = '{"amount":-1}';
    },
  },
  {
    name: "an unknown member",
    status: 404,
    code: "member_not_found",
    spoil: (draft) => void (draft.rest = "/members/nobody/xp"),
  },
  {
    name: "a key that names another award",
    status: 422,
    code: "idempotency_key_reused",
    spoil: (draft) => void (draft.headers["Idempotency-Key"] = "bound"),
  },
];

/** As for one award, beside what its entries answer for themselves. */
export const faultsOfCall: Fault[] = [
  ...beforeTheBody.slice(0, 6),
  badQuery,
  ...beforeTheBody.slice(6),
  {
    name: "101 awards",
    status: 413,
    code: "too_many_awards",
    spoil: (draft) => void (draft.body = `{"awards":[${Array.from({ length: 101 }, () => 0).join()}]}`),
  },
  {
    name: "an empty list",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"awards":[]}'),
  },
  {
    name: "an amount beyond the clan's bound",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.body = '{"awards":[{"platformId":"nobody","amount":-2000000}]}'),
  },
  {
    name: "an exceeded rate of awards",
    status: 429,
    code: "rate_limited",
    spoil: (draft) => void (draft.keyHolder = "noAwards"),
  },
];

export const faultsOfBatch: Fault[] = [
  ...beforeTheBody,
  { name: "no awards", status: 400, code: "invalid_request", spoil: (draft) => void (draft.body = "{}") },
];

export const faultsOfRead: Fault[] = [
  ...beforeTheBody.slice(0, 5),
  {
    name: "a key without the scope",
    status: 403,
    code: "scope_missing",
    spoil: (draft) => void (draft.keyHolder = "noDeduct"),
  },
  {
    name: "an invalid ID",
    status: 400,
    code: "invalid_request",
    spoil: (draft) => void (draft.rest = "/members/%zz/ledger"),
  },
  { name: "an invalid limit", status: 400, code: "invalid_request", spoil: (draft) => void (draft.query = "?limit=0") },
  {
    name: "an unknown member",
    status: 404,
    code: "member_not_found",
    spoil: (draft) => void (draft.rest = "/members/stranger/ledger"),
  },
];
