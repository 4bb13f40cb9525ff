// The clan's destinations, by the same use cases as the command line.
import type { destinationEndpoints } from "#contract/dashboard/destinations.ts";
import { destinationResponse } from "#contract/dashboard/destination-response.ts";
import { DESTINATIONS_PER_CLAN_MAX } from "#domain/destination.ts";
import type { ManageDestinations } from "#delivery/manage-destinations.ts";
import type { DestinationStore } from "#delivery/ports.ts";
import { accepted, makeShownOf } from "../http/accepted-destination.ts";
import type { Routes } from "../http/route.ts";

const HOUR_MS = 3_600_000;

export function makeDestinationRoutes(deps: {
  manage: ManageDestinations;
  destinations: Pick<DestinationStore, "listOfClan">;
}): Routes<typeof destinationEndpoints> {
  const { manage, destinations } = deps;
  const shownOf = makeShownOf(manage.show);

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
  };
}

/** Absent, as the use case has it. */
function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
