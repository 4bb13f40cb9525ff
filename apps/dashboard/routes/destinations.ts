// The clan's destinations, by the same use cases as the command line.
import type { destinationEndpoints } from "#contract/dashboard/destinations.ts";
import { deliveryResponse, destinationResponse, outcomeName, outcomeNamed } from "#contract/destination-response.ts";
import { DeliveryCursor, encodeCursor, MemberRoleCursor } from "#contract/page.ts";
import { mayAct } from "#domain/account.ts";
import { DESTINATIONS_PER_CLAN_MAX, type ShownDestination } from "#domain/destination.ts";
import { wantedRoles } from "#domain/role-change.ts";
import type { ManageDestinations } from "#usecases/destinations/manage-destinations.ts";
import type { DestinationStore } from "#usecases/destinations/ports.ts";
import type { ReadRanks } from "#usecases/destinations/role-sync-ports.ts";
import type { DestinationRejection } from "#usecases/destinations/rejection.ts";
import type { NameStore } from "#usecases/names/ports.ts";
import type { DashboardCode } from "#contract/dashboard/problem.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

const ROWS_PER_PAGE = 50;
const HOUR_MS = 3_600_000;
/** Below the time after which a page gives up a response; the comparison then goes on. */
const SYNC_WAIT_MS = 12_000;

