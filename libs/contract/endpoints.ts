// The one endpoint table. Routes, their input, their headers and the OpenAPI document are all derived from it.
/* oxlint-disable eslint/max-lines -- one table is easier to search than parts of it */
import { z } from "zod";
import { AwardResponse, AwardQuery, AwardRequest } from "#contract/award.ts";
import { AwardsResponse, AwardsHeaders, AwardsRequest } from "#contract/awards.ts";
import { BatchAccepted, BatchResponse, BatchRequest, BatchState } from "#contract/batch.ts";
import {
  BoardId,
  BoardsResponse,
  PeriodId,
  PeriodResponse,
  PeriodsResponse,
  StandingsResponse,
} from "#contract/board.ts";
import { PeriodsQuery, StandingsQuery } from "#contract/board-queries.ts";
import { ClanQuery, ClanResponse } from "#contract/clan.ts";
import { EventsQuery, EventsResponse } from "#contract/events.ts";
import { GainsQuery } from "#contract/gains-query.ts";
import { GainsCounting, GainsResponse } from "#contract/gains.ts";
import { IdempotencyKey } from "#contract/idempotency-key.ts";
import { LedgerResponse, LedgerQuery } from "#contract/ledger.ts";
import { MemberGainsQuery, MemberGainsResponse } from "#contract/member-gains.ts";
import { MemberResponse, MemberQuery } from "#contract/member.ts";
import { MembersResponse, MembersQuery } from "#contract/members.ts";
import { NamesResponse, NamesRequest } from "#contract/names.ts";
import { Prefer } from "#contract/prefer.ts";
import { ReversalAccepted, ReversalPreview, ReversalRequest, ReversalState } from "#contract/reversal.ts";
import { PlatformId } from "#contract/text.ts";
import { AWARDS_PER_BATCH_MAX, AWARDS_PER_CALL_MAX } from "#domain/bounds.ts";
import type { ErrorCode } from "#kernel/error-code.ts";
import type { Scope } from "#domain/scope.ts";

type Path = `/v0/clans/{clanId}${string}`;

/** Why callers should stop using an endpoint, and its successor (RFC 9745, RFC 5829). */
export type Deprecation = { sinceUnixS: number; page: string; successor: Path };

export const tags = {
  Awards: "Change the XP of members.",
  Members: "Read members, the leaderboard and ledgers.",
  Boards: "Read who gained the most XP in a period.",
  Clan: "Read the clan's settings.",
  Events: "Follow what changes in the clan.",
  Corrections: "Reverse awards.",
  Batches: "Deprecated: many awards in one request, applied by a worker.",
} as const;
type Tag = keyof typeof tags;

export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A template; every path begins with the clan that the key must belong to. */
  path: Path;
  /** The parameters of the path, by their names in the template. */
  params: z.ZodObject;
  /** Scopes, any of which grants access. */
  scopes: readonly Scope[];
  maturity: "alpha" | "beta" | "deprecated";
  deprecation?: Deprecation;
  summary: string;
  /** Its group in the OpenAPI document. */
  tag: Tag;
  query: z.ZodObject;
  /** The request headers that it reads, in addition to those of authentication and of the body. */
  headers: z.ZodObject;
  /** NoBody: the body is not read. */
  body: z.ZodType;
  /**
   * The maximum length of the list `awards` in the body. A longer one is `too_many_awards`, whatever else is invalid in
   * the body.
   */
  awardsMax?: number;
  responses: Readonly<Record<number, z.ZodType>>;
  /** Its specific codes, in addition to those of every endpoint and of every body. */
  errors: readonly ErrorCode[];
};

const ClanPath = z.object({ clanId: z.string().meta({ description: "The clan of the API key." }) });
const MemberPath = ClanPath.extend({ platformId: PlatformId });
const BatchPath = ClanPath.extend({ batchId: z.string().meta({ description: "The batchId from the 202 response." }) });
const BoardPath = ClanPath.extend({ boardId: BoardId });
const ReversalPath = ClanPath.extend({
  reversalId: z.string().meta({ description: "The reversalId from the 202 response." }),
});

const NoQuery = z.strictObject({});
/** Query parameters are ignored (docs/decisions/0012). */
const AnyQuery = z.object({});
const NoHeaders = z.object({});
export const NoBody = z.undefined();

/** 2026-11-21T00:00:00Z: the day on which the endpoint for one member replaced the batch. */
const BATCH_DEPRECATED_SINCE_UNIX_S = 1_795_219_200;

