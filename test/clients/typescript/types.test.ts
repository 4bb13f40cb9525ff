import type { z } from "zod";
import { expect, test } from "vitest";
import { endpoints, type EndpointName } from "#contract/endpoints.ts";
import type { ReversalBy as WireReversalBy } from "#contract/reversal.ts";
import type { ClanXp } from "../../../clients/typescript/src/clan-xp.ts";
import type * as names from "../../../clients/typescript/src/option-names.ts";
import type {
  AwardEntry,
  AwardOptions,
  BatchEntry,
  CallOptions,
  ClanXpOptions,
  EntryResult,
  EventPageOptions,
  EventsOptions,
  GainsOptions,
  GainsPageOptions,
  MemberGainsOptions,
  NamedMember,
  QueueOptions,
  ReversalBy,
  Source,
  StandingsOptions,
} from "../../../clients/typescript/src/types.ts";

type Method = Exclude<keyof ClanXp, "queue">;
type Returned<Name extends Method> = Awaited<ReturnType<ClanXp[Name]>>;
type Item<Name extends Method> = ReturnType<ClanXp[Name]> extends AsyncIterable<infer One> ? One : never;
type Answer<Name extends EndpointName, Status extends number = 200> = z.infer<
  Extract<(typeof endpoints)[Name]["responses"], Record<Status, unknown>>[Status]
>;
/** Both ways: the client's type has neither a field too many nor one too few. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Without<Type, Name extends PropertyKey> = Type extends unknown ? Omit<Type, Name> : never;

/** Callers may pass undefined for a field that they leave out. */
type Defined<Type> = Type extends unknown ? { [Name in keyof Type]: Exclude<Type[Name], undefined> } : never;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
/** The names of a list are those of the type: of each of its forms. */
type Named<Text extends string, Type> = Same<Words<Text>, Type extends unknown ? keyof Type : never>;

type Checks = {
  clan: Same<Returned<"clan">, Answer<"read-clan">>;
  member: Same<Returned<"member">, Answer<"read-member"> | null>;
  members: Same<Item<"members">, Answer<"list-members">["members"][number]>;
  membersById: Same<
    Returned<"membersById"> & { nextCursor: null },
    Required<Answer<"list-members">> & { nextCursor: null }
  >;
  around: Same<Returned<"around">, Answer<"list-members"> | null>;
  boards: Same<Returned<"boards">, Answer<"list-boards">["boards"]>;
  standings: Same<Returned<"standings">, Answer<"list-standings"> | null>;
  gains: Same<Item<"gains">, Answer<"list-gains">["members"][number]>;
  gainsPage: Same<Returned<"gainsPage">, Answer<"list-gains"> | null>;
  memberGains: Same<Returned<"memberGains">, Answer<"read-member-gains"> | null>;
  ledger: Same<Item<"ledger">, Answer<"read-ledger">["entries"][number]>;
  award: Same<Without<Returned<"award">, "replayed" | "idempotencyKey" | "requestId">, Answer<"apply-award">>;
  awards: Same<
    Without<EntryResult, "idempotencyKey" | "status">,
    Without<Answer<"apply-awards">["results"][number], "status">
  >;
  statuses: Same<EntryResult["status"], Answer<"apply-awards">["results"][number]["status"]>;
  batch: Same<Required<Returned<"batch">>, Answer<"read-batch">>;
  preview: Same<Returned<"previewReversal">, Answer<"submit-reversal">>;
  reverse: Same<Returned<"reverse">, Answer<"submit-reversal", 202>>;
  reversal: Same<Returned<"reversal">, Answer<"read-reversal">>;
  setNames: Same<Returned<"setNames">, Answer<"set-names">>;
  eventPage: Same<Returned<"eventPage">, Answer<"list-events">>;
  events: Same<Item<"events">, Answer<"list-events">["events"][number] & { cursor: string }>;
  by: Same<Defined<ReversalBy>, Defined<WireReversalBy>>;
  clientOptions: Named<typeof names.clientOptions, ClanXpOptions>;
  callOptions: Named<typeof names.callOptions, CallOptions>;
  awardOptions: Named<typeof names.awardOptions, AwardOptions>;
  awardFields: Named<typeof names.awardFields, AwardEntry>;
  batchFields: Named<typeof names.batchFields, BatchEntry>;
  sourceFields: Named<typeof names.sourceFields, Source>;
  eventsOptions: Named<typeof names.eventsOptions, EventsOptions>;
  eventPageOptions: Named<typeof names.eventPageOptions, EventPageOptions>;
  standingsOptions: Named<typeof names.standingsOptions, Omit<StandingsOptions, keyof CallOptions>>;
  gainsOptions: Named<typeof names.gainsOptions, Omit<GainsOptions, keyof CallOptions>>;
  gainsPageOptions: Named<typeof names.gainsPageOptions, Omit<GainsPageOptions, keyof CallOptions>>;
  memberGainsOptions: Named<typeof names.memberGainsOptions, Omit<MemberGainsOptions, keyof CallOptions>>;
  nameFields: Named<typeof names.nameFields, NamedMember>;
  byFields: Named<typeof names.byFields, ReversalBy>;
  queueOptions: Named<typeof names.queueOptions, QueueOptions>;
  submitted: Same<
    keyof Answer<"submit-batch"> | keyof Answer<"submit-batch", 202> | "createdAt" | "finishedAt",
    keyof Returned<"batch">
  >;
};
type Different = { [Name in keyof Checks]: Checks[Name] extends true ? never : Name }[keyof Checks];
/** This file does not compile when one of them differs, and names it: npm run check. */
const areAllSame: [Different] extends [never] ? true : Different = true;

const boards = ["list-boards", "list-periods", "read-period", "list-standings"] as const;

/** The method for each endpoint: a new endpoint does not compile without one. */
const methods = {
  "apply-award": "award",
  "apply-awards": "awards",
  "submit-batch": "submitBatch",
  "read-batch": "batch",
  "read-clan": "clan",
  "read-member": "member",
  "list-members": "members",
  "list-gains": "gainsPage",
  "read-member-gains": "memberGains",
  "read-ledger": "ledger",
  "list-events": "eventPage",
  "set-names": "setNames",
  "submit-reversal": "reverse",
  "read-reversal": "reversal",
} satisfies Record<Exclude<EndpointName, (typeof boards)[number]>, Method>;

test("every endpoint has a method whose result has the endpoint's type", () => {
  expect([...Object.keys(methods), ...boards].toSorted()).toStrictEqual(Object.keys(endpoints).toSorted());
  expect(areAllSame).toBe(true);
});
