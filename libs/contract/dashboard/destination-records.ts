// What became of a destination's events and of its members' roles, and doing either again.
import { z } from "zod";
import { attemptErrors, deliveryStates, roleOutcomeNames } from "#domain/destination.ts";
import { eventTypes } from "#domain/event.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, PlatformId } from "#contract/text.ts";

const Attempt = z.strictObject({
  at: Instant,
  ms: z.int(),
  status: z.int().nullable(),
  error: z.enum(attemptErrors).nullable(),
  response: z.string().nullable(),
});

/** `n`: the number of the event. `response` is null for those who may not change the clan. */
export const DeliveryFacts = z.strictObject({
  n: z.int(),
  eventId: z.string(),
  type: z.enum(eventTypes),
  at: Instant,
  member: z.strictObject({ platformId: PlatformId, name: z.string().nullable() }).nullable(),
  state: z.enum(deliveryStates),
  attempts: z.array(Attempt),
  nextAt: Instant.nullable(),
  reason: z.string().nullable(),
});
export type DeliveryFacts = z.infer<typeof DeliveryFacts>;

/** One event, which is found sooner with its number `n`, or all that have failed. */
const ResendRequest = z
  .strictObject({ eventId: z.string().optional(), n: z.int().optional(), failed: z.literal(true).optional() })
  .refine(({ eventId, failed }) => (eventId === undefined) !== (failed === undefined), {
    error: "must have exactly one of eventId and failed",
  });

const RoleFacts = z.strictObject({ roleId: z.string(), name: z.string(), isUsable: z.boolean() });
export type RoleFacts = z.infer<typeof RoleFacts>;

const RoleDifference = z.strictObject({
  platformId: z.string(),
  name: z.string().nullable(),
  rank: z.string().nullable(),
  has: z.array(z.string()),
  wants: z.array(z.string()),
});
/** Null: it takes longer, and goes on. */
export const SyncFacts = z.strictObject({
  result: z.strictObject({ members: z.int(), changed: z.int(), differences: z.array(RoleDifference) }).nullable(),
});
export type SyncFacts = z.infer<typeof SyncFacts>;

/** `roleId`: the role that the rank gives; null for none. */
const MemberRole = z.strictObject({
  platformId: z.string(),
  name: z.string().nullable(),
  rank: z.string().nullable(),
  roleId: z.string().nullable(),
  outcome: z.enum(roleOutcomeNames),
  reason: z.string().nullable(),
  at: Instant,
});
export type MemberRole = z.infer<typeof MemberRole>;

const path = "/api/clans/{clanId}/destinations/{destinationId}";
const params = ClanParams.extend({ destinationId: z.string() });
const changes = { params, access: "owner", query: NoQuery } as const;
const reads = { params, method: "GET", access: "viewer", body: NoBody } as const;

export const destinationRecordEndpoints = {
  "list-deliveries": endpoint({
    ...reads,
    path: `${path}/deliveries`,
    query: z.strictObject({
      state: z.enum(deliveryStates).optional(),
      /** The `nextCursor` of the previous page; the route parses it. */
      cursor: z.string().optional(),
    }),
    response: z.strictObject({
      deliveries: z.array(DeliveryFacts),
      /** Those that the members have now, by platformId; an event has the one at its time. */
      names: z.record(z.string(), z.string()),
      nextCursor: z.string().nullable(),
    }),
  }),
  "resend-deliveries": endpoint({
    ...changes,
    method: "POST",
    path: `${path}/resend`,
    body: ResendRequest,
    response: z.strictObject({ events: z.int() }),
  }),
  /** Asks Roblox or Discord, once for all who look at the same time. */
  "read-roles": endpoint({
    ...reads,
    path: `${path}/roles`,
    query: NoQuery,
    response: z.strictObject({ roles: z.array(RoleFacts) }),
  }),
  "sync-destination": endpoint({
    ...changes,
    method: "POST",
    path: `${path}/sync`,
    body: z.strictObject({ dryRun: z.boolean() }),
    response: SyncFacts,
  }),
  "list-member-roles": endpoint({
    ...reads,
    path: `${path}/members`,
    query: z.strictObject({
      outcome: z.enum(roleOutcomeNames).optional(),
      /** The `nextCursor` of the previous page; the route parses it. */
      cursor: z.string().optional(),
    }),
    response: z.strictObject({ members: z.array(MemberRole), nextCursor: z.string().nullable() }),
  }),
};
