// The clan's audit log: who changed what and when, with the values before and after.
import { z } from "zod";
import { auditActions, isActorName } from "#domain/audit.ts";
import { ClanParams, CsvFile, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { BACKWARD, isForward } from "#contract/dashboard/time-span.ts";
import { Instant, PlatformId, XpSum } from "#contract/text.ts";

/** The fields that differ, as JSON; null if there was, or is, nothing. */
const Facts = z.record(z.string(), z.unknown()).nullable();

/**
 * What is stored of a reversal now. `isStored`: whether it has a page, until an erasure or retention. `platformId` and
 * `name`: of the member whose awards it selects, if it selects by one. `amount`: the XP that it took back, once it is
 * done.
 */
const ReversalFacts = z.strictObject({
  reason: z.string().nullable(),
  isStored: z.boolean(),
  platformId: PlatformId.nullable(),
  name: z.string().nullable().exactOptional(),
  amount: XpSum.nullable(),
});
export type ReversalFacts = z.infer<typeof ReversalFacts>;

export const AuditRecordFacts = z.strictObject({
  at: Instant,
  actor: z.string(),
  via: z.enum(["cli", "dashboard", "hook"]),
  action: z.enum(auditActions),
  target: z.string(),
  /** The target, if it is a member. */
  member: z.strictObject({ platformId: PlatformId, name: z.string().nullable() }).exactOptional(),
  /** What people call the target, if `target` is an id. */
  targetName: z.string().exactOptional(),
  reversal: ReversalFacts.exactOptional(),
  before: Facts,
  after: Facts,
});
export type AuditRecordFacts = z.infer<typeof AuditRecordFacts>;

const AuditPage = z.strictObject({ records: z.array(AuditRecordFacts), nextCursor: z.string().nullable() });

/** `from` is inclusive, `to` exclusive. */
const filter = {
  actor: z.string().refine(isActorName, { error: "must be the name of a person, an account or a process" }).optional(),
  action: z.enum(auditActions).optional(),
  from: Instant.optional(),
  to: Instant.optional(),
};

const base = { method: "GET", access: "viewer", params: ClanParams, body: NoBody } as const;
export const auditEndpoints = {
  "list-audit": endpoint({
    ...base,
    path: "/api/clans/{clanId}/audit",
    /** `cursor`: the `nextCursor` of the previous page; the route parses it. */
    query: z.strictObject({ ...filter, cursor: z.string().optional() }).refine(isForward, BACKWARD),
    response: AuditPage,
  }),
  /** Who has changed something in the clan, by name: suggestions for the filter. */
  "list-audit-actors": endpoint({
    ...base,
    path: "/api/clans/{clanId}/audit/actors",
    query: NoQuery,
    response: z.strictObject({ actors: z.array(z.string()) }),
  }),
  "export-audit": endpoint({
    ...base,
    path: "/api/clans/{clanId}/audit.csv",
    query: z.strictObject(filter).refine(isForward, BACKWARD),
    response: CsvFile,
  }),
};
