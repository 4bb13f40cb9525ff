// The one endpoint table: routes, documentation and clients derive from it.
import { z } from "zod";
import { AwardAnswer, AwardQuery, AwardRequest } from "#contract/award.ts";
import { BatchAccepted, BatchAnswer, BatchRequest, BatchState } from "#contract/batch.ts";
import { ClanAnswer } from "#contract/clan.ts";
import { LedgerAnswer, LedgerQuery } from "#contract/ledger.ts";
import { MemberAnswer, MembersAnswer, MembersQuery } from "#contract/member.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import type { Scope } from "#domain/scope.ts";

export type Endpoint = {
  method: "GET" | "POST";
  /** A template; every path begins with the clan that the key must belong to. */
  path: `/v0/clans/{clanId}${string}`;
  /** Any one of these opens it. */
  scopes: readonly Scope[];
  maturity: "alpha" | "beta" | "deprecated";
  summary: string;
  /** Null: query parameters are ignored (docs/decisions/0012). */
  query: z.ZodType | null;
  body: z.ZodType | null;
  answers: Readonly<Record<number, z.ZodType>>;
  /** Codes of its own, beside those of every endpoint and of every body. */
  refusals: readonly ErrorCode[];
};

const NoQuery = z.strictObject({});

export const endpoints = {
  "apply-award": {
    method: "POST",
    path: "/v0/clans/{clanId}/members/{platformId}/xp",
    scopes: ["award"],
    maturity: "beta",
    summary: "Apply an award",
    query: AwardQuery,
    body: AwardRequest,
    answers: { 200: AwardAnswer },
    refusals: ["member_not_found", "idempotency_key_reused", "outcome_unknown"],
  },
  "submit-batch": {
    method: "POST",
    path: "/v0/clans/{clanId}/xp",
    scopes: ["award"],
    maturity: "deprecated",
    summary: "Submit a batch",
    query: null,
    body: BatchRequest,
    answers: { 200: BatchAnswer, 202: BatchAccepted },
    refusals: ["too_many_awards", "idempotency_key_reused", "outcome_unknown"],
  },
  "read-batch": {
    method: "GET",
    path: "/v0/clans/{clanId}/batches/{batchId}",
    scopes: ["read", "award"],
    maturity: "alpha",
    summary: "Read a batch",
    query: NoQuery,
    body: null,
    answers: { 200: BatchState },
    refusals: ["batch_not_found"],
  },
  "read-clan": {
    method: "GET",
    path: "/v0/clans/{clanId}",
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read the clan",
    query: NoQuery,
    body: null,
    answers: { 200: ClanAnswer },
    refusals: [],
  },
  "read-member": {
    method: "GET",
    path: "/v0/clans/{clanId}/members/{platformId}",
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read a member",
    query: NoQuery,
    body: null,
    answers: { 200: MemberAnswer },
    refusals: ["member_not_found"],
  },
  "list-members": {
    method: "GET",
    path: "/v0/clans/{clanId}/members",
    scopes: ["read"],
    maturity: "alpha",
    summary: "List members",
    query: MembersQuery,
    body: null,
    answers: { 200: MembersAnswer },
    refusals: [],
  },
  "read-ledger": {
    method: "GET",
    path: "/v0/clans/{clanId}/members/{platformId}/ledger",
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read a ledger",
    query: LedgerQuery,
    body: null,
    answers: { 200: LedgerAnswer },
    refusals: ["member_not_found"],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
