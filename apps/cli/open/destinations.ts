// Destinations as the CLI manages them: with the key that encrypts their secrets, and the addresses that an operator
// has allowed.
import { makeCheckAddress } from "#delivery/couriers/check-address.ts";
import { maskUrl } from "#delivery/couriers/mask-url.ts";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import { newSigningSecret } from "#process/secrets.ts";
import { makeIds } from "#process/ids.ts";
import { makeManageDestinations } from "#delivery/manage-destinations.ts";
import type { Cli } from "../cli.ts";
import type { Settings } from "./environment.ts";

type Needs = Pick<Cli, "servers" | "settings" | "clock">;

export async function openDestinations(cli: Needs) {
  return open(cli, cli.settings("servers", "secretsKey", "allowPrivate"));
}

/** The same for commands that change them: with the person who does it. */
export async function openDestinationsBy(cli: Needs) {
  const { actor: by, ...settings } = cli.settings("servers", "actor", "secretsKey", "allowPrivate");
  return { by, ...(await open(cli, settings)) };
}

/** MongoDB is prepared: a notifier may not have run yet. */
async function open(
  { servers, clock }: Needs,
  { secretsKey, allowPrivate }: Pick<Settings, "secretsKey" | "allowPrivate">,
) {
  const { clans, destinations, deliveries, calls, roleSyncs, events } = await servers.preparedStores();
  const manage = makeManageDestinations({
    clans,
    destinations,
    deliveries,
    calls,
    roleSyncs,
    events,
    sealer: secretsKey === null ? null : makeSealer(secretsKey),
    urls: { findFault: makeCheckAddress({ allowPrivate }), mask: maskUrl },
    newSecret: newSigningSecret,
    ids: makeIds(clock),
    clock,
  });
  return { manage, clans };
}
