// A clan's destinations, their deliveries, and the roles that they assign. Only the response that made a signing secret
// contains it; URLs, keys and tokens are never returned.
import { z } from "zod";
import {
  DESTINATION_NAME_CHARS_MAX,
  DESTINATION_URL_CHARS_MAX,
  destinationKinds,
  destinationStates,
  isDestinationName,
  onlyChoices,
  REQUESTS_PER_MINUTE_MAX,
  REQUESTS_PER_MINUTE_MIN,
  roleOutcomeNames,
} from "#domain/destination.ts";
import { eventTypes } from "#domain/event.ts";
import { graceHours } from "#contract/dashboard/keys.ts";
import { ClanParams, Done, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant } from "#contract/text.ts";

/** `groupId`, `guildId`, `roles`, `requestsPerMinute` and `outcomes` are of the kinds that assign roles. */
export const DestinationFacts = z.strictObject({
  destinationId: z.string(),
  clanId: z.string(),
  name: z.string(),
  kind: z.enum(destinationKinds),
  types: z.array(z.enum(eventTypes)),
  only: z.enum(onlyChoices).exactOptional(),
  state: z.enum(destinationStates),
  stateReason: z.string().nullable(),
  since: Instant,
  sendsTo: z.string(),
  behind: z.int(),
  oldestBehindS: z.int().nullable(),
  waiting: z.int(),
  failed: z.int(),
  missed: z.int(),
  lastDeliveredAt: Instant.nullable(),
  createdAt: Instant,
  createdBy: z.string(),
  groupId: z.string().exactOptional(),
  guildId: z.string().exactOptional(),
  roles: z.record(z.string(), z.string()).exactOptional(),
  requestsPerMinute: z.int().exactOptional(),
  outcomes: z.partialRecord(z.enum(roleOutcomeNames), z.int()).exactOptional(),
});
export type DestinationFacts = z.infer<typeof DestinationFacts>;

const DestinationList = z.strictObject({ destinations: z.array(DestinationFacts), max: z.int() });
export type DestinationList = z.infer<typeof DestinationList>;

/** `secret`: a signing secret that was made, shown once. */
const ChangedDestination = z.strictObject({ destination: DestinationFacts, secret: z.string().nullable() });

const Name = z.string().refine(isDestinationName, {
  error: `must be 1 to ${DESTINATION_NAME_CHARS_MAX} characters of plain text`,
});
const Url = z
  .string()
  .min(1, { error: "must be the address to which events are sent" })
  .max(DESTINATION_URL_CHARS_MAX, { error: `must have at most ${DESTINATION_URL_CHARS_MAX} characters` });
const Types = z.array(z.enum(eventTypes)).min(1, { error: "must name at least one type of event" });
/** Of Discord messages; null: all of the types. */
const Only = z.enum(onlyChoices).nullable();
const Target = z.string().regex(/^\d{1,20}$/, { error: "must be an id, a number" });
const Credential = z.string().min(1, { error: "must not be empty" });
/** Role ids by the names of ranks. */
const Roles = z.record(z.string(), z.string());
const RATE = {
  error: `must be a whole number from ${REQUESTS_PER_MINUTE_MIN} to ${REQUESTS_PER_MINUTE_MAX}`,
};
const RequestsPerMinute = z.int(RATE).min(REQUESTS_PER_MINUTE_MIN, RATE).max(REQUESTS_PER_MINUTE_MAX, RATE);

/** The use case decides which settings a kind needs, and rejects those of another one. */
export const AddDestinationRequest = z.strictObject({
  kind: z.enum(destinationKinds),
  name: Name,
  url: Url.optional(),
  types: Types.optional(),
  only: Only.optional(),
  target: Target.optional(),
  credential: Credential.optional(),
});
export type AddDestinationRequest = z.infer<typeof AddDestinationRequest>;

/** The settings that change; the use case rejects those of another kind. */
export const ChangeDestinationRequest = z
  .strictObject({
    name: Name,
    url: Url,
    types: Types,
    only: Only,
    target: Target,
    credential: Credential,
    roles: Roles,
    requestsPerMinute: RequestsPerMinute,
  })
  .partial()
  .refine((settings) => Object.keys(settings).length > 0, { error: "must name at least one setting" });
export type ChangeDestinationRequest = z.infer<typeof ChangeDestinationRequest>;

export const TestFacts = z.strictObject({
  status: z.int().nullable(),
  ms: z.int(),
  error: z.string().nullable(),
  response: z.string().nullable(),
});
export type TestFacts = z.infer<typeof TestFacts>;

const path = "/api/clans/{clanId}/destinations/{destinationId}";
const params = ClanParams.extend({ destinationId: z.string() });
const changes = { params, access: "owner", query: NoQuery } as const;

export const destinationEndpoints = {
  "list-destinations": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/destinations",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: DestinationList,
  }),
  /** What every page of the clan names. */
  "list-disabled-destinations": endpoint({
    method: "GET",
    path: "/api/clans/{clanId}/disabled-destinations",
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: z.strictObject({ destinations: z.array(DestinationFacts.pick({ destinationId: true, name: true })) }),
  }),
  "add-destination": endpoint({
    method: "POST",
    path: "/api/clans/{clanId}/destinations",
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: AddDestinationRequest,
    response: ChangedDestination,
  }),
  "read-destination": endpoint({
    method: "GET",
    path,
    access: "viewer",
    params,
    query: NoQuery,
    body: NoBody,
    response: DestinationFacts,
  }),
  "change-destination": endpoint({
    ...changes,
    method: "PATCH",
    path,
    body: ChangeDestinationRequest,
    response: ChangedDestination,
  }),
  "pause-destination": endpoint({
    ...changes,
    method: "POST",
    path: `${path}/pause`,
    body: NoBody,
    response: DestinationFacts,
  }),
  "resume-destination": endpoint({
    ...changes,
    method: "POST",
    path: `${path}/resume`,
    body: z.strictObject({ fromNow: z.boolean() }),
    response: DestinationFacts,
  }),
  "rotate-destination": endpoint({
    ...changes,
    method: "POST",
    path: `${path}/rotate`,
    body: z.strictObject({ graceHours: z.union(graceHours.map((hours) => z.literal(hours))) }),
    response: ChangedDestination,
  }),
  "remove-destination": endpoint({ ...changes, method: "DELETE", path, body: NoBody, response: Done }),
  "test-destination": endpoint({
    ...changes,
    method: "POST",
    path: `${path}/test`,
    body: NoBody,
    response: TestFacts,
  }),
};
