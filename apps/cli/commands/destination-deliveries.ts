// destination deliveries: what became of each event, newest first.
import type { Command } from "commander";
import { PAGE_SIZE_DEFAULT } from "#domain/bounds.ts";
import { deliveryStates, type DeliveryState } from "#domain/destination.ts";
import { filled } from "#domain/page.ts";
import type { ListedDelivery } from "#delivery/list-deliveries.ts";
import type { Cli } from "../cli.ts";
import { didYouMean, rejectFaults } from "../cli-error.ts";
import { openDestinations } from "../open/destinations.ts";
import { limitIn, type Faults } from "../parse/options.ts";
import { deliveriesResult, shownOrThrow } from "../show/destination.ts";
import { examples } from "../show/text.ts";

/** Some hundred bytes each, with their attempts. */
const DELIVERIES_MAX = 10_000;
const DELIVERIES_PER_READ = 200;

export function addDestinationDeliveries(parent: Command, cli: Cli): void {
  parent
    .command("deliveries")
    .summary("list the deliveries of a destination")
    .description("Lists what became of each event for a destination, newest first, with every attempt in JSON.")
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .option("--state <state>", `only these: ${deliveryStates.join(", ")}`)
    .option("--limit <N>", `maximum number of deliveries, 1 to ${DELIVERIES_MAX} (default: ${PAGE_SIZE_DEFAULT})`)
    .addHelpText(
      "after",
      examples([["clanxp destination deliveries dst_0mi6qz3k1a2b3c4d --state failed", "what was not accepted"]]),
    )
    .action(async (destinationId: string, options: { state?: string; limit?: string }) => {
      const faults: Faults = [];
      const state = options.state === undefined ? null : stateIn(options.state, faults);
      const limit = options.limit === undefined ? PAGE_SIZE_DEFAULT : limitIn(options.limit, DELIVERIES_MAX, faults);
      rejectFaults(faults);
      const { manage } = await openDestinations(cli);
      const { clanId } = await shownOrThrow(manage.show, destinationId);
      const page = await filled<ListedDelivery, number>({ limit, after: null }, Infinity, (part) =>
        manage.listDeliveries(
          { destinationId, clanId },
          { state, before: part.after, limit: Math.min(part.limit, DELIVERIES_PER_READ) },
        ),
      );
      cli.print(deliveriesResult(page.items, page.next !== null));
    });
}

function stateIn(text: string, faults: Faults): DeliveryState | null {
  const state = deliveryStates.find((known) => known === text);
  if (!state)
    faults.push(`--state is one of ${deliveryStates.join(", ")}, not "${text}".${didYouMean(text, deliveryStates)}`);
  return state ?? null;
}
