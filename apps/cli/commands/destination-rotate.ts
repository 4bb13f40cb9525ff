// destination rotate: another signing secret for a webhook; the old one signs, too, for a grace period.
import type { Command } from "commander";
import { GRACE_DEFAULT_MS, GRACE_MAX_MS } from "#delivery/change-destination.ts";
import type { Cli } from "../cli.ts";
import { rejectFaults } from "../cli-error.ts";
import { openDestinationsBy } from "../open/destinations.ts";
import { durationMsIn, type Faults } from "../parse/options.ts";
import { changedResult, rejectedDestination, shownOrThrow } from "../show/destination.ts";
import { examples } from "../show/text.ts";

export function addDestinationRotate(parent: Command, cli: Cli): void {
  parent
    .command("rotate")
    .summary("replace the signing secret of a webhook")
    .description(
      "Makes a new signing secret and prints it once. For a grace period, requests carry the signatures of both the new and the old one.",
    )
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .option("--grace <duration>", "how long the old secret signs, too: 0 to 7d, as 90s, 15m, 24h (default: 24h)")
    .addHelpText(
      "after",
      examples([
        ["clanxp destination rotate dst_0mi6qz3k1a2b3c4d", "your server has a day to switch to the new secret"],
        ["clanxp destination rotate dst_0mi6qz3k1a2b3c4d --grace 0", "the old secret has leaked: it ends now"],
      ]),
    )
    .action(async (destinationId: string, { grace }: { grace?: string }) => {
      const faults: Faults = [];
      const graceMs = grace === undefined ? GRACE_DEFAULT_MS : durationMsIn("--grace", grace, GRACE_MAX_MS, faults);
      rejectFaults(faults);
      const { by, manage } = await openDestinationsBy(cli);
      const rotated = await manage.rotate(destinationId, { graceMs }, by);
      if (rotated.kind === "rejected") throw rejectedDestination(rotated);
      const note = graceMs === 0 ? "\nThe old one has ended." : `\nThe old one signs, too, for ${grace ?? "24h"}.`;
      cli.print(changedResult(await shownOrThrow(manage.show, destinationId), rotated, note));
    });
}