export function makeDestinationRoutes(deps: {
  manage: ManageDestinations;
  destinations: Pick<DestinationStore, "listOfClan">;
  readRanks: ReadRanks;
  names: Pick<NameStore, "read">;
}): Routes<typeof destinationEndpoints> {
  const { manage, destinations, readRanks, names } = deps;

  /** A destination of another clan is treated as unknown. */
  async function shownOf(clanId: string, destinationId: string): Promise<ShownDestination> {
    const shown = await manage.show.one(destinationId);
    if (shown?.clanId === clanId) return shown;
    throw new DashboardError("destination_not_found", "This clan has no such destination.");
  }

  async function changed(clanId: string, done: Awaited<ReturnType<ManageDestinations["set"]>>) {
    const { destination, secret } = accepted(done);
    return { destination: destinationResponse(await shownOf(clanId, destination.destinationId)), secret };
  }

  return {
    async "list-destinations"({ params: { clanId } }) {
      const shown = await manage.show.ofClan(clanId);
      return { destinations: shown.map(destinationResponse), max: DESTINATIONS_PER_CLAN_MAX };
    },

    async "list-disabled-destinations"({ params: { clanId } }) {
      const disabled = (await destinations.listOfClan(clanId)).filter(
        ({ destination }) => destination.state === "disabled",
      );
      return { destinations: disabled.map(({ destination: { destinationId, name } }) => ({ destinationId, name })) };
    },

    async "add-destination"({ params: { clanId }, body, by }) {
      const { destination, secret } = accepted(await manage.add({ clanId, ...withoutUndefined(body) }, by));
      return { destination: destinationResponse(await shownOf(clanId, destination.destinationId)), secret };
    },

    async "read-destination"({ params: { clanId, destinationId } }) {
      return destinationResponse(await shownOf(clanId, destinationId));
    },

    async "change-destination"({ params: { clanId, destinationId }, body, by }) {
      await shownOf(clanId, destinationId);
      return changed(clanId, await manage.set(destinationId, withoutUndefined(body), by));
    },

    async "pause-destination"({ params: { clanId, destinationId }, by }) {
      await shownOf(clanId, destinationId);
      return (await changed(clanId, await manage.pause(destinationId, by))).destination;
    },

    async "resume-destination"({ params: { clanId, destinationId }, body, by }) {
      await shownOf(clanId, destinationId);
      return (await changed(clanId, await manage.resume(destinationId, body, by))).destination;
    },

    async "rotate-destination"({ params: { clanId, destinationId }, body, by }) {
      await shownOf(clanId, destinationId);
      return changed(clanId, await manage.rotate(destinationId, { graceMs: body.graceHours * HOUR_MS }, by));
    },

    async "remove-destination"({ params: { clanId, destinationId }, by }) {
      await shownOf(clanId, destinationId);
      await manage.remove(destinationId, by);
      return { done: true };
    },

    async "test-destination"({ params: { clanId, destinationId } }) {
      await shownOf(clanId, destinationId);
      return accepted(await manage.test(destinationId)).result;
    },

    async "list-deliveries"({ params: { clanId, destinationId }, query: { state, cursor }, who }) {
      await shownOf(clanId, destinationId);
      const before = positionIn(DeliveryCursor, cursor)?.[1] ?? null;
      const options = { state: state ?? null, before, limit: ROWS_PER_PAGE };
      const { items, next } = await manage.listDeliveries({ destinationId, clanId }, options);
      // A response is the receiver's: for those who manage it.
      const seesResponses = mayAct(who.account, "owner", clanId);
      const deliveries = items.map(({ member, at, ...delivery }) => {
        const facts = deliveryResponse({ ...delivery, at });
        const attempts = seesResponses ? facts.attempts : facts.attempts.map((one) => ({ ...one, response: null }));
        return { ...facts, attempts, at: at.toISOString(), member };
      });
      return { deliveries, nextCursor: next === null ? null : encodeCursor(["delivery", next]) };
    },

    async "resend-deliveries"({ params: { clanId, destinationId }, body, by }) {
      await shownOf(clanId, destinationId);
      const which = body.eventId === undefined ? { failed: true as const } : { eventId: body.eventId };
      const resent = accepted(await manage.resend(destinationId, which, by));
      return { events: resent.kind === "resent" ? resent.events : 0 };
    },

    async "read-roles"({ params: { clanId, destinationId } }) {
      await shownOf(clanId, destinationId);
      const { roles } = accepted(await manage.readRoles(destinationId));
      return { roles: [...roles] };
    },

    async "sync-destination"({ params: { clanId, destinationId }, body: { dryRun } }) {
      await shownOf(clanId, destinationId);
      const request = { platformId: null, dryRun, waitMs: SYNC_WAIT_MS };
      const synced = accepted(await manage.sync(destinationId, request));
      const { result } = synced;
      const differences = result?.differences.map(({ has, wants, ...one }) => ({
        ...one,
        has: [...has],
        wants: [...wants],
      }));
      return { result: result && { ...result, differences: differences ?? [] } };
    },

    async "list-member-roles"({ params: { clanId, destinationId }, query: { outcome, cursor } }) {
      const { kind, mapping } = await shownOf(clanId, destinationId);
      const wanted = outcome === undefined ? null : outcomeNamed(kind, outcome);
      if (outcome !== undefined && wanted === null) return { members: [], nextCursor: null };
      const after = positionIn(MemberRoleCursor, cursor)?.[1] ?? null;
      const { items, next } = await manage.pageOfRoles(destinationId, { outcome: wanted, after, limit: ROWS_PER_PAGE });
      const ids = items.map(({ platformId }) => platformId);
      const [ranks, nameOf] = await Promise.all([readRanks(clanId, ids), names.read(clanId, ids)]);
      const members = items.map(({ platformId, outcome: one, reason, at }) => {
        const rank = ranks.get(platformId) ?? null;
        const [roleId = null] = rank && mapping ? wantedRoles(mapping, rank) : [];
        const name = nameOf.get(platformId) ?? null;
        const became = { outcome: outcomeName(kind, one), reason, at: at.toISOString() };
        return { platformId, name, rank: rank?.rank ?? null, roleId, ...became };
      });
      return { members, nextCursor: next === null ? null : encodeCursor(["role", next]) };
    },
  };
}

const codes: Record<DestinationRejection["why"], DashboardCode> = {
  no_clan: "not_found",
  no_destination: "destination_not_found",
  invalid: "invalid_request",
  too_many: "conflict",
  no_secrets_key: "conflict",
  no_notifier: "no_notifier",
  refused: "conflict",
};

function accepted<Done extends { kind: string }>(
  outcome: Done | DestinationRejection,
): Exclude<Done, DestinationRejection> {
  if (!isRejection(outcome)) return outcome as Exclude<Done, DestinationRejection>;
  throw new DashboardError(codes[outcome.why], outcome.detail, { faults: outcome.faults });
}

function isRejection(outcome: { kind: string }): outcome is DestinationRejection {
  return outcome.kind === "rejected";
}

/** Absent, as the use case has it. */
function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
