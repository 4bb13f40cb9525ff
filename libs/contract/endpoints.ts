// The one endpoint table: routes, documentation and clients derive from it.
import { z } from "zod";
import { AwardAnswer, AwardQuery, AwardRequest } from "#contract/award.ts";
import { BatchAccepted, BatchAnswer, BatchRequest, BatchState } from "#contract/batch.ts";
import { ClanAnswer } from "#contract/clan.ts";
import { LedgerAnswer, LedgerQuery } from "#contract/ledger.ts";
import { MemberAnswer, MembersAnswer, MembersQuery } from "#contract/member.ts";
import type { Scope } from "#domain/scope.ts";

export type Endpoint = {
  method: "GET" | "POST";
  /** A template; every path begins with the clan that the key must belong to. */
  path: `/v0/clans/{clanId}${string}`;
  /** Any one of these opens it. */
  scopes: readonly Scope[];
  maturity: "alpha" | "beta" | "deprecated";
  /** Null: query parameters are ignored (docs/decisions/0012). */
  query: z.ZodType | null;
  body: z.ZodType | null;
  answers: Readonly<Record<number, z.ZodType>>;
};

const NoQuery = z.strictObject({});

export const endpoints = {
  "apply-award": {
    method: "POST",
    path: "/v0/clans/{clanId}/members/{platformId}/xp",
    scopes: ["award"],
    maturity: "beta",
    query: AwardQuery,
    body: AwardRequest,
    answers: { 200: AwardAnswer },
  },
  "submit-batch": {
    method: "POST",
    path: "/v0/clans/{clanId}/xp",
    scopes: ["award"],
    maturity: "deprecated",
    query: null,
    body: BatchRequest,
    answers: { 200: BatchAnswer, 202: BatchAccepted },
  },
  "read-batch": {
    method: "GET",
    path: "/v0/clans/{clanId}/batches/{batchId}",
    scopes: ["read", "award"],
    maturity: "alpha",
    query: NoQuery,
    body: null,
    answers: { 200: BatchState },
  },
  "read-clan": {
    method: "GET",
    path: "/v0/clans/{clanId}",
    scopes: ["read"],
    maturity: "alpha",
    query: NoQuery,
    body: null,
    answers: { 200: ClanAnswer },
  },
  "read-member": {
    method: "GET",
    path: "/v0/clans/{clanId}/members/{platformId}",
    scopes: ["read"],
    maturity: "alpha",
    query: NoQuery,
    body: null,
    answers: { 200: MemberAnswer },
  },
  "list-members": {
    method: "GET",
    path: "/v0/clans/{clanId}/members",
    scopes: ["read"],
    maturity: "alpha",
    query: MembersQuery,
    body: null,
    answers: { 200: MembersAnswer },
  },
  "read-ledger": {
    method: "GET",
    path: "/v0/clans/{clanId}/members/{platformId}/ledger",
    scopes: ["read"],
    maturity: "alpha",
    query: LedgerQuery,
    body: null,
    answers: { 200: LedgerAnswer },
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