export const endpoints = {
  "apply-award": {
    method: "POST",
    path: "/v0/clans/{clanId}/members/{platformId}/xp",
    params: MemberPath,
    scopes: ["award"],
    maturity: "beta",
    summary: "Apply an award",
    tag: "Awards",
    query: AwardQuery,
    headers: z.object({ "Idempotency-Key": IdempotencyKey.optional() }),
    body: AwardRequest,
    responses: { 200: AwardResponse },
    errors: ["budget_exceeded", "member_not_found", "idempotency_key_reused", "outcome_unknown"],
  },
  "apply-awards": {
    method: "POST",
    path: "/v0/clans/{clanId}/awards",
    params: ClanPath,
    scopes: ["award"],
    maturity: "alpha",
    summary: "Apply several awards",
    tag: "Awards",
    query: AwardQuery,
    headers: AwardsHeaders,
    body: AwardsRequest,
    awardsMax: AWARDS_PER_CALL_MAX,
    responses: { 200: AwardsResponse },
    errors: ["too_many_awards", "outcome_unknown"],
  },
  "submit-batch": {
    method: "POST",
    path: "/v0/clans/{clanId}/xp",
    params: ClanPath,
    scopes: ["award"],
    maturity: "deprecated",
    deprecation: {
      sinceUnixS: BATCH_DEPRECATED_SINCE_UNIX_S,
      page: "/docs/how-to/migrate-from-batch-awards.md",
      successor: "/v0/clans/{clanId}/members/{platformId}/xp",
    },
    summary: "Submit a batch",
    tag: "Batches",
    query: AnyQuery,
    headers: z.object({ "Idempotency-Key": IdempotencyKey.optional(), Prefer: Prefer.optional() }),
    body: BatchRequest,
    awardsMax: AWARDS_PER_BATCH_MAX,
    responses: { 200: BatchResponse, 202: BatchAccepted },
    errors: ["too_many_awards", "idempotency_key_reused", "outcome_unknown"],
  },
  "read-batch": {
    method: "GET",
    path: "/v0/clans/{clanId}/batches/{batchId}",
    params: BatchPath,
    scopes: ["read", "award"],
    maturity: "alpha",
    summary: "Read a batch",
    tag: "Batches",
    query: NoQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: BatchState },
    errors: ["batch_not_found"],
  },
  "read-clan": {
    method: "GET",
    path: "/v0/clans/{clanId}",
    params: ClanPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read the clan",
    tag: "Clan",
    query: ClanQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: ClanResponse },
    errors: [],
  },
  "read-member": {
    method: "GET",
    path: "/v0/clans/{clanId}/members/{platformId}",
    params: MemberPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read a member",
    tag: "Members",
    query: MemberQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: MemberResponse },
    errors: ["member_not_found"],
  },
  "list-members": {
    method: "GET",
    path: "/v0/clans/{clanId}/members",
    params: ClanPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "List members",
    tag: "Members",
    query: MembersQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: MembersResponse },
    errors: ["member_not_found"],
  },
  "read-ledger": {
    method: "GET",
    path: "/v0/clans/{clanId}/members/{platformId}/ledger",
    params: MemberPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read a ledger",
    tag: "Members",
    query: LedgerQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: LedgerResponse },
    errors: ["member_not_found"],
  },
  "read-member-gains": {
    method: "GET",
    path: "/v0/clans/{clanId}/members/{platformId}/gains",
    params: MemberPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read a member's gains",
    tag: "Members",
    query: MemberGainsQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: MemberGainsResponse },
    errors: ["member_not_found"],
  },
  "set-names": {
    method: "POST",
    path: "/v0/clans/{clanId}/names",
    params: ClanPath,
    scopes: ["award"],
    maturity: "alpha",
    summary: "Set names of members",
    tag: "Members",
    query: NoQuery,
    headers: NoHeaders,
    body: NamesRequest,
    responses: { 200: NamesResponse },
    errors: ["outcome_unknown"],
  },
  "list-events": {
    method: "GET",
    path: "/v0/clans/{clanId}/events",
    params: ClanPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "List events",
    tag: "Events",
    query: EventsQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: EventsResponse },
    errors: ["cursor_expired"],
  },
  "list-gains": {
    method: "GET",
    path: "/v0/clans/{clanId}/gains",
    params: ClanPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "List gains",
    tag: "Members",
    query: GainsQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: GainsResponse, 202: GainsCounting },
    errors: ["member_not_found", "cursor_expired"],
  },
  "list-boards": {
    method: "GET",
    path: "/v0/clans/{clanId}/boards",
    params: ClanPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "List boards",
    tag: "Boards",
    query: NoQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: BoardsResponse },
    errors: [],
  },
  "list-periods": {
    method: "GET",
    path: "/v0/clans/{clanId}/boards/{boardId}/periods",
    params: BoardPath,
    scopes: ["read"],
    maturity: "alpha",
    summary: "List the periods of a board",
    tag: "Boards",
    query: PeriodsQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: PeriodsResponse },
    errors: ["board_not_found"],
  },
  "read-period": {
    method: "GET",
    path: "/v0/clans/{clanId}/boards/{boardId}/periods/{periodId}",
    params: BoardPath.extend({ periodId: PeriodId }),
    scopes: ["read"],
    maturity: "alpha",
    summary: "Read a period of a board",
    tag: "Boards",
    query: NoQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: PeriodResponse },
    errors: ["board_not_found", "period_not_found"],
  },
  "list-standings": {
    method: "GET",
    path: "/v0/clans/{clanId}/boards/{boardId}/periods/{periodId}/members",
    params: BoardPath.extend({ periodId: PeriodId }),
    scopes: ["read"],
    maturity: "alpha",
    summary: "List the members of a period",
    tag: "Boards",
    query: StandingsQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: StandingsResponse },
    errors: ["board_not_found", "period_not_found", "member_not_found"],
  },
  "submit-reversal": {
    method: "POST",
    path: "/v0/clans/{clanId}/reversals",
    params: ClanPath,
    scopes: ["reverse"],
    maturity: "alpha",
    summary: "Reverse awards",
    tag: "Corrections",
    query: NoQuery,
    headers: z.object({ "Idempotency-Key": IdempotencyKey.optional() }),
    body: ReversalRequest,
    responses: { 200: ReversalPreview, 202: ReversalAccepted },
    errors: ["idempotency_key_reused", "outcome_unknown"],
  },
  "read-reversal": {
    method: "GET",
    path: "/v0/clans/{clanId}/reversals/{reversalId}",
    params: ReversalPath,
    scopes: ["read", "reverse"],
    maturity: "alpha",
    summary: "Read a reversal",
    tag: "Corrections",
    query: NoQuery,
    headers: NoHeaders,
    body: NoBody,
    responses: { 200: ReversalState },
    errors: ["reversal_not_found"],
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

export const endpointNames: readonly EndpointName[] = Object.keys(endpoints).filter(isEndpointName);

function isEndpointName(name: string): name is EndpointName {
  return name in endpoints;
}
