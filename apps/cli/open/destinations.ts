// Destinations as the CLI manages them: with the key that encrypts their secrets, and the addresses that an operator
// has allowed.
import { makeCheckAddress } from "#outbound/check-address.ts";
import { maskUrl } from "#outbound/mask-url.ts";
import { makeSealer } from "#outbound/sealer.ts";
import { newSigningSecret } from "#runtime/process/secrets.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { makeManageDestinations } from "#usecases/destinations/manage-destinations.ts";
import type { Cli } from "../cli.ts";

/** MongoDB is prepared: a notifier may not have run yet. */
export async function openDestinations({ servers, clock }: Pick<Cli, "servers" | "clock">) {
  const [secretsKey, allowPrivate] = [servers.secretsKey(), await servers.allowPrivate()];
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
