// The clan's audit log: who changed what and when, with the values before and after.
import { z } from "zod";
import { auditActions, isActorName } from "#domain/audit.ts";
import { ClanParams, endpoint, NoBody } from "#contract/dashboard/endpoint.ts";
import { Instant, PlatformId } from "#contract/text.ts";

/** The fields that differ, as JSON; null if there was, or is, nothing. */
const Facts = z.record(z.string(), z.unknown()).nullable();

export const AuditRecordFacts = z.strictObject({
  at: Instant,
  actor: z.string(),
  via: z.enum(["cli", "dashboard"]),
  action: z.enum(auditActions),
  target: z.string(),
  /** The target, if it is a member. */
  member: z.strictObject({ platformId: PlatformId, name: z.string().nullable() }).exactOptional(),
  before: Facts,
  after: Facts,
});
export type AuditRecordFacts = z.infer<typeof AuditRecordFacts>;

const AuditPage = z.strictObject({ records: z.array(AuditRecordFacts), nextCursor: z.string().nullable() });

export const auditEndpoints = {
  "list-audit": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/audit",
    access: "viewer",
    params: ClanParams,
    query: z.strictObject({
      actor: z
        .string()
        .refine(isActorName, { error: "must be the name of a person, an account or a process" })
        .optional(),
      action: z.enum(auditActions).optional(),
      /** The `nextCursor` of the previous page; the route parses it. */
      cursor: z.string().optional(),
    }),
    body: NoBody,
    response: AuditPage,
  }),
};
