// destination test: lets a notifier send a sample now, and shows the answer.
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { openDestinations } from "../open/destinations.ts";
import { rejectedDestination } from "../show/destination.ts";
import { examples, facts } from "../show/text.ts";

export function addDestinationTest(parent: Command, cli: Cli): void {
  parent
    .command("test")
    .summary("send a sample to a destination")
    .description(
      "Sends one event of the type test.ping to a webhook, or a sample message to Discord; of roles, checks the key and reads the roles. " +
        "It changes nothing, and exits with code 1 if the receiver does not accept it. A notifier must run.",
    )
    .argument("<destinationId>", "the destination, as clanxp destination list shows it")
    .addHelpText("after", examples([["clanxp destination test dst_0mi6qz3k1a2b3c4d", "status, time and response"]]))
    .action(async (destinationId: string) => {
      const { manage } = await openDestinations(cli);
      const tested = await manage.test(destinationId);
      if (tested.kind === "rejected") throw rejectedDestination(tested);
      const { status, ms, error, response } = tested.result;
      cli.print({
        json: { status, ms, error, response },
        text: facts([
          ["result", error === null ? "accepted" : `not accepted: ${error}`],
          ["status", status?.toString() ?? "none"],
          ["time", `${ms} ms`],
          ["response", response ?? ""],
        ]),
        exitCode: error === null ? 0 : 1,
      });
    });
}
