// What became of a destination's events and of its members' roles, and doing either again.
import type { DeliveryFacts, destinationRecordEndpoints } from "#contract/dashboard/destination-records.ts";
import { deliveryResponse, outcomeNamed } from "#contract/dashboard/destination-response.ts";
import { DeliveryCursor, encodeCursor, MemberRoleCursor } from "#contract/page.ts";
import { mayAct } from "#domain/account.ts";
import { outcomeName } from "#domain/destination.ts";
import { wantedRoles } from "#domain/role-change.ts";
import type { ListedDelivery } from "#delivery/list-deliveries.ts";
import type { ManageDestinations } from "#delivery/manage-destinations.ts";
import type { ReadRanks } from "#delivery/role-sync-ports.ts";
import type { NameStore } from "#names/ports.ts";
import { accepted, makeShownOf } from "../http/accepted-destination.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

const ROWS_PER_PAGE = 50;
/** Below the time after which a page gives up a response; the comparison then goes on. */
const SYNC_WAIT_MS = 12_000;

export function makeDestinationRecordRoutes(deps: {
  manage: ManageDestinations;
  readRanks: ReadRanks;
  names: Pick<NameStore, "read">;
}): Routes<typeof destinationRecordEndpoints> {
  const { manage, readRanks, names } = deps;
  const shownOf = makeShownOf(manage.show);

  return {
    async "list-deliveries"({ params: { clanId, destinationId }, query: { state, cursor }, who }) {
      await shownOf(clanId, destinationId);
      const before = positionIn(DeliveryCursor, cursor)?.[1] ?? null;
      const options = { state: state ?? null, before, limit: ROWS_PER_PAGE };
      const { items, next } = await manage.listDeliveries({ destinationId, clanId }, options);
      const ids = items.flatMap(({ member }) => member?.platformId ?? []);
      const known = await names.read(clanId, ids);
      // A response is the receiver's: for those who manage it.
      const seesResponses = mayAct(who.account, "owner", clanId);
      return {
        deliveries: items.map((item) => factsOf(item, seesResponses)),
        names: Object.fromEntries(known),
        nextCursor: next === null ? null : encodeCursor(["delivery", next]),
      };
    },

    async "resend-deliveries"({ params: { clanId, destinationId }, body, by }) {
      await shownOf(clanId, destinationId);
      const which = body.eventId === undefined ? { failed: true as const } : { eventId: body.eventId, n: body.n };
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
      const { result } = accepted(await manage.sync(destinationId, request));
      const changing = result?.differences ?? [];
      const ids = changing.map(({ platformId }) => platformId);
      const nameOf = await names.read(clanId, ids);
      const differences = changing.map(({ platformId, rank, has, wants }) => {
        return { platformId, name: nameOf.get(platformId) ?? null, rank, has: [...has], wants: [...wants] };
      });
      return { result: result && { ...result, differences } };
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

function factsOf({ member, at, ...delivery }: ListedDelivery, seesResponses: boolean): DeliveryFacts {
  const facts = deliveryResponse({ ...delivery, at });
  const attempts = seesResponses ? facts.attempts : facts.attempts.map((one) => ({ ...one, response: null }));
  return { n: delivery.n, ...facts, attempts, at: at.toISOString(), member };
}
